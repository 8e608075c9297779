//! The toy data of the paper: two circles in two columns, and eight columns of noise.

use crate::document::{Block, Table};
use crate::extras::Extras;
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

/// Number of draws of the toy data.
const SEEDS: u64 = 10;
/// Number of draws with permuted labels.
const LABEL_DRAWS: u64 = 30;
/// The settings of [`OURS`] that rank the true columns first most often.
const FAVOURABLE: [(&str, &str); 2] = [("d", "1"), ("alpha", "10")];
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

/// Whether the labels matter: draws in which both true columns come first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelCheck {
    /// Number of draws.
    pub draws: u64,
    /// With [`FAVOURABLE`] settings of the paper's method.
    pub labels: usize,
    /// The same with permuted labels.
    pub permuted: usize,
    /// By the variance of the columns between 0 and 1, which ignores labels.
    pub variance: usize,
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
    let method = name.parse::<Method>().map_err(|_| ReproduceError::NoMethod { name: name.to_owned() })?;
    let settings = method.settings(&[]).map_err(|error| ReproduceError::Grid { name: name.to_owned(), error })?;
    let (mut first, mut hits) = (Vec::new(), 0);
    for seed in 0..SEEDS {
        let (data, truth) = toy(seed)?;
        let options = SelectOptions::new(method).settings(settings.clone()).seed(seed);
        let selected = first_two(&data, options, observer)?;
        hits += usize::from(truth.iter().all(|column| selected.contains(column)));
        if let [one, two] = selected.as_slice() {
            first.push((one.clone(), two.clone()));
        }
    }
    Ok(CircleResult { first, hits })
}

fn first_two(
    data: &Dataset,
    options: SelectOptions,
    observer: &mut dyn Observer,
) -> Result<Vec<String>, ReproduceError> {
    let name = options.method.name();
    let fault = |error: rulesieve::select::SelectError| ReproduceError::Data {
        name: format!("{name} on double-circle"),
        error: error.into(),
    };
    Ok(select(data, &options.size(Size::Top(2)), observer).map_err(fault)?.selected)
}

/// Counts the draws in which both true columns come first, with the labels as drawn, with permuted ones, and without.
///
/// # Errors
/// Fails if a fit fails.
pub(crate) fn label_check(observer: &mut dyn Observer) -> Result<LabelCheck, ReproduceError> {
    let set = FAVOURABLE.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Method::LdrTsk.settings(&set);
    let settings = settings.map_err(|error| ReproduceError::Grid { name: OURS.to_owned(), error })?;
    let mut found = LabelCheck { draws: LABEL_DRAWS, labels: 0, permuted: 0, variance: 0 };
    for seed in 0..LABEL_DRAWS {
        let (mut data, truth) = toy(seed)?;
        let ours = || SelectOptions::new(Method::LdrTsk).settings(settings.clone()).seed(seed);
        let mut hit = |data: &Dataset, options| -> Result<usize, ReproduceError> {
            let selected = first_two(data, options, observer)?;
            Ok(usize::from(truth.iter().all(|column| selected.contains(column))))
        };
        found.labels += hit(&data, ours())?;
        found.variance += hit(&data, SelectOptions::new(Method::Variance))?;
        permute(&mut data.target);
        found.permuted += hit(&data, ours())?;
    }
    Ok(found)
}

/// Interleaves the first and the second half of the labels. Classes alternate in the toy data, so the labels are then
/// independent of all columns, and every draw of the columns is another sample of this.
fn permute(target: &mut Target) {
    if let Target::Classes { codes, .. } = target {
        let (old, half) = (codes.clone(), codes.len() / 2);
        codes.iter_mut().enumerate().take(2 * half).for_each(|(row, code)| *code = old[row / 2 + row % 2 * half]);
    }
}

/// Creates the figure of the first draw, and the table of all.
///
/// # Errors
/// Fails if the toy data cannot be generated.
pub(crate) fn blocks(extras: &Extras, order: &[String]) -> Result<Vec<Block>, ReproduceError> {
    let found = &extras.circle;
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
    let mut blocks = vec![
        Block::Figure(Box::new(chart.figure("double-circle", title))),
        Block::Table(Table::new("double-circle", &caption, table)),
    ];
    blocks.extend(extras.labels.as_ref().map(|found| Block::Text(labels_text(found))));
    Ok(blocks)
}

fn labels_text(found: &LabelCheck) -> String {
    let LabelCheck { draws, labels, permuted, variance } = found;
    let set = FAVOURABLE.map(|(name, value)| format!("{name} = {value}")).join(", ");
    format!(
        "With {set}, {OURS} ranks both true columns first in {labels} of {draws} draws, and in {permuted} of {draws} with \
         permuted labels, which are independent of all columns. The labels are not the reason: after min-max scaling \
         the true columns have the largest variance, and ranking by variance alone (`variance`, which ignores labels) \
         puts them first in {variance} of {draws}."
    )
}

fn scatter(data: &Dataset, x: &str, y: &str) -> Scatter {
    let column = |name: &str| {
        let feature = data.features.iter().find(|feature| feature.name == name);
        match feature.map(|feature| &feature.values) {
            Some(FeatureValues::Numeric(values)) => values.clone(),
            _ => Vec::new(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use rulesieve::optim::Silent;

    /// The toy example is no evidence that the method uses the labels.
    #[test]
    fn true_columns_come_first_with_permuted_labels_as_often() {
        let found = label_check(&mut Silent).unwrap();
        let text = labels_text(&found);
        assert!(found.labels >= 20 && found.permuted >= 20 && found.variance >= 20, "{text}");
        assert!(text.contains(&format!("first in {} of 30 draws, and in {} of 30", found.labels, found.permuted)));
        let blocks = blocks(&Extras { labels: Some(found), ..Extras::default() }, &[]).unwrap();
        assert!(matches!(blocks.last(), Some(Block::Text(last)) if *last == text));
    }

    #[test]
    fn permuted_labels_are_balanced_in_every_class() {
        let (mut data, _) = toy(0).unwrap();
        let before = data.target.codes().to_vec();
        permute(&mut data.target);
        let count =
            |both: (u32, u32)| before.iter().zip(data.target.codes()).filter(|(a, b)| (**a, **b) == both).count();
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(count), [100; 4]);
    }
}
