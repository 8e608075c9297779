//! Features as coordinates of a kernel: every feature, whatever its number of columns, has a total variance of one over the
//! training rows, so that a category does not gain weight with its number of levels.

use super::columns::{Column, Columns, Values};
use super::params::Scale;
use crate::linalg::Matrix32;
use rayon::prelude::*;
use std::ops::Range;

/// Levels with fewer training rows than this share one indicator.
const RARE: usize = 5;
/// Missing values get an indicator of their own where at least this many training rows have one.
const MISSING: usize = 5;
/// Numbers whose largest standardised size exceeds this have heavy tails: their ranks are used.
const HEAVY: f64 = 8.0;

/// Coordinates of some rows, and which columns belong to which feature.
pub(super) struct Coded {
    pub(super) x: Matrix32,
    pub(super) blocks: Vec<Range<usize>>,
}

/// Codes some features: learned from the training rows, applied to these and to other rows.
pub(super) fn code(
    columns: &Columns,
    features: &[usize],
    (train, other): (&[usize], &[usize]),
    scale: Scale,
) -> (Coded, Coded) {
    let coded: Vec<Vec<Vec<f32>>> =
        features.par_iter().map(|&at| coordinates(&columns.features[at], train, other, scale)).collect();
    let assemble = |rows: Range<usize>| {
        let (mut x, mut blocks) =
            (Matrix32 { rows: rows.len(), ..Matrix32::default() }, Vec::with_capacity(coded.len()));
        for feature in &coded {
            blocks.push(x.cols..x.cols + feature.len());
            feature.iter().for_each(|column| x.data.extend_from_slice(&column[rows.clone()]));
            x.cols += feature.len();
        }
        Coded { x, blocks }
    };
    (assemble(0..train.len()), assemble(train.len()..train.len() + other.len()))
}

/// The coordinates of one feature: training rows first, then the others.
fn coordinates(column: &Column, train: &[usize], other: &[usize], scale: Scale) -> Vec<Vec<f32>> {
    let rows: Vec<usize> = train.iter().chain(other).copied().collect();
    let mut coordinates: Vec<Vec<f64>> = Vec::new();
    for part in &column.parts {
        match part {
            Values::Numeric(values) => coordinates.push(numeric(values, train.len(), &rows, scale)),
            Values::Levels(codes, count) => coordinates.extend(indicators(codes, *count, train.len(), &rows)),
        }
    }
    let missing: Vec<f64> =
        rows.iter().map(|row| f64::from(u8::from(column.missing.binary_search(row).is_ok()))).collect();
    if missing[..train.len()].iter().sum::<f64>() >= MISSING as f64 {
        coordinates.push(missing);
    }
    let variances: f64 = coordinates.iter_mut().map(|values| centre(values, train.len())).sum();
    let factor = if variances > 0.0 { 1.0 / variances.sqrt() } else { 0.0 };
    coordinates.into_iter().map(|values| values.into_iter().map(|value| (value * factor) as f32).collect()).collect()
}

/// Takes the mean of the training rows off; returns their variance.
fn centre(values: &mut [f64], train: usize) -> f64 {
    let count = train.max(1) as f64;
    let mean = values[..train].iter().sum::<f64>() / count;
    values.iter_mut().for_each(|value| *value -= mean);
    values[..train].iter().map(|value| value * value).sum::<f64>() / count
}

fn numeric(values: &[f64], train: usize, rows: &[usize], scale: Scale) -> Vec<f64> {
    let taken: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
    let heavy = || {
        let mut centred = taken.clone();
        let deviation = centre(&mut centred, train).sqrt();
        centred[..train].iter().any(|value| value.abs() > HEAVY * deviation)
    };
    let ranked = match scale {
        Scale::Standard => false,
        Scale::Normal => true,
        Scale::Auto => heavy(),
    };
    let mut out = if ranked { normal_scores(&taken, train) } else { taken };
    let variance = centre(&mut out, train);
    // Other rows may lie far outside: the kernel cannot tell ten standard deviations from more.
    let (deviation, factor) = (variance.sqrt(), if variance > 0.0 { 1.0 / variance.sqrt() } else { 0.0 });
    out.iter_mut().for_each(|value| *value = value.clamp(-10.0 * deviation, 10.0 * deviation) * factor);
    out
}

/// Normal quantiles of the mean rank among the training rows.
fn normal_scores(values: &[f64], train: usize) -> Vec<f64> {
    let mut sorted = values[..train].to_vec();
    sorted.sort_by(f64::total_cmp);
    let score = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let upto = sorted.partition_point(|other| other <= value);
        normal_quantile(((below + upto) as f64 / 2.0 + 0.5) / (train as f64 + 1.0))
    };
    values.iter().map(score).collect()
}

/// The quantile function of the standard normal distribution, to about 4.5e-4 (Hastings 1955).
fn normal_quantile(p: f64) -> f64 {
    let tail = p.min(1.0 - p).max(1e-12);
    let t = (-2.0 * tail.ln()).sqrt();
    let size =
        t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    if p < 0.5 { -size } else { size }
}

/// An indicator for every level that is not rare in the training rows, and one for the rare ones together.
fn indicators(codes: &[u32], count: usize, train: usize, rows: &[usize]) -> Vec<Vec<f64>> {
    let mut counts = vec![0_usize; count];
    rows[..train].iter().for_each(|&row| counts[codes[row] as usize] += 1);
    let frequent: Vec<usize> = (0..count).filter(|&level| counts[level] >= RARE).collect();
    let mut place = vec![frequent.len(); count];
    frequent.iter().enumerate().for_each(|(at, &level)| place[level] = at);
    let mut out = vec![vec![0.0; rows.len()]; frequent.len() + 1];
    for (at, &row) in rows.iter().enumerate() {
        out[place[codes[row] as usize]][at] = 1.0;
    }
    out.retain(|indicator| indicator[..train].iter().any(|&value| value > 0.0));
    out
}
