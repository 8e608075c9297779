//! Tests of the crate through its public interface.
//!
//! One program for all files links once; `cargo test -p rulesieve-eval --test all NAME::` runs one file.

mod paper;
mod scikit;
