//! Tests of the methods through the registry.

mod anova;
mod baselines;
mod ldr_tsk;
mod order;
mod registry;

use super::settings::Settings;
use super::{Fit, FitError, Method, Problem};
use crate::data::{CategoricalCoding, Column, Dataset, DatasetOptions, Design, Encoder, KeepSuspicious, Table, Target};
use crate::generate;
use crate::optim::{Observer, Silent};
use crate::select::{SelectOptions, Selection, Size, select};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn method(name: &str) -> Method {
    name.parse().unwrap()
}

pub(super) fn settings(name: &str, set: &[(&str, &str)]) -> Settings {
    let set: Vec<(String, String)> = set.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    method(name).settings(&set).unwrap()
}

/// A data set of the given columns with target `t`.
pub(super) fn data(columns: Vec<Column>) -> Dataset {
    // Tables here are often copies of their target, or contain row numbers.
    let keep_suspicious = KeepSuspicious::All;
    let options = DatasetOptions { target: Target::named("t"), keep_suspicious, ..DatasetOptions::default() };
    Dataset::new(Table::new(columns).unwrap(), &options).unwrap()
}

pub(super) fn generated(name: &str, samples: usize, features: usize) -> Dataset {
    let table = generate::find(name).unwrap().generate(Some(samples), Some(features), 3).unwrap().table;
    Dataset::new(table, &DatasetOptions::default()).unwrap()
}

/// The design of all rows.
pub(super) fn design(data: &Dataset) -> Design {
    let rows: Vec<usize> = (0..data.samples()).collect();
    Encoder::fit(data, &rows, CategoricalCoding::OneHot).unwrap().transform(data, &rows).unwrap()
}

/// Fits all rows of a data set.
pub(super) fn fit_watched(
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

pub(super) fn fit(data: &Dataset, name: &str, set: &[(&str, &str)], seed: u64) -> Fit {
    fit_watched(data, name, set, seed, &mut Silent).unwrap()
}

pub(super) fn scores(data: &Dataset, name: &str) -> Vec<f64> {
    fit(data, name, &[], 0).scores
}

fn selection(data: &Dataset, name: &str, set: &[(&str, &str)], seed: u64) -> Selection {
    let options =
        SelectOptions { settings: settings(name, set), size: Size::THIRD, seed, ..SelectOptions::new(method(name)) };
    select(data, &options, &mut Silent).unwrap()
}

/// Adds a class without rows.
pub(super) fn add_class(target: &mut Target, name: &str) {
    let Target::Classes { classes, appearance, .. } = target else { panic!("classes") };
    appearance.push(classes.len() as u32);
    classes.push(name.to_owned());
}

/// Shuffles the labels, so that they are independent of the features.
pub(crate) fn shuffle(target: &mut Target, seed: u64) {
    let Target::Classes { codes, .. } = target else { panic!("classes") };
    codes.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
}

pub(super) fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}

/// Columns of noise, the first three of them shifted where `row % 3` is their index.
fn planted_columns(rows: usize, columns: usize, seed: u64) -> Vec<Column> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..columns)
        .map(|at| {
            let value = |row: usize| rng.random::<f64>() + if at < 3 && row % 3 == at { 1.0 } else { 0.0 };
            Column::numeric(format!("x{at:03}"), (0..rows).map(value).collect())
        })
        .collect()
}

/// Three classes that shift the first three of several columns of noise.
pub(super) fn planted(rows: usize, columns: usize, seed: u64) -> Dataset {
    let mut all = planted_columns(rows, columns, seed);
    all.push(Column::text("t", (0..rows).map(|row| ["a", "b", "c"][row % 3])));
    data(all)
}

/// Indices of the largest scores, ascending.
pub(super) fn top(scores: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order.truncate(count);
    order.sort_unstable();
    order
}
