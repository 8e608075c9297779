//! Selects features of a table that is made in memory, with a numeric target.
#![allow(clippy::print_stdout, reason = "an example")]

use rulesieve::data::Column;
use rulesieve::prelude::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = 200;
    let value = |row: usize, step: f64| (row as f64 * step).fract();
    let width: Vec<f64> = (0..rows).map(|row| value(row, 0.618_034)).collect();
    let noise = (0..rows).map(|row| value(row, 0.414_214)).collect();
    let price = width.iter().enumerate().map(|(row, width)| 3.0 * width + f64::from(u8::from(row % 3 == 0))).collect();
    let colour = (0..rows).map(|row| if row % 3 == 0 { "red" } else { "blue" });
    let table = Table::new(vec![
        Column::numeric("width", width),
        Column::numeric("noise", noise),
        Column::text("colour", colour),
        Column::numeric("price", price),
    ])?;
    let options = DatasetOptions::new(Target::named("price").regression()).coding(CategoricalCoding::OneHot);
    let data = Dataset::new(table, &options)?;
    let selection = Selector::new(Method::Sieve).top(2).seed(1).fit(&data)?;
    println!("selected: {}", selection.selected.join(", "));
    Ok(())
}
