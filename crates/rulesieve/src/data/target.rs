//! The label column: classes in a fixed order, and a code for every row.

use super::DataError;
use super::names::short;
use super::table::{Column, ColumnData, format_number, is_missing_label};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is to be learned about the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Its class.
    #[default]
    Classification,
    /// Its number.
    Regression,
}

/// The classes, or the numbers, of a target column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Target {
    /// Name of the column.
    pub name: String,
    /// The classes: numbers ascending, texts in alphabetical order. Their place is their code.
    pub classes: Vec<String>,
    /// The class of every row.
    pub codes: Vec<u32>,
    /// The number of every row of a regression target, which has no classes.
    pub numbers: Option<Vec<f64>>,
}

/// Numeric targets with more distinct values than this may be measurements rather than classes.
pub(crate) const MANY_CLASSES: usize = 20;

impl Target {
    /// Reads numbers from a column.
    pub(super) fn regression(column: &Column) -> Result<Self, DataError> {
        let name = column.name.clone();
        let ColumnData::Numeric(values) = &column.data else { return Err(DataError::NumbersOfText { target: name }) };
        check_labels(&name, values)?;
        if values.iter().all(|value| *value == values[0]) {
            return Err(DataError::ConstantTarget { target: name, value: format_number(values[0]) });
        }
        Ok(Self { name, numbers: Some(values.clone()), ..Self::default() })
    }

    /// The same target for some rows; classes keep their codes, also those that do not occur.
    pub fn rows_of(&self, rows: &[usize]) -> Self {
        Self {
            name: self.name.clone(),
            classes: self.classes.clone(),
            codes: if self.numbers.is_some() { Vec::new() } else { rows.iter().map(|&row| self.codes[row]).collect() },
            numbers: self.numbers.as_ref().map(|numbers| rows.iter().map(|&row| numbers[row]).collect()),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.numbers.as_ref().map_or(self.codes.len(), Vec::len)
    }

    /// What is to be learned.
    pub fn task(&self) -> Task {
        if self.numbers.is_some() { Task::Regression } else { Task::Classification }
    }

    /// Reads classes from a column; `bins` cuts a numeric one at its quantiles instead.
    pub(super) fn new(column: &Column, bins: Option<usize>) -> Result<Self, DataError> {
        let name = column.name.clone();
        let target = match (&column.data, bins) {
            (ColumnData::Numeric(values), Some(bins)) => {
                check_labels(&name, values)?;
                binned(name, values, bins)?
            }
            (ColumnData::Numeric(values), None) => {
                check_labels(&name, values)?;
                numeric(name, values)?
            }
            (ColumnData::Text(_), Some(_)) => return Err(DataError::BinsOfText { target: name }),
            (ColumnData::Text(text), None) => {
                if let Some(row) = (0..column.len()).find(|&row| is_missing_label(text.get(row))) {
                    return Err(DataError::MissingLabel { target: name, row: row + 1 });
                }
                coded(name, (0..column.len()).map(|row| text.get(row)))
            }
        };
        target.check_counts()
    }

    /// Classes that a caller vouches for, however few rows each has; the column holds their places, from 0.
    pub(super) fn of_places(column: &Column, classes: &[String]) -> Result<Self, DataError> {
        let name = column.name.clone();
        if let [class] = classes {
            return Err(DataError::SingleClass { target: name, class: short(class) });
        }
        let ColumnData::Numeric(places) = &column.data else { return Err(DataError::NumbersOfText { target: name }) };
        let code = |(row, place): (usize, &f64)| match (place.fract() == 0.0).then_some(*place as usize) {
            Some(code) if code < classes.len() && *place >= 0.0 => Ok(code as u32),
            _ => Err(DataError::NoSuchClass {
                target: name.clone(),
                row: row + 1,
                place: *place,
                classes: classes.len(),
            }),
        };
        let codes = places.iter().enumerate().map(code).collect::<Result<_, _>>()?;
        Ok(Self { name, classes: classes.to_vec(), codes, numbers: None })
    }

    /// Number of rows of each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    fn check_counts(self) -> Result<Self, DataError> {
        if self.classes.len() < 2 {
            let class = self.classes.first().map(|class| short(class)).unwrap_or_default();
            return Err(DataError::SingleClass { target: self.name, class });
        }
        let counts = self.counts();
        match counts.iter().position(|&count| count < 2) {
            Some(lonely) => Err(DataError::LonelyClass { target: self.name, class: short(&self.classes[lonely]) }),
            _ => Ok(self),
        }
    }

    /// The classes that still occur among some rows, with codes closed up.
    pub(super) fn restricted(&self, rows: &[usize]) -> Result<Self, DataError> {
        let labels = rows.iter().map(|&row| self.codes[row]);
        let mut present: Vec<u32> = labels.clone().collect();
        present.sort_unstable();
        present.dedup();
        let codes = labels.map(|code| present.partition_point(|&other| other < code) as u32).collect();
        let classes = present.iter().map(|&code| self.classes[code as usize].clone()).collect();
        Self { name: self.name.clone(), classes, codes, numbers: None }.check_counts()
    }
}

fn check_labels(name: &str, values: &[f64]) -> Result<(), DataError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(row) if values[row].is_nan() => Err(DataError::MissingLabel { target: name.to_owned(), row: row + 1 }),
        Some(row) => {
            Err(DataError::NotFinite { column: name.to_owned(), row: row + 1, value: values[row].to_string() })
        }
        None => Ok(()),
    }
}

fn numeric(name: String, values: &[f64]) -> Result<Target, DataError> {
    let mut distinct = values.to_vec();
    distinct.sort_by(f64::total_cmp);
    // Zero and minus zero are one class.
    distinct.dedup_by(|a, b| a == b);
    let fractions = distinct.iter().any(|value| value.fract() != 0.0);
    let many = distinct.len() > MANY_CLASSES;
    if many && (fractions || distinct.len() * 3 > values.len()) {
        return Err(DataError::Continuous { target: name, distinct: distinct.len(), rows: values.len() });
    }
    let codes = values.iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect();
    Ok(Target { name, classes: distinct.into_iter().map(format_number).collect(), codes, numbers: None })
}

fn binned(name: String, values: &[f64], bins: usize) -> Result<Target, DataError> {
    if !(2..=100).contains(&bins) {
        return Err(DataError::Bins { bins });
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut cuts: Vec<f64> = (1..bins).map(|bin| sorted[bin * sorted.len() / bins]).collect();
    cuts.dedup();
    let codes: Vec<u32> = values.iter().map(|value| cuts.partition_point(|cut| cut <= value) as u32).collect();
    let text = |cut: f64| format_number(cut);
    let classes = (0..=cuts.len()).map(|bin| match (bin.checked_sub(1).map(|b| cuts[b]), cuts.get(bin)) {
        (None, Some(&high)) => format!("below {}", text(high)),
        (Some(low), Some(&high)) => format!("{} to below {}", text(low), text(high)),
        (Some(low), None) => format!("{} and above", text(low)),
        (None, None) => "all".to_owned(),
    });
    let all = Target { name, classes: classes.collect(), codes, numbers: None };
    let rows: Vec<usize> = (0..values.len()).collect();
    all.restricted(&rows)
}

fn coded<'a>(name: String, labels: impl Iterator<Item = &'a str> + Clone) -> Target {
    let mut order: BTreeMap<&str, u32> = labels.clone().map(|label| (label, 0)).collect();
    order.values_mut().zip(0..).for_each(|(code, place)| *code = place);
    let codes = labels.map(|label| order[label]).collect();
    Target { name, classes: order.into_keys().map(str::to_owned).collect(), codes, numbers: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cells: &[&str]) -> Result<Target, DataError> {
        Target::new(&Column::text("t", cells), None)
    }

    fn numbers(values: Vec<f64>, bins: Option<usize>) -> Result<Target, DataError> {
        Target::new(&Column::numeric("t", values), bins)
    }

    #[test]
    fn classes_do_not_depend_on_the_order_of_rows() {
        let target = texts(&["b", "NA", "b", "é", "NA", "é"]).unwrap();
        assert_eq!((target.classes, target.codes), (vec!["NA".into(), "b".into(), "é".into()], vec![1, 0, 1, 2, 0, 2]));
        let target = numbers(vec![900.0, 7.0, -1.0, 7.0, 900.0, -1.0], None).unwrap();
        assert_eq!(
            (target.classes, target.codes),
            (vec!["-1".into(), "7".into(), "900".into()], vec![2, 1, 0, 1, 2, 0])
        );
    }

    #[test]
    fn refusals_name_the_class_or_the_row() {
        assert_eq!(texts(&["a", "a"]), Err(DataError::SingleClass { target: "t".into(), class: "a".into() }));
        assert_eq!(texts(&["a", "a", "b"]), Err(DataError::LonelyClass { target: "t".into(), class: "b".into() }));
        assert_eq!(texts(&["a", "", "b"]), Err(DataError::MissingLabel { target: "t".into(), row: 2 }));
        assert_eq!(numbers(vec![1.0, f64::NAN], None), Err(DataError::MissingLabel { target: "t".into(), row: 2 }));
        let measured: Vec<f64> = (0..100).map(|i| f64::from(i) / 7.0).collect();
        assert!(matches!(numbers(measured.clone(), None), Err(DataError::Continuous { distinct: 100, rows: 100, .. })));
        let own_class: Vec<f64> = (0..30).map(f64::from).collect();
        assert!(matches!(numbers(own_class, None), Err(DataError::Continuous { .. })));
        let halves = numbers(measured, Some(2)).unwrap();
        assert_eq!(halves.counts(), [50, 50]);
        assert_eq!(halves.classes, ["below 7.142857142857143", "7.142857142857143 and above"]);
    }

    #[test]
    fn places_are_classes_whatever_their_counts() {
        let classes: Vec<String> = (0..30).map(|class| format!("class {class}")).collect();
        let of =
            |places: &[f64], classes: &[String]| Target::of_places(&Column::numeric("t", places.to_vec()), classes);
        let target = of(&[3.0, 29.0, 3.0], &classes).unwrap();
        assert_eq!((target.classes.len(), target.codes), (30, vec![3, 29, 3]));
        for wrong in [30.0, -1.0, 0.5, f64::NAN] {
            assert!(of(&[0.0, wrong], &classes).unwrap_err().to_string().contains("data row 2"), "{wrong}");
        }
        assert!(matches!(of(&[0.0], &classes[..1]), Err(DataError::SingleClass { .. })));
    }

    #[test]
    fn bins_of_many_equal_values_merge() {
        let target = numbers(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0], Some(4)).unwrap();
        assert_eq!(target.counts(), [6, 2]);
    }
}
