//! Trains fuzzy rules on selected features, prints them, and predicts the first rows.
#![allow(clippy::print_stdout, reason = "an example")]

use rulesieve::prelude::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let table = rulesieve_io::builtin("penguins").ok_or("no such table")?;
    let data = table.clone().into_dataset(Target::named("species"), Missing::Median)?;
    let selection = Selector::new(Method::Sieve).top(3).fit(&data)?;
    let model = selection.trainer().rules(4).fit(&data)?;
    println!("{}", model.explain());
    let classes = &model.model().classes;
    for prediction in model.predict(&table.slice(0..3), 1)?.rows.into_iter().flatten() {
        if let Prediction::Class { class, probabilities } = prediction {
            println!("{} ({:.1} %)", classes[class], 100.0 * probabilities[class]);
        }
    }
    Ok(())
}
