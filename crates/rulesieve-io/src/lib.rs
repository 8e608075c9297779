//! Readers and writers of tables: files, standard input or bytes to and from [`Table`].
//!
//! ```
//! use rulesieve_io::{ReadOptions, Source, read};
//!
//! let source = Source::Bytes { name: "small.csv".into(), bytes: b"width,kind\n1.5,a\n2,b\n".to_vec() };
//! let table = read(&source, &ReadOptions::default())?;
//! assert_eq!((table.rows(), table.columns().len()), (2, 2));
//! # Ok::<(), rulesieve_io::ReadError>(())
//! ```
//!
//! [`read_path`] reads a file with default options; from there it goes on with the library:
//!
//! ```
//! use rulesieve::prelude::*;
//!
//! # let path = std::env::temp_dir().join(format!("penguins-{}.csv", std::process::id()));
//! # std::fs::write(&path, rulesieve_io::builtin_csv("penguins").unwrap().0)?;
//! # let penguins_csv = path.as_path();
//! let data = rulesieve_io::read_path(penguins_csv)?.into_dataset(Target::named("species"), Missing::Median)?;
//! let selection = Selector::new(Method::Anova).top(3).seed(7).fit(&data)?;
//! println!("{:?}", selection.selected);
//! let model = selection.trainer().rules(4).fit(&data)?;
//! println!("{}", model.explain());
//! # std::fs::remove_file(&path)?;
//! # assert_eq!(selection.selected.len(), 3);
//! # assert!(model.explain().to_string().starts_with("4 rules for species on 3 features selected by anova"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every reader works on a bounded amount of memory ([`Limits`]), runs nothing that a file contains, and refuses what it does not
//! understand with a [`ReadError`] that names the file, the line and the remedy. None of them panics, whatever the bytes.

mod archive;
mod arff;
#[cfg(feature = "arrow")]
mod arrow;
mod builtin;
mod cells;
mod chunks;
mod compression;
mod copy;
mod csv;
mod dates;
mod delimiter;
mod encoding;
mod error;
#[cfg(feature = "excel")]
mod excel;
#[cfg(any(feature = "excel", feature = "parquet"))]
mod guard;
mod json;
mod libsvm;
mod like;
mod mat;
mod na_values;
mod near;
mod npy;
mod npz;
mod options;
mod pair;
#[cfg(feature = "parquet")]
mod parquet;
mod quotes;
mod rows;
mod source;
mod text;
mod write;

pub use builtin::{BUILTIN, builtin, builtin_csv};
pub use chunks::{Chunks, Kind, chunks};
pub use copy::{Copied, copy_columns};
pub use error::ReadError;
pub use options::{Format, Limits, ParseFormatError, ReadOptions};
pub use rows::RowFile;
pub use source::Source;
pub use text::{escaped, shown};
pub use write::{AtomicFile, TableFormat, TableFormatError, TableWriter, write_atomically, write_csv, write_table};

use rulesieve::data::Table;
use std::path::PathBuf;

/// Tests the Rust example of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// Reads a table. The format is that of the options, else of the file extension, else of the first bytes.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read(source: &Source, options: &ReadOptions) -> Result<Table, ReadError> {
    let (options, differences) = options.resolved();
    let mut table = read_input(&source::load(source, &options)?, &options)?;
    table.warnings.extend(differences);
    Ok(table)
}

/// Reads a file, taking the format from its ending, else from its first bytes.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_path(path: impl Into<PathBuf>) -> Result<Table, ReadError> {
    read(&Source::Path(path.into()), &ReadOptions::default())
}

fn read_input(input: &source::Input, options: &ReadOptions) -> Result<Table, ReadError> {
    if matches!(input.format, Format::Csv | Format::Tsv) {
        return csv::read(input, options);
    }
    let mut table = na_values::NaValues::new(&options.na_values).clear(read_other(input, options)?);
    table.reading.na_values.clone_from(&options.na_values);
    Ok(match input.format {
        // Formats without a type for dates, or tables typed by hand.
        Format::Json | Format::Excel => dates::read_dates(table, options),
        // Chunks of these have the types of the file.
        Format::Parquet | Format::Arrow => dates::with_texts_named(table),
        _ => table,
    })
}

fn read_other(input: &source::Input, options: &ReadOptions) -> Result<Table, ReadError> {
    match input.format {
        Format::Csv | Format::Tsv => csv::read(input, options),
        Format::Arff => arff::read(input, options),
        Format::Libsvm => libsvm::read(input, options),
        Format::Npy => npy::read(input, options),
        Format::Npz => npz::read(input, options),
        Format::Mat => mat::read(input, options),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(input, options),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(input.unsupported(
            "a Parquet file, and this build has no Parquet reader",
            "build with the cargo feature `parquet`, or save the table as CSV",
        )),
        #[cfg(feature = "arrow")]
        Format::Arrow => arrow::read(input, options),
        #[cfg(not(feature = "arrow"))]
        Format::Arrow => Err(input.unsupported(
            "an Arrow file, and this build has no Arrow reader",
            "build with the cargo feature `arrow`, or save the table as CSV",
        )),
        Format::Json => json::read(input, options),
        #[cfg(feature = "excel")]
        Format::Excel => excel::read(input, options),
        #[cfg(not(feature = "excel"))]
        Format::Excel => Err(input.unsupported(
            "a workbook, and this build has no reader of workbooks",
            "build with the cargo feature `excel`, or save the table as CSV",
        )),
    }
}
