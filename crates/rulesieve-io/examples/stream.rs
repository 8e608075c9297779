//! Selects features of a CSV file that is read in pieces instead of held in memory.
#![allow(clippy::print_stdout, reason = "an example")]

use rulesieve::optim::Silent;
use rulesieve::prelude::*;
use rulesieve_io::{ReadOptions, RowFile, Source};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (csv, target) = rulesieve_io::builtin_csv("penguins").ok_or("no such table")?;
    let source = Source::Bytes { name: "penguins.csv".to_owned(), bytes: csv.as_bytes().to_vec() };
    let rows = RowFile::new(source, ReadOptions::default())?;
    let data = DatasetOptions::new(Target::named(target)).missing(Missing::Median);
    let options = Selector::new(Method::Sieve).top(3).options()?;
    let selection = rulesieve::stream::select(&rows, &data, &options, &mut Silent)?;
    println!("selected: {}", selection.selected.join(", "));
    Ok(())
}
