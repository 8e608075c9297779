//! Compares two methods on held-out rows of generated data.
#![allow(clippy::print_stdout, reason = "an example")]

use rulesieve::prelude::*;
use rulesieve_eval::Evaluator;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let generator = rulesieve::generate::find("waveform").ok_or("no such generator")?;
    let table = generator.generate(Some(300), Some(40), 0)?.table;
    let data = table.into_dataset(Target::named("class"), Missing::Error)?;
    let record = Evaluator::new([Method::Anova, Method::Variance]).folds(5).top(10).evaluate(&data)?;
    for method in &record.methods {
        println!("{:<10} accuracy {:.1} %", method.method, 100.0 * method.mean("accuracy").unwrap_or(f64::NAN));
    }
    Ok(())
}
