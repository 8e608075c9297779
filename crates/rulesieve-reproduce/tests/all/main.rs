//! Tests of the program, which they run.
//!
//! One program for all files links once; `cargo test -p rulesieve-reproduce --test all NAME::` runs one file.

#[path = "../../../rulesieve-cli/tests/all/common/mod.rs"]
mod common;
mod originals;
mod reproduce;
