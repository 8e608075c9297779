//! The features and rows in an order that depends on their content alone, so that neither the names of columns nor the
//! order of rows or columns changes a bit of the result; copies and constants are left out.

use crate::data::{Design, Target};
use crate::linalg::Matrix;
use std::cmp::Ordering;
use std::ops::Range;

/// The values of one column of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// Numbers, or the indicator of one of two categories.
    Numeric(Vec<f64>),
    /// The category of every row, and the number of categories.
    Levels(Vec<u32>, usize),
}

/// One feature: a column of the table, or several that are selected together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) parts: Vec<Values>,
    /// Rows in which values were missing and have been filled in, ascending.
    pub(super) missing: Vec<usize>,
}

/// What is to be predicted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Goal {
    /// The class of every row, and the number of classes.
    Classes(Vec<u32>, usize),
    /// A number for every row, in units of [`Columns::unit`].
    Numbers(Vec<f64>),
}

/// Distinct features that vary, and the rows, both in canonical order.
pub(super) struct Columns {
    pub(super) features: Vec<Column>,
    pub(super) goal: Goal,
    /// Weight of every row, with mean one.
    pub(super) weights: Vec<f64>,
    /// Unit of a numeric target.
    pub(super) unit: f64,
    /// Index of every feature in the design.
    pub(super) blocks: Vec<usize>,
    /// Indices in the design of features that repeat another one, each with the index of that one among `features`.
    pub(super) copies: Vec<(usize, usize)>,
    /// Indices in the design of features with a single value.
    pub(super) constant: Vec<usize>,
}

impl Columns {
    pub(super) fn new(design: &Design, target: &Target, weights: Option<&[f64]>) -> Self {
        let all: Vec<Column> = (0..design.blocks.len()).map(|block| column(design, block)).collect();
        let (varying, constant): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&block| all[block].varies());
        let goal = Goal::of(target);
        let order = canonical_order(&all, varying, &goal);
        let (mut blocks, mut copies): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        for block in order {
            match blocks.last() {
                Some(&last) if all[last] == all[block] => copies.push((block, blocks.len() - 1)),
                _ => blocks.push(block),
            }
        }
        let rows = target.rows();
        let mut columns = Self {
            features: blocks.iter().map(|&block| all[block].clone()).collect(),
            goal,
            unit: unit(target),
            weights: mean_one(weights.map_or_else(|| vec![1.0; rows], <[f64]>::to_vec)),
            blocks,
            copies,
            constant,
        };
        let order = columns.canonical_rows();
        columns.reorder_rows(&order);
        columns
    }

    /// All features and rows in the order of the design.
    pub(super) fn as_they_are(design: &Design, target: &Target) -> Self {
        let blocks: Vec<usize> = (0..design.blocks.len()).collect();
        Self {
            features: blocks.iter().map(|&block| column(design, block)).collect(),
            goal: Goal::of(target),
            unit: unit(target),
            weights: vec![1.0; target.rows()],
            blocks,
            copies: Vec::new(),
            constant: Vec::new(),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.weights.len()
    }

    /// Rows by target, then by the features, then by weight.
    fn canonical_rows(&self) -> Vec<usize> {
        let compare = |&a: &usize, &b: &usize| {
            let by_goal = match &self.goal {
                Goal::Classes(codes, _) => codes[a].cmp(&codes[b]),
                Goal::Numbers(values) => values[a].total_cmp(&values[b]),
            };
            let by_features = || self.features.iter().flat_map(|column| &column.parts).map(|part| part.compare(a, b));
            by_goal
                .then_with(|| by_features().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
                .then_with(|| self.weights[a].total_cmp(&self.weights[b]))
        };
        let mut order: Vec<usize> = (0..self.rows()).collect();
        order.sort_by(compare);
        order
    }

    fn reorder_rows(&mut self, order: &[usize]) {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        for column in &mut self.features {
            column.parts.iter_mut().for_each(|part| *part = part.rows(order));
            column.missing.iter_mut().for_each(|row| *row = place[*row]);
            column.missing.sort_unstable();
        }
        self.goal = self.goal.rows(order);
        self.weights = order.iter().map(|&row| self.weights[row]).collect();
    }
}

fn unit(target: &Target) -> f64 {
    match target {
        Target::Numbers { values, .. } => unit_of(values),
        Target::Classes { .. } => 1.0,
    }
}

/// The largest power of two that is no larger than the largest size of some numbers: squares of numbers in this unit do not
/// overflow, and it changes no digit of them.
fn unit_of(values: &[f64]) -> f64 {
    let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if most > 0.0 { most.log2().floor().clamp(-1022.0, 1023.0).exp2() } else { 1.0 }
}

/// Weights divided by their mean.
pub(super) fn mean_one(mut weights: Vec<f64>) -> Vec<f64> {
    let mean = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight /= mean);
    weights
}

/// Varying features by their sorted values, then by these with the target of each, which do not depend on the order of rows,
/// then by their values in the rows; equal ones are neighbours.
fn canonical_order(all: &[Column], mut varying: Vec<usize>, goal: &Goal) -> Vec<usize> {
    let sorted: Vec<Vec<u64>> = all.iter().map(Column::sorted_keys).collect();
    let targets = goal.keys();
    let with_target = |at: usize| {
        let mut keys: Vec<(u64, u64)> = all[at].keys().zip(targets.iter().copied().cycle()).collect();
        keys.sort_unstable();
        keys
    };
    varying.sort_by(|&a, &b| {
        let by_target = || with_target(a).cmp(&with_target(b));
        let in_rows = || all[a].keys().cmp(all[b].keys());
        let by_values = sorted[a].cmp(&sorted[b]).then_with(by_target);
        by_values.then_with(in_rows).then(all[a].missing.cmp(&all[b].missing))
    });
    varying
}

fn column(design: &Design, block: usize) -> Column {
    let parts = design.parts_of(&design.blocks[block]).iter().map(|part| match part.len() {
        1 => Values::Numeric(design.x.col(part.start).to_vec()),
        _ => Values::Levels(levels(&design.x, part), part.len()),
    });
    let filled = design.filled.iter().find(|(feature, _)| *feature == block);
    Column { parts: parts.collect(), missing: filled.map(|(_, rows)| rows.clone()).unwrap_or_default() }
}

/// The indicator that is set in every row.
fn levels(x: &Matrix, part: &Range<usize>) -> Vec<u32> {
    let set = |row: usize| part.clone().find(|&col| x[(row, col)] > 0.5).map_or(0, |col| (col - part.start) as u32);
    (0..x.rows()).map(set).collect()
}

impl Column {
    fn varies(&self) -> bool {
        let mut keys = self.parts.iter().map(Values::keys);
        !self.missing.is_empty() || keys.any(|mut keys| keys.next().is_some_and(|first| keys.any(|key| key != first)))
    }

    fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.parts.iter().flat_map(Values::keys)
    }

    fn sorted_keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.keys().collect();
        keys.sort_unstable();
        keys
    }
}

impl Values {
    /// Bits that are equal for equal values.
    fn keys(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Self::Numeric(values) => Box::new(values.iter().map(|value| (value + 0.0).to_bits())),
            Self::Levels(codes, _) => Box::new(codes.iter().map(|&code| u64::from(code))),
        }
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        match self {
            Self::Numeric(values) => values[a].total_cmp(&values[b]),
            Self::Levels(codes, _) => codes[a].cmp(&codes[b]),
        }
    }

    fn rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numeric(values) => Self::Numeric(rows.iter().map(|&row| values[row]).collect()),
            Self::Levels(codes, count) => Self::Levels(rows.iter().map(|&row| codes[row]).collect(), *count),
        }
    }
}

impl Goal {
    fn of(target: &Target) -> Self {
        match target {
            Target::Numbers { values, .. } => {
                let unit = unit_of(values);
                Self::Numbers(values.iter().map(|value| value / unit).collect())
            }
            Target::Classes { codes, classes, .. } => Self::Classes(codes.clone(), classes.len()),
        }
    }

    /// A key for every row, equal for equal targets.
    fn keys(&self) -> Vec<u64> {
        match self {
            Self::Classes(codes, _) => codes.iter().map(|&code| u64::from(code)).collect(),
            Self::Numbers(values) => values.iter().map(|value| (value + 0.0).to_bits()).collect(),
        }
    }

    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Classes(codes, count) => Self::Classes(rows.iter().map(|&row| codes[row]).collect(), *count),
            Self::Numbers(values) => Self::Numbers(rows.iter().map(|&row| values[row]).collect()),
        }
    }
}
