//! Tests of readers and writers through the public interface.
//!
//! One program for all files links once; `cargo test -p rulesieve-io --test all NAME::` runs one file.

mod arff;
mod chunks;
mod common;
mod csv;
mod datasets;
mod formats;
mod hostile;
mod libsvm;
mod limits;
mod mat;
mod npy;
mod parquet;
mod properties;
mod rows;
mod write;
