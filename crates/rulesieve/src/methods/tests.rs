//! Tests of the methods through the registry, as every caller uses them.

mod anova;
mod baselines;
mod ldr_tsk;
mod order;
mod registry;

use super::settings::Settings;
use super::{Fit, FitError, Method, Problem, find};
use crate::data::{CategoricalCoding, Column, Dataset, DatasetOptions, Design, Encoder, Table};
use crate::generate;
use crate::optim::{Observer, Silent};
use crate::select::{SelectOptions, Selection, Size, select};

fn method(name: &str) -> &'static dyn Method {
    find(name).unwrap()
}

fn settings(name: &str, set: &[(&str, &str)]) -> Settings {
    let set: Vec<(String, String)> = set.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    method(name).settings(&set).unwrap()
}

/// A data set of the given columns with target `t`.
fn data(columns: Vec<Column>) -> Dataset {
    let options = DatasetOptions { target: Some("t".to_owned()), ..DatasetOptions::default() };
    Dataset::new(Table::new(columns).unwrap(), &options).unwrap()
}

fn generated(name: &str, samples: usize, features: usize) -> Dataset {
    let table = generate::find(name).unwrap().generate(Some(samples), Some(features), 3).unwrap().table;
    Dataset::new(table, &DatasetOptions::default()).unwrap()
}

/// The design of all rows.
fn design(data: &Dataset) -> Design {
    let rows: Vec<usize> = (0..data.samples()).collect();
    Encoder::fit(data, &rows, CategoricalCoding::OneHot).unwrap().transform(data, &rows).unwrap()
}

/// Fits all rows of a data set.
fn fit_watched(
    data: &Dataset,
    name: &str,
    set: &[(&str, &str)],
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Fit, FitError> {
    let design = design(data);
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
    method(name).prepare(problem)?.fit(&settings(name, set), seed, observer)
}

fn fit(data: &Dataset, name: &str, set: &[(&str, &str)], seed: u64) -> Fit {
    fit_watched(data, name, set, seed, &mut Silent).unwrap()
}

fn scores(data: &Dataset, name: &str) -> Vec<f64> {
    fit(data, name, &[], 0).scores
}

fn selection(data: &Dataset, name: &str, set: &[(&str, &str)], seed: u64) -> Selection {
    let options = SelectOptions {
        method: method(name),
        settings: settings(name, set),
        size: Size::default(),
        coding: CategoricalCoding::OneHot,
        weights: None,
        tune: false,
        seed,
    };
    select(data, &options, &mut Silent).unwrap()
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}
