//! Tests of the crate through its public interface.
//!
//! One program for all files links once; `cargo test -p rulesieve --test all NAME::` runs one file.

mod messages;
mod saved_files;
mod pool;
