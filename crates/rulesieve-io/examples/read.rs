//! Reads a table and prints its size: `cargo run --release -p rulesieve-io --example read -- FILE`.
#![allow(clippy::print_stdout)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give a file")?;
    let table = rulesieve_io::read_path(path)?;
    println!("{} rows, {} columns", table.rows(), table.columns().len());
    Ok(())
}
