//! The target: classes with a code for every row, or numbers.

use super::encoder::MAX_LEVELS;
use super::inferred_task::{InferredTask, MANY_CLASSES, infer};
use super::names::short;
use super::table::{Column, ColumnData, format_number, is_missing_label};
use super::{DataError, TargetColumn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Classification or regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Predict a class.
    #[default]
    Classification,
    /// Predict a number.
    Regression,
}

/// The validated target.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Classes.
    Classes {
        /// Name of the column.
        name: String,
        /// The classes: numbers ascending, texts in alphabetical order. Codes are indices into them.
        classes: Vec<String>,
        /// The class of every row.
        codes: Vec<u32>,
        /// Rank of every class, from 0, in the order in which the classes first appear in the used rows of the table. Also
        /// in subsets, it is that of the whole table. Known classes without rows follow in the order of their codes.
        appearance: Vec<u32>,
    },
    /// Numbers, for regression.
    Numbers {
        /// Name of the column.
        name: String,
        /// The value of every row.
        values: Vec<f64>,
    },
}

impl Target {
    /// Describes the target of a table: the column of this name (or number, counted from 1, or `last`), with the task
    /// inferred from its values.
    pub fn named(column: impl Into<String>) -> TargetColumn {
        TargetColumn { column: Some(column.into()), ..TargetColumn::default() }
    }

    /// Reads a column as described, and returns the task if it was inferred from numbers.
    pub(super) fn read(column: &Column, wanted: &TargetColumn) -> Result<(Self, Option<InferredTask>), DataError> {
        let target = match (wanted.task, wanted.bins) {
            (Some(Task::Regression), Some(_)) => Err(DataError::BinsOfRegression),
            (Some(Task::Regression), None) => Self::regression(column),
            (_, None) if !wanted.classes.is_empty() => Self::of_indices(column, &wanted.classes),
            (None, None) => return Self::inferred(column),
            (_, bins) => Self::classification(column, bins),
        };
        Ok((target?, None))
    }

    /// Reads a column with the task that its values suggest.
    fn inferred(column: &Column) -> Result<(Self, Option<InferredTask>), DataError> {
        let (ColumnData::Numeric(values) | ColumnData::Dates(values)) = &column.data else {
            return Ok((Self::classification(column, None)?, None));
        };
        check_labels(&column.name, values)?;
        let task = InferredTask::new(&column.name, infer(values));
        let target = match task.task() {
            Task::Classification => Self::classification(column, None),
            Task::Regression => Self::regression(column),
        };
        Ok((target?, Some(task)))
    }

    /// Reads numbers from a column.
    fn regression(column: &Column) -> Result<Self, DataError> {
        let name = column.name.clone();
        let ColumnData::Numeric(values) = &column.data else { return Err(DataError::NumbersOfText { target: name }) };
        check_labels(&name, values)?;
        if values.iter().all(|value| *value == values[0]) {
            return Err(DataError::ConstantTarget { target: name, value: format_number(values[0]) });
        }
        Ok(Self::Numbers { name, values: values.clone() })
    }

    /// Name of the column.
    pub fn name(&self) -> &str {
        match self {
            Self::Classes { name, .. } | Self::Numbers { name, .. } => name,
        }
    }

    /// The task.
    pub fn task(&self) -> Task {
        match self {
            Self::Classes { .. } => Task::Classification,
            Self::Numbers { .. } => Task::Regression,
        }
    }

    /// Names of the classes, in the order of their codes; none for numbers.
    pub fn classes(&self) -> &[String] {
        match self {
            Self::Classes { classes, .. } => classes,
            Self::Numbers { .. } => &[],
        }
    }

    /// The code of every row; empty for numbers.
    pub fn codes(&self) -> &[u32] {
        match self {
            Self::Classes { codes, .. } => codes,
            Self::Numbers { .. } => &[],
        }
    }

    /// The rank of every row's class in the order of first appearance, see [`Target::Classes`]; empty for numbers.
    pub(crate) fn codes_by_appearance(&self) -> Vec<u32> {
        match self {
            Self::Classes { codes, appearance, .. } => codes.iter().map(|&code| appearance[code as usize]).collect(),
            Self::Numbers { .. } => Vec::new(),
        }
    }

    /// Classes that appear in the order of these codes.
    pub(crate) fn coded(name: String, classes: Vec<String>, codes: Vec<u32>) -> Self {
        let appearance = order_of_appearance(&codes, classes.len());
        Self::Classes { name, classes, codes, appearance }
    }

    /// The values of a regression target.
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Classes { .. } => None,
            Self::Numbers { values, .. } => Some(values),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes { codes, .. } => codes.len(),
            Self::Numbers { values, .. } => values.len(),
        }
    }

    /// The target of some rows; classes keep their codes and order of appearance, also those that do not occur.
    pub fn rows_of(&self, rows: &[usize]) -> Self {
        match self {
            Self::Classes { name, classes, codes, appearance } => Self::Classes {
                name: name.clone(),
                classes: classes.clone(),
                codes: rows.iter().map(|&row| codes[row]).collect(),
                appearance: appearance.clone(),
            },
            Self::Numbers { name, values } => {
                Self::Numbers { name: name.clone(), values: rows.iter().map(|&row| values[row]).collect() }
            }
        }
    }

    /// Reads classes from a column; `bins` cuts a numeric one at its quantiles.
    fn classification(column: &Column, bins: Option<usize>) -> Result<Self, DataError> {
        let name = column.name.clone();
        let target = match (&column.data, bins) {
            (ColumnData::Numeric(values) | ColumnData::Dates(values), Some(bins)) => {
                check_labels(&name, values)?;
                binned(name, values, bins)
            }
            (ColumnData::Numeric(values) | ColumnData::Dates(values), None) => {
                check_labels(&name, values)?;
                numeric(name, values)
            }
            (ColumnData::Text(_), Some(_)) => Err(DataError::BinsOfText { target: name }),
            (ColumnData::Text(text), None) => {
                if let Some(row) = (0..column.len()).find(|&row| is_missing_label(text.get(row))) {
                    return Err(DataError::MissingLabel { target: name, row: (row + 1).into() });
                }
                Ok(coded(name, (0..column.len()).map(|row| text.get(row))))
            }
        }?;
        target.check_counts()?;
        Ok(target)
    }

    /// Known classes, of any number of rows; the column holds their indices from 0.
    fn of_indices(column: &Column, classes: &[String]) -> Result<Self, DataError> {
        let name = column.name.clone();
        if let [class] = classes {
            return Err(DataError::SingleClass { target: name, class: short(class) });
        }
        let ColumnData::Numeric(indices) = &column.data else { return Err(DataError::NumbersOfText { target: name }) };
        let code = |(row, index): (usize, &f64)| match (index.fract() == 0.0).then_some(*index as usize) {
            Some(code) if code < classes.len() && *index >= 0.0 => Ok(code as u32),
            _ => Err(DataError::NoSuchClass {
                target: name.clone(),
                row: (row + 1).into(),
                index: *index,
                classes: classes.len(),
            }),
        };
        let codes = indices.iter().enumerate().map(code).collect::<Result<_, _>>()?;
        Ok(Self::coded(name, classes.to_vec(), codes))
    }

    /// Number of rows of each class; empty for numbers.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes().len()];
        self.codes().iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    fn check_counts(&self) -> Result<(), DataError> {
        let classes = self.classes();
        if classes.len() < 2 {
            let class = classes.first().map(|class| short(class)).unwrap_or_default();
            return Err(DataError::SingleClass { target: self.name().to_owned(), class });
        }
        Ok(())
    }

    /// Rejects more classes than methods can learn: their memory grows with the number of classes times that of rows.
    pub(super) fn check_class_limit(&self) -> Result<(), DataError> {
        let (target, classes) = (self.name().to_owned(), self.classes().len());
        if classes <= MAX_LEVELS {
            return Ok(());
        }
        Err(DataError::TooManyClasses { target, classes, rows: self.rows(), limit: MAX_LEVELS })
    }

    /// Removes the classes with a single row, which cannot be both learned and tested. Returns them, and the rows that
    /// are left.
    ///
    /// # Errors
    /// Fewer than two classes are left.
    pub(super) fn drop_single_rows(&mut self) -> Result<(Vec<String>, Vec<usize>), DataError> {
        let counts = self.counts();
        let Self::Classes { name, classes, codes, appearance: order } = self else {
            return Ok((Vec::new(), Vec::new()));
        };
        let rows: Vec<usize> = (0..codes.len()).filter(|&row| counts[codes[row] as usize] != 1).collect();
        if rows.len() == codes.len() {
            return Ok((Vec::new(), rows));
        }
        let (single, left): (Vec<usize>, Vec<usize>) = (0..classes.len()).partition(|&class| counts[class] == 1);
        if left.is_empty() {
            return Err(DataError::NoClassRepeats { target: name.clone(), classes: single.len() });
        }
        *codes = rows.iter().map(|&row| left.partition_point(|&class| class < codes[row] as usize) as u32).collect();
        let gone = single.iter().map(|&class| classes[class].clone()).collect();
        *classes = left.iter().map(|&class| classes[class].clone()).collect();
        *order = order_of_appearance(codes, classes.len());
        self.check_counts()?;
        Ok((gone, rows))
    }
}

fn check_labels(name: &str, values: &[f64]) -> Result<(), DataError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(row) if values[row].is_nan() => {
            Err(DataError::MissingLabel { target: name.to_owned(), row: (row + 1).into() })
        }
        Some(row) => {
            Err(DataError::NotFinite { column: name.to_owned(), row: (row + 1).into(), value: values[row].to_string() })
        }
        None => Ok(()),
    }
}

fn numeric(name: String, values: &[f64]) -> Result<Target, DataError> {
    let mut distinct = values.to_vec();
    distinct.sort_by(f64::total_cmp);
    // Zero and minus zero are one class.
    distinct.dedup_by(|a, b| a == b);
    if distinct.len() > MANY_CLASSES && distinct.len() * 3 > values.len() {
        return Err(DataError::Continuous { target: name, distinct: distinct.len(), rows: values.len() });
    }
    let codes = values.iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect();
    Ok(Target::coded(name, distinct.into_iter().map(format_number).collect(), codes))
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
    let classes: Vec<String> = classes.collect();
    // Empty bins are removed.
    let mut present = codes.clone();
    present.sort_unstable();
    present.dedup();
    let codes = codes.into_iter().map(|code| present.partition_point(|&other| other < code) as u32).collect();
    Ok(Target::coded(name, present.iter().map(|&bin| classes[bin as usize].clone()).collect(), codes))
}

fn coded<'a>(name: String, labels: impl Iterator<Item = &'a str> + Clone) -> Target {
    let mut order: BTreeMap<&str, u32> = labels.clone().map(|label| (label, 0)).collect();
    order.values_mut().zip(0..).for_each(|(code, index)| *code = index);
    let codes = labels.map(|label| order[label]).collect();
    Target::coded(name, order.into_keys().map(str::to_owned).collect(), codes)
}

/// The rank of every class in the order of first appearance; classes without rows follow in the order of their codes.
fn order_of_appearance(codes: &[u32], classes: usize) -> Vec<u32> {
    let mut first = vec![codes.len(); classes];
    codes.iter().enumerate().rev().for_each(|(row, &code)| first[code as usize] = row);
    let mut order: Vec<usize> = (0..classes).collect();
    order.sort_by_key(|&class| first[class]);
    let mut appearance = vec![0; classes];
    order.into_iter().zip(0..).for_each(|(class, rank)| appearance[class] = rank);
    appearance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cells: &[&str]) -> Result<Target, DataError> {
        Target::classification(&Column::text("t", cells), None)
    }

    fn numbers(values: Vec<f64>, bins: Option<usize>) -> Result<Target, DataError> {
        Target::classification(&Column::numeric("t", values), bins)
    }

    #[test]
    fn classes_do_not_depend_on_the_order_of_rows() {
        let target = texts(&["b", "NA", "b", "é", "NA", "é"]).unwrap();
        assert_eq!(
            (target.classes(), target.codes()),
            (&["NA".into(), "b".into(), "é".into()][..], &[1, 0, 1, 2, 0, 2][..])
        );
        let target = numbers(vec![900.0, 7.0, -1.0, 7.0, 900.0, -1.0], None).unwrap();
        assert_eq!(
            (target.classes(), target.codes()),
            (&["-1".into(), "7".into(), "900".into()][..], &[2, 1, 0, 1, 2, 0][..])
        );
    }

    #[test]
    fn ranks_by_appearance_follow_the_rows_of_the_whole_table() {
        let order = |target: &Target| match target {
            Target::Classes { appearance, .. } => appearance.clone(),
            Target::Numbers { .. } => Vec::new(),
        };
        let target = texts(&["v", "b", "v", "a", "b", "a", "once"]).unwrap();
        assert_eq!((order(&target), target.codes_by_appearance()), (vec![2, 1, 3, 0], vec![0, 1, 0, 2, 1, 2, 3]));
        let mut left = target.clone();
        left.drop_single_rows().unwrap();
        assert_eq!(order(&left), [2, 1, 0], "a, b, v");
        let part = target.rows_of(&[5, 4, 2]);
        assert_eq!((order(&part), part.codes_by_appearance()), (order(&target), vec![2, 1, 0]));
        assert_eq!(numbers(vec![9.0, 1.0, 5.0, 1.0], None).unwrap().codes_by_appearance(), [0, 1, 2, 1]);
        assert_eq!(order(&numbers(vec![8.0, 0.0, 9.0, 1.0], Some(2)).unwrap()), [1, 0]);
        let known: Vec<String> = ["w", "x", "y", "z"].map(str::to_owned).to_vec();
        let indices = Column::numeric("t", vec![2.0, 0.0, 2.0]);
        assert_eq!(order(&Target::of_indices(&indices, &known).unwrap()), [1, 2, 0, 3]);
        assert!(Target::Numbers { name: "t".into(), values: vec![1.0] }.codes_by_appearance().is_empty());
    }

    #[test]
    fn errors_name_the_class_or_the_row() {
        assert_eq!(texts(&["a", "a"]), Err(DataError::SingleClass { target: "t".into(), class: "a".into() }));
        assert_eq!(texts(&["a", "", "b"]), Err(DataError::MissingLabel { target: "t".into(), row: 2.into() }));
        assert_eq!(
            numbers(vec![1.0, f64::NAN], None),
            Err(DataError::MissingLabel { target: "t".into(), row: 2.into() })
        );
        let measured: Vec<f64> = (0..100).map(|i| f64::from(i) / 7.0).collect();
        assert!(matches!(numbers(measured.clone(), None), Err(DataError::Continuous { distinct: 100, rows: 100, .. })));
        let own_class: Vec<f64> = (0..30).map(f64::from).collect();
        assert!(matches!(numbers(own_class, None), Err(DataError::Continuous { .. })));
        let halves = numbers(measured, Some(2)).unwrap();
        assert_eq!(halves.counts(), [50, 50]);
        assert_eq!(halves.classes(), ["below 7.142857142857143", "7.142857142857143 and above"]);
    }

    #[test]
    fn known_classes_may_have_any_number_of_rows() {
        let classes: Vec<String> = (0..30).map(|class| format!("class {class}")).collect();
        let of =
            |indices: &[f64], classes: &[String]| Target::of_indices(&Column::numeric("t", indices.to_vec()), classes);
        let target = of(&[3.0, 29.0, 3.0], &classes).unwrap();
        assert_eq!((target.classes().len(), target.codes()), (30, &[3, 29, 3][..]));
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
