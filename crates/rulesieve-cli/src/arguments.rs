//! Parsers of arguments that several commands take.

use crate::output;
use anyhow::{Result, anyhow};
use rulesieve::data::names;
use rulesieve::methods::Method;

/// More threads than this are never started.
const MAX_THREADS: usize = 256;

/// A count; the parser of the standard library does not state what is allowed.
pub fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "it must be a whole number, at least 1".to_owned())
}

/// A count of at least 1.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    count(text).and_then(|number| if number > 0 { Ok(number) } else { Err("it must be at least 1".to_owned()) })
}

/// The threads of the library; 0 stands for all cores.
///
/// # Errors
/// Threads that cannot be started.
pub fn threads(wanted: usize) -> Result<rayon::ThreadPool> {
    if wanted > MAX_THREADS {
        output::note(&format!("note: {wanted} threads are more than the {MAX_THREADS} that are ever started"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(wanted.min(MAX_THREADS)).build()?)
}

/// The method of that name.
///
/// # Errors
/// An unknown name; the message lists all names.
pub fn method(name: &str) -> Result<Method> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        unknown("method", name, &known)
    })
}

/// The error for an unknown name: the nearest known name, and all of them.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    let near = names::nearest(name, known.iter().copied()).map(|near| format!(" (did you mean '{near}'?)"));
    anyhow!("there is no {what} '{name}'{}; there are: {}", near.unwrap_or_default(), known.join(", "))
}
