//! Selects features of a file: `cargo run --example select -- table.csv target`. Without arguments, of a built-in table.
#![allow(clippy::print_stdout, reason = "an example")]

use rulesieve::prelude::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let data = match (args.next(), args.next()) {
        (Some(path), Some(target)) => {
            rulesieve_io::read_path(path)?.into_dataset(Target::named(target), Missing::Median)?
        }
        _ => {
            let table = rulesieve_io::builtin("penguins").ok_or("no such table")?;
            table.into_dataset(Target::named("species"), Missing::Median)?
        }
    };
    let selection = Selector::default().fit(&data)?;
    for ranked in selection.ranking.iter().take(10) {
        println!("{:<30} {:.6}", ranked.feature, ranked.score);
    }
    println!("selected: {}", selection.selected.join(", "));
    if let Some(held_out) = selection.held_out_summary() {
        println!("{held_out}");
    }
    Ok(())
}
