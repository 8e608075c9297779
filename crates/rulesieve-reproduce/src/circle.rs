//! The toy data of the paper: two circles in two columns, and eight columns of noise.

use crate::document::{Block, Table};
use crate::printed::{INDUCTIVE, OURS};
use crate::{Cause, ReproduceError};
use rulesieve::data::{Dataset, DatasetOptions, FeatureValues, Target};
use rulesieve::generate;
use rulesieve::methods::{self, Method};
use rulesieve::optim::Observer;
use rulesieve::select::{SelectOptions, Size, select};
use rulesieve_report::Data;
use rulesieve_report::charts::{Chart, Panels, Scatter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of draws of the toy data.
const SEEDS: u64 = 10;
/// The methods whose first two columns are plotted; the paper shows the first and ERFS.
const SHOWN: [&str; 3] = [OURS, "erfs", INDUCTIVE];

/// The results of a method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CircleResult {
    /// The first two columns, for every seed.
    pub first: Vec<(String, String)>,
    /// Number of seeds in which they are the true ones.
    pub hits: usize,
}

fn toy(seed: u64) -> Result<(Dataset, Vec<String>), ReproduceError> {
    let fault = |error: Cause| ReproduceError::Data { name: "double-circle".to_owned(), error };
    let generator = generate::find("double-circle").ok_or_else(|| fault("there is no such generator".into()))?;
    let generated = generator.generate(None, None, seed).map_err(|error| fault(error.into()))?;
    let options = DatasetOptions::new(Target::named(generator.target));
    let data = Dataset::new(generated.table, &options).map_err(|error| fault(error.into()))?;
    Ok((data, generated.informative))
}

/// Returns the first two columns of a method, with its defaults, in each draw.
///
/// # Errors
/// Fails if a fit fails.
pub(crate) fn result(name: &str, observer: &mut dyn Observer) -> Result<CircleResult, ReproduceError> {
    let method = name.parse::<Method>()?;
    let settings = method.settings(&[]).map_err(|error| ReproduceError::Grid { name: name.to_owned(), error })?;
    let (mut first, mut hits) = (Vec::new(), 0);
    for seed in 0..SEEDS {
        let (data, truth) = toy(seed)?;
        let options = SelectOptions::new(method).settings(settings.clone()).size(Size::Top(2)).seed(seed);
        let fault = |error: rulesieve::select::SelectError| ReproduceError::Data {
            name: format!("{name} on double-circle"),
            error: error.into(),
        };
        let selected = select(&data, &options, observer).map_err(fault)?.selected;
        hits += usize::from(truth.iter().all(|column| selected.contains(column)));
        if let [one, two] = selected.as_slice() {
            first.push((one.clone(), two.clone()));
        }
    }
    Ok(CircleResult { first, hits })
}

/// Creates the figure of the first draw, and the table of all.
///
/// # Errors
/// Fails if the toy data cannot be generated.
pub(crate) fn blocks(found: &BTreeMap<String, CircleResult>, order: &[String]) -> Result<Vec<Block>, ReproduceError> {
    let (data, truth) = toy(0)?;
    let mut panels: Vec<(String, Box<dyn Chart>)> = Vec::new();
    if let [x, y] = truth.as_slice() {
        panels.push(("the true columns".to_owned(), Box::new(scatter(&data, x, y))));
    }
    for name in SHOWN {
        if let Some((x, y)) = found.get(name).and_then(|found| found.first.first()) {
            panels.push((name.to_owned(), Box::new(scatter(&data, x, y))));
        }
    }
    let chart = Panels { panels, columns: 2, legend: data.target.classes().to_vec(), lines: false };
    let title = "The first two columns of each method on two circles with eight columns of noise, first draw";
    let mut table = Data::new(["method", "draws with both true columns first"]);
    for name in order {
        if let Some(found) = found.get(name) {
            table.push([methods::title(name).to_owned(), format!("{} of {SEEDS}", found.hits)]);
        }
    }
    let caption = format!("Two circles, 400 rows, 10 columns, {SEEDS} draws, defaults");
    Ok(vec![
        Block::Figure(Box::new(chart.figure("double-circle", title))),
        Block::Table(Table::new("double-circle", &caption, table)),
    ])
}

fn scatter(data: &Dataset, x: &str, y: &str) -> Scatter {
    let column = |name: &str| match data.index_of(name).map(|at| &data.features[at].values) {
        Some(FeatureValues::Numeric(values)) => values.clone(),
        _ => Vec::new(),
    };
    let (xs, ys) = (column(x), column(y));
    let points = |class: usize| {
        let own = |row: &usize| data.target.codes()[*row] as usize == class;
        (0..xs.len().min(ys.len())).filter(own).map(|row| (xs[row], ys[row])).collect()
    };
    let groups = data.target.classes().iter().enumerate().map(|(class, name)| (name.clone(), points(class))).collect();
    Scatter {
        groups,
        x_title: x.to_owned(),
        y_title: y.to_owned(),
        square: true,
        hide_legend: true,
        ..Default::default()
    }
}
