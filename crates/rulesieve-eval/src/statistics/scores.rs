//! Scores of methods on data sets.

use rulesieve::Remedy;

/// One score for each method on each data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    datasets: Vec<String>,
    methods: Vec<String>,
    values: Vec<Vec<f64>>,
}

/// Scores that cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum StatisticsError {
    /// Too little to compare.
    #[error("{found} {what}: comparing needs at least 2")]
    TooFew { what: &'static str, found: usize },
    /// A row of another length than the methods.
    #[error("data set '{dataset}' has {found} scores for {methods} methods")]
    Ragged { dataset: String, found: usize, methods: usize },
    /// A score that is not finite.
    #[error("the score of {method} on data set '{dataset}' is {value}")]
    NotFinite { method: String, dataset: String, value: f64 },
    /// Two methods with the same name.
    #[error("method '{method}' appears twice")]
    Twice { method: String },
    /// A control that is not among the methods.
    #[error("no method '{control}' to compare with; there are {methods}")]
    NoControl { control: String, methods: String },
    /// A significance level out of range.
    #[error("alpha {alpha} is not allowed: it must be from 0.000001 to below 0.5")]
    Alpha { alpha: f64 },
}

impl StatisticsError {
    /// Returns the remedy, if any.
    pub fn remedy(&self) -> Option<Remedy> {
        let without = Remedy::plain("leave that data set or that method out");
        matches!(self, Self::NotFinite { .. }).then_some(without)
    }
}

impl Scores {
    /// Creates a table of scores.
    ///
    /// # Errors
    /// Fails unless there are at least two methods and data sets, and a finite score for each method on each data set.
    pub fn new(datasets: Vec<String>, methods: Vec<String>, values: Vec<Vec<f64>>) -> Result<Self, StatisticsError> {
        let too_few = |what, found| StatisticsError::TooFew { what, found };
        if methods.len() < 2 {
            return Err(too_few("methods", methods.len()));
        }
        if values.len() < 2 || datasets.len() != values.len() {
            return Err(too_few("data sets", values.len().min(datasets.len())));
        }
        let mut seen = std::collections::HashSet::new();
        if let Some(method) = methods.iter().find(|method| !seen.insert(method.as_str())) {
            return Err(StatisticsError::Twice { method: method.clone() });
        }
        for (dataset, row) in datasets.iter().zip(&values) {
            if row.len() != methods.len() {
                let (found, methods) = (row.len(), methods.len());
                return Err(StatisticsError::Ragged { dataset: dataset.clone(), found, methods });
            }
            if let Some(at) = row.iter().position(|value| !value.is_finite()) {
                let (method, dataset) = (methods[at].clone(), dataset.clone());
                return Err(StatisticsError::NotFinite { method, dataset, value: row[at] });
            }
        }
        Ok(Self { datasets, methods, values })
    }

    /// Returns the names of the data sets.
    pub fn datasets(&self) -> &[String] {
        &self.datasets
    }

    /// Returns the names of the methods.
    pub fn methods(&self) -> &[String] {
        &self.methods
    }

    /// Returns the scores, one row per data set.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.values
    }

    /// Returns the scores of one method.
    pub fn of(&self, method: usize) -> Vec<f64> {
        self.values.iter().map(|row| row[method]).collect()
    }

    /// Returns the index of a method.
    ///
    /// # Errors
    /// Fails for an unknown method.
    pub fn find(&self, method: &str) -> Result<usize, StatisticsError> {
        self.methods
            .iter()
            .position(|name| name == method)
            .ok_or_else(|| StatisticsError::NoControl { control: method.to_owned(), methods: self.methods.join(", ") })
    }
}
