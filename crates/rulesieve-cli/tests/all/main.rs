//! Tests of the program, which they run.
//!
//! One program for all files links once; `cargo test -p rulesieve-cli --test all NAME::` runs one file.

mod apply;
mod as_run;
mod check;
mod common;
mod compare;
mod documentation;
mod evaluate;
mod everyday;
mod formats;
mod generate;
mod help;
mod hostile;
mod interrupt;
mod like_training;
mod memory;
mod methods;
mod model;
mod output;
mod public_api;
mod reading;
mod records;
mod report;
mod reproduce;
mod sample;
mod select;
mod select_options;
mod sieve;
mod sizes;
mod stream;
