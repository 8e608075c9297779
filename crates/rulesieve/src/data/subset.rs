//! Restriction of a data set to some rows.

use super::DataError;
use super::dataset::{Dataset, Feature, FeatureValues, MISSING};
use super::names::short;
use super::suspicion;
use super::table::format_number;
use super::target::Target;

impl Dataset {
    /// The data set of a table with these rows alone: nothing in it depends on the other rows.
    ///
    /// Classes keep their codes, also those without rows. Categories without rows and features without values are
    /// removed; data problems (constant, equal and suspicious features) are determined from these rows. There are no
    /// warnings.
    ///
    /// # Errors
    /// No rows, a single class, a constant target, or only constant features.
    ///
    /// # Panics
    /// If a row is out of range.
    pub fn subset(&self, rows: &[usize]) -> Result<Self, DataError> {
        if rows.is_empty() {
            return Err(DataError::NoRows);
        }
        let target = self.target.rows_of(rows);
        check_variation(&target)?;
        let subsets = self.features.iter().map(|feature| feature.rows_of(rows).without_unused_levels());
        let (left, features): (Vec<usize>, Vec<Feature>) =
            subsets.enumerate().filter(|(_, feature)| feature.values.missing() < rows.len()).unzip();
        if features.is_empty() {
            return Err(DataError::NothingVaries);
        }
        let mut suspicions = suspicion::inspect(&features, &target, self.missing, None)?;
        // Declared categorical features are no data problem, and only the whole table records the declaration.
        suspicions.mostly_numbers.retain(|&at| self.suspicions.mostly_numbers.binary_search(&left[at]).is_ok());
        let (missing, coding, excluded) = (self.missing, self.coding, self.excluded.clone());
        let include = self.include.iter().filter_map(|at| left.binary_search(at).ok()).collect();
        let (inferred, used_rows, dates) = (self.inferred.clone(), None, self.dates.clone());
        let reading = self.reading.clone();
        Ok(Self {
            features,
            target,
            inferred,
            used_rows,
            missing,
            coding,
            suspicions,
            excluded,
            include,
            dates,
            reading,
            warnings: Vec::new(),
        })
    }
}

/// Rejects a target with a single class or value.
fn check_variation(target: &Target) -> Result<(), DataError> {
    match target {
        Target::Numbers { name, values } if values.iter().all(|value| *value == values[0]) => {
            Err(DataError::ConstantTarget { target: name.clone(), value: format_number(values[0]) })
        }
        Target::Classes { name, classes, codes, .. } if codes.iter().all(|code| *code == codes[0]) => {
            Err(DataError::SingleClass { target: name.clone(), class: short(&classes[codes[0] as usize]) })
        }
        _ => Ok(()),
    }
}

impl Feature {
    /// The feature for some rows; categories keep their codes.
    pub(crate) fn rows_of(&self, rows: &[usize]) -> Self {
        let values = match &self.values {
            FeatureValues::Numeric(values) => FeatureValues::Numeric(rows.iter().map(|&row| values[row]).collect()),
            FeatureValues::Categorical { levels, codes } => FeatureValues::Categorical {
                levels: levels.clone(),
                codes: rows.iter().map(|&row| codes[row]).collect(),
            },
        };
        Self { name: self.name.clone(), values }
    }

    fn without_unused_levels(self) -> Self {
        let FeatureValues::Categorical { levels, codes } = self.values else { return self };
        let mut used = vec![false; levels.len()];
        codes.iter().filter(|&&code| code != MISSING).for_each(|&code| used[code as usize] = true);
        let mut code_of = vec![MISSING; levels.len()];
        let mut kept = Vec::new();
        for (at, level) in levels.into_iter().enumerate().filter(|(at, _)| used[*at]) {
            code_of[at] = kept.len() as u32;
            kept.push(level);
        }
        let codes = codes.iter().map(|&code| code_of.get(code as usize).copied().unwrap_or(MISSING)).collect();
        Self { name: self.name, values: FeatureValues::Categorical { levels: kept, codes } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, DatasetOptions, Missing, Table};

    fn data() -> Dataset {
        let numbers = |name: &str, values: &[f64]| Column::numeric(name, values.to_vec());
        let table = Table::new(vec![
            numbers("a", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            numbers("b", &[1.0, 2.0, 3.0, 4.0, 0.0, 9.0]),
            numbers("late", &[f64::NAN, f64::NAN, f64::NAN, f64::NAN, 1.0, 2.0]),
            Column::text("kind", ["u", "w", "u", "w", "v", "v"]),
            numbers("same", &[7.0, 7.0, 7.0, 7.0, 8.0, 7.0]),
            Column::text("t", ["x", "y", "x", "y", "z", "z"]),
        ]);
        let options = DatasetOptions { target: Target::named("t"), missing: Missing::Median, ..Default::default() };
        Dataset::new(table.unwrap(), &options).unwrap()
    }

    #[test]
    fn nothing_of_a_subset_depends_on_the_other_rows() {
        let found = data().subset(&[3, 0, 1, 2]).unwrap();
        let names: Vec<&str> = found.features.iter().map(|feature| feature.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "kind", "same"], "the column without a value is left out");
        assert_eq!(found.suspicions.constant, [3]);
        assert_eq!(found.suspicions.duplicates, [[0, 1]], "equal in these rows");
        let FeatureValues::Categorical { levels, codes } = &found.features[2].values else { panic!("categories") };
        assert_eq!((levels.as_slice(), codes.as_slice()), (&["u".to_owned(), "w".to_owned()][..], &[1, 0, 1, 0][..]));
        assert_eq!((found.target.classes().len(), found.target.codes()), (3, &[1, 0, 1, 0][..]));
    }

    #[test]
    fn constant_subsets_are_rejected() {
        assert!(matches!(data().subset(&[]), Err(DataError::NoRows)));
        assert!(matches!(data().subset(&[0, 2]), Err(DataError::SingleClass { .. })));
        let numbers = Target::Numbers { name: "t".into(), values: vec![2.0, 2.0] };
        assert!(matches!(check_variation(&numbers), Err(DataError::ConstantTarget { .. })));
    }
}
