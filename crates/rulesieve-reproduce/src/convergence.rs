//! The objective of the paper's method by iteration.

use crate::ReproduceError;
use crate::document::Block;
use crate::manifest::DataSet;
use crate::printed::OURS;
use rulesieve::data::Dataset;
use rulesieve::methods::Method;
use rulesieve::optim::Observer;
use rulesieve::select::{SelectOptions, Size, select};
use rulesieve_report::charts::{Chart, Lines, Scale, Series};
use std::collections::BTreeMap;

/// Returns the objective after each iteration of a fit with the defaults on all rows.
///
/// # Errors
/// Fails if the fit fails.
pub(crate) fn trace(
    (set, data): (&DataSet, &Dataset),
    observer: &mut dyn Observer,
) -> Result<Vec<f64>, ReproduceError> {
    let method = OURS.parse::<Method>()?;
    let settings = method.settings(&[]).map_err(|error| ReproduceError::Grid { name: OURS.to_owned(), error })?;
    let options = SelectOptions::new(method).settings(settings).size(Size::THIRD);
    let fault =
        |error: rulesieve::select::SelectError| ReproduceError::Data { name: set.name.clone(), error: error.into() };
    let terms = select(data, &options, observer).map_err(fault)?.trace;
    let iterations = terms.values().map(Vec::len).min().unwrap_or(0);
    Ok((0..iterations).map(|at| terms.values().map(|term| term[at]).sum()).collect())
}

/// Creates the figure of all traces, each relative to its first value, and a sentence about increases.
pub(crate) fn blocks(traces: &BTreeMap<String, Vec<f64>>) -> Vec<Block> {
    let series = |(set, trace): (&String, &Vec<f64>)| {
        let first = trace.first().copied().unwrap_or(1.0);
        let points = trace.iter().enumerate().map(|(at, value)| ((at + 1) as f64, value / first)).collect();
        Series { name: set.clone(), points, spread: Vec::new(), band: false }
    };
    if traces.is_empty() {
        return Vec::new();
    }
    let chart = Lines {
        series: traces.iter().map(series).collect(),
        x_title: "iteration".to_owned(),
        y_title: "objective, as a share of the first".to_owned(),
        y_scale: Scale::Log,
        ..Default::default()
    };
    let increases = |trace: &&Vec<f64>| {
        let minimum = trace.iter().copied().fold(f64::INFINITY, f64::min);
        trace.last().is_some_and(|last| *last > 1.01 * minimum)
    };
    let increasing =
        traces.iter().filter(|(_, trace)| increases(trace)).map(|(set, _)| set.as_str()).collect::<Vec<_>>();
    let text = match increasing.len() {
        0 => "The objective decreases to the end on all of them.".to_owned(),
        _ => format!(
            "On {} it ends more than 1 % above its minimum: the steps of the method need not decrease it.",
            increasing.join(", ")
        ),
    };
    let figure = chart.figure("convergence", "Objective of ldr-tsk by iteration, defaults, all rows");
    vec![Block::Figure(Box::new(figure)), Block::Text(text)]
}
