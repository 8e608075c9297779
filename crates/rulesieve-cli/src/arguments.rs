//! Argument parsers shared by several commands.

use crate::output;
use anyhow::{Result, anyhow};
use rulesieve::data::names;
use rulesieve::methods::Method;

/// Maximum number of threads.
const MAX_THREADS: usize = 256;

/// Parses a count. The error of the standard library does not state the allowed values.
pub fn count(text: &str) -> Result<usize, String> {
    whole(text).map_err(|_| "it must be a whole number, at least 1".to_owned())
}

/// Parses a whole number, also if it is written as 1e6.
pub fn whole(text: &str) -> Result<usize, String> {
    let exact = |value: &f64| value.fract() == 0.0 && (0.0..=9e15).contains(value);
    let float = || text.contains(['e', 'E']).then(|| text.parse::<f64>().ok().filter(exact)).flatten();
    text.parse()
        .ok()
        .or_else(|| float().map(|value| value as usize))
        .ok_or_else(|| "it must be a whole number".to_owned())
}

/// Parses a count of at least 1.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    count(text).and_then(|number| if number > 0 { Ok(number) } else { Err("it must be at least 1".to_owned()) })
}

/// Creates a thread pool; 0 uses all cores.
///
/// # Errors
/// Fails if the threads cannot be started.
pub fn threads(requested: usize) -> Result<rayon::ThreadPool> {
    if requested > MAX_THREADS {
        output::note(&format!("note: {requested} threads requested; using the maximum of {MAX_THREADS}"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(requested.min(MAX_THREADS)).build()?)
}

/// Returns the method with a name.
///
/// # Errors
/// Fails for an unknown name; the message lists all names.
pub fn method(name: &str) -> Result<Method> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        unknown("method", name, &known)
    })
}

/// Creates the error for an unknown name, with the most similar known name and a list of all.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    let near = names::nearest(name, known.iter().copied()).map(|near| format!(" (did you mean '{near}'?)"));
    anyhow!("there is no {what} '{name}'{}; there are: {}", near.unwrap_or_default(), known.join(", "))
}
