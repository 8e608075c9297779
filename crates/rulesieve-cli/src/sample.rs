//! `--sample`: a random sample of the rows of INPUT, stratified by the labels, drawn in one pass with bounded memory.

use crate::args::{DataArgs, InputArgs, TaskArg};
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve::Warning;
use rulesieve::data::table::format_number;
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve_io::{Format, Kind, Limits, ReadOptions, Source};
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow;

/// Targets with more labels are sampled without strata, and those with more than the sample can hold.
const MAX_STRATA: usize = 1000;
/// Number of rows that are retained of every stratum, so that rare classes find their share.
const RETAINED: usize = 32;
/// Minimum number of rows of a class in the sample; classes with fewer rows cannot be learned.
const MIN_PER_CLASS: usize = 2;

/// A row that may get into the sample: those with the smallest random keys do.
struct Row {
    key: u64,
    index: usize,
    label: usize,
    /// The row as a line of CSV, which takes less memory than cells.
    line: String,
}

/// Rows of one label.
#[derive(Default)]
struct Stratum {
    rows: usize,
    /// The smallest keys.
    keys: BinaryHeap<u64>,
}

impl Stratum {
    /// Whether a key is among the smallest ones.
    fn retains(&self, key: u64) -> bool {
        self.keys.len() < RETAINED || self.keys.peek().is_some_and(|largest| key <= *largest)
    }

    /// The minimum number of rows in the sample.
    fn least(&self) -> usize {
        self.rows.min(MIN_PER_CLASS)
    }

    fn add(&mut self, key: u64) {
        self.keys.push(key);
        if self.keys.len() > RETAINED {
            self.keys.pop();
        }
    }
}

/// Draws a sample while rows are read.
struct Sampler {
    size: usize,
    seed: u64,
    /// Rows with larger keys cannot get into the sample, except for their stratum.
    threshold: u64,
    kept: Vec<Row>,
    labels: HashMap<String, usize>,
    strata: Vec<Stratum>,
    rows: usize,
}

impl Sampler {
    fn new(size: usize, seed: u64) -> Self {
        let (kept, labels, strata) = (Vec::new(), HashMap::new(), Vec::new());
        Self { size, seed, threshold: u64::MAX, kept, labels, strata, rows: 0 }
    }

    /// Adds the rows of a chunk; `target` is the index of the target column, if there are strata.
    fn add(&mut self, chunk: &Table, target: Option<usize>) {
        for row in 0..chunk.rows() {
            let key = key(self.seed, self.rows as u64);
            let label = self.label(target.map(|at| chunk.columns()[at].cell(row)).unwrap_or_default());
            let stratum = &mut self.strata[label];
            stratum.rows += 1;
            let retained = stratum.retains(key);
            if retained {
                stratum.add(key);
            }
            if key <= self.threshold || retained {
                let cells: Vec<String> = chunk.columns().iter().map(|column| cell(column, row)).collect();
                let line = output::csv_line(cells.iter().map(String::as_str));
                self.kept.push(Row { key, index: self.rows, label, line });
            }
            self.rows += 1;
            if self.kept.len() > 2 * self.size + RETAINED * self.strata.len() + 1000 {
                self.shrink();
            }
        }
    }

    /// Returns the index of a label; all labels are one if there are too many.
    fn label(&mut self, label: String) -> usize {
        if self.labels.len() > MAX_STRATA {
            return 0;
        }
        let next = self.labels.len();
        let at = *self.labels.entry(label).or_insert(next);
        if at == MAX_STRATA {
            self.merge();
            return 0;
        }
        if at == self.strata.len() {
            self.strata.push(Stratum::default());
        }
        at
    }

    /// Merges all strata into one.
    fn merge(&mut self) {
        let rows = self.strata.iter().map(|stratum| stratum.rows).sum();
        self.strata = vec![Stratum { rows, keys: BinaryHeap::new() }];
        self.kept.iter_mut().for_each(|row| row.label = 0);
    }

    /// Lowers the threshold, and drops the rows that are out of the sample.
    fn shrink(&mut self) {
        let mut keys: Vec<u64> = self.kept.iter().map(|row| row.key).collect();
        let at = (self.size + self.size / 2).min(keys.len() - 1);
        self.threshold = *keys.select_nth_unstable(at).1;
        let (threshold, strata) = (self.threshold, &self.strata);
        self.kept.retain(|row| row.key <= threshold || strata[row.label].retains(row.key));
    }

    /// Returns the sampled rows in the order of the file.
    fn finish(mut self) -> Vec<Row> {
        let least: usize = self.strata.iter().map(Stratum::least).sum();
        if least > self.size.min(self.rows) {
            self.merge();
        }
        let mut quotas = self.quotas();
        self.kept.sort_unstable_by_key(|row| row.key);
        let (mut sampled, mut others) = (Vec::new(), Vec::new());
        for row in self.kept {
            let quota = &mut quotas[row.label];
            if *quota > 0 {
                *quota -= 1;
                sampled.push(row);
            } else {
                others.push(row);
            }
        }
        // Strata with too few retained rows leave room for others.
        let room = self.size.min(self.rows) - sampled.len();
        sampled.extend(others.into_iter().take(room));
        sampled.sort_unstable_by_key(|row| row.index);
        sampled
    }

    /// Number of sampled rows per stratum: its share, rounded by largest remainders, and a minimum.
    fn quotas(&self) -> Vec<usize> {
        let (size, all) = (self.size.min(self.rows), self.rows.max(1) as u128);
        let shares = |stratum: &Stratum| size as u128 * stratum.rows as u128;
        let mut quotas: Vec<usize> =
            self.strata.iter().map(|one| ((shares(one) / all) as usize).max(one.least())).collect();
        let mut order: Vec<usize> = (0..quotas.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(shares(&self.strata[at]) % all), at));
        for at in order.iter().cycle() {
            let total: usize = quotas.iter().sum();
            if total >= size {
                break;
            }
            quotas[*at] += usize::from(quotas[*at] < self.strata[*at].rows);
        }
        // The minimum of rare classes is taken from the largest ones.
        while quotas.iter().sum::<usize>() > size {
            let Some(at) = (0..quotas.len()).max_by_key(|&at| (quotas[at], at)) else { break };
            quotas[at] -= 1;
        }
        quotas
    }
}

/// The text of a cell; times are numbers, so that they keep all digits.
fn cell(column: &Column, row: usize) -> String {
    match &column.data {
        ColumnData::Dates(seconds) if !seconds[row].is_nan() => format_number(seconds[row]),
        _ => column.cell(row),
    }
}

/// A random number for a row (SplitMix64).
fn key(seed: u64, row: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0xd1b5_4a32_d192_ed03).wrapping_add(row.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        bits = (bits ^ (bits >> 30)).wrapping_mul(factor);
    }
    bits ^ (bits >> 31)
}

/// Reads a sample of INPUT: CSV, TSV and Parquet files in chunks, others completely.
pub(crate) fn table(args: &InputArgs, data: &DataArgs, size: usize, seed: u64) -> Result<Table> {
    let mut sampler = Sampler::new(size, seed);
    let mut first: Option<Table> = None;
    let text = input::is_text(args)?;
    // Cells of text files stay as they are, so that the sample is read like a file.
    let kind = |_: &str| text.then_some(Kind::Text);
    let mut at = None;
    input::each_chunk(args, None, kind, |chunk| {
        if first.is_none() {
            // Labels of a numeric target are no strata.
            let strata = data.task != TaskArg::Regression && data.bins.is_none();
            at = chunk.target_position(data.target.as_deref()).ok().filter(|_| strata);
            first = Some(chunk.slice(0..0));
        }
        sampler.add(chunk, at);
        Ok(ControlFlow::Continue(()))
    })?;
    let Some(first) = first else { bail!("{}: the table has no rows", output::shown(&args.input)) };
    let all = sampler.rows;
    let rows = sampler.finish();
    // The warnings are those about the whole file.
    let mut table = parsed(args, &first, &rows, text)?.described_by(&first);
    if rows.len() < all {
        table.warnings.push(Warning::SampledRows { sample: rows.len(), rows: all });
    }
    Ok(table)
}

/// Reads the sampled lines as a CSV file.
fn parsed(args: &InputArgs, head: &Table, rows: &[Row], text: bool) -> Result<Table> {
    let mut bytes = Vec::new();
    rulesieve_io::write_csv(head, &mut bytes)?;
    rows.iter().for_each(|row| bytes.extend_from_slice(row.line.as_bytes()));
    let source = Source::Bytes { name: args.input.clone(), bytes };
    let limits = Limits { rows: usize::MAX, columns: usize::MAX, bytes: u64::MAX };
    // A sample may leave open what the whole file decides. The lines are UTF-8, without comments.
    let mut like = head.reading.clone();
    (like.comment, like.encoding) = (None, None);
    let options = ReadOptions {
        format: Some(Format::Csv),
        delimiter: Some(b','),
        header: Some(true),
        comment: None,
        encoding: None,
        like,
        limits,
        ..input::read_options(args)?
    };
    if text {
        return Ok(rulesieve_io::read(&source, &options)?);
    }
    // Other formats have types.
    let data = |name: &str| head.position(name).map(|at| &head.columns()[at].data);
    let kind =
        |name: &str| Some(if matches!(data(name), Some(ColumnData::Text(_))) { Kind::Text } else { Kind::Number });
    let mut chunks = rulesieve_io::chunks(&source, &options, usize::MAX)?.expecting(kind);
    let table = chunks.next().context("the sample has no rows")??;
    let typed = table.into_columns().into_iter().map(|column| match (data(&column.name), column.data) {
        (Some(ColumnData::Dates(_)), ColumnData::Numeric(seconds)) => Column::dates(column.name, seconds),
        (_, data) => Column { name: column.name, data },
    });
    Ok(Table::new(typed.collect())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(size: usize, seed: u64, labels: &[&str], chunk: usize) -> Vec<Row> {
        let mut sampler = Sampler::new(size, seed);
        for labels in labels.chunks(chunk) {
            let table = Table::new(vec![Column::text("t", labels.iter().copied())]).unwrap();
            sampler.add(&table, Some(0));
            assert!(sampler.kept.len() <= 2 * size + RETAINED * sampler.strata.len() + 1000);
        }
        sampler.finish()
    }

    #[test]
    fn samples_are_stratified_and_depend_on_the_seed_alone() {
        let labels: Vec<&str> = (0..40_000).map(|row| ["a", "b"][usize::from(row % 10 == 0)]).chain(["c"; 3]).collect();
        let indices = |seed, chunk| sampled(200, seed, &labels, chunk).iter().map(|row| row.index).collect::<Vec<_>>();
        let one = indices(1, 8192);
        assert_eq!(one, indices(1, 77));
        assert_ne!(one, indices(2, 8192));
        assert!(one.is_sorted() && one.len() == 200);
        let count = |label: &str| one.iter().filter(|&&at| labels[at] == label).count();
        // The minimum of c leaves no room to round the others up.
        assert_eq!((count("b"), count("c")), (19, 2));
    }

    #[test]
    fn every_row_has_the_same_chance() {
        let labels = ["a"; 2000];
        let mut counts = [0; 4];
        (0..200).for_each(|seed| sampled(100, seed, &labels, 512).iter().for_each(|row| counts[row.index / 500] += 1));
        // 5000 expected in each quarter, standard deviation about 60.
        assert!(counts.iter().all(|count| (4700..5300).contains(count)), "{counts:?}");
    }

    #[test]
    fn many_labels_and_small_samples_have_no_strata() {
        let texts: Vec<String> = (0..5000).map(|row| row.to_string()).collect();
        let labels: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(sampled(50, 0, &labels, 700).len(), 50);
        assert_eq!(sampled(9000, 0, &labels, 700).len(), 5000);
        let mut sampler = Sampler::new(3, 0);
        let table = Table::new(vec![Column::text("t", ["a", "a", "b", "b"])]).unwrap();
        sampler.add(&table, Some(0));
        assert_eq!(sampler.finish().len(), 3, "two rows of each class do not fit");
    }
}
