//! Tests of the crate through its public interface.
//!
//! One program for all files links once; `cargo test -p rulesieve --test all NAME::` runs one file.

mod budget;
mod messages;
mod pool;
mod saved_files;
