//! A builder for selections.

use super::{SelectError, SelectOptions, Selection, Size, select};
use crate::data::Dataset;
use crate::methods::settings::{ParamError, Settings};
use crate::methods::{FitError, Method};
use crate::optim::{Observer, Silent};

/// Selects features: a method, its parameters and the size.
///
/// ```
/// use rulesieve::prelude::*;
///
/// let table = rulesieve::generate::find("xor").unwrap().generate(Some(300), None, 0)?.table;
/// let data = table.into_dataset(Target::named("class"), Missing::Error)?;
/// let selection = Selector::default().top(2).fit(&data)?;
/// assert_eq!(selection.selected.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Selector {
    options: SelectOptions,
    /// Parameters by name, checked with the other options.
    set: Vec<(String, String)>,
}

impl Default for Selector {
    /// The default method.
    fn default() -> Self {
        Self::new(Method::Sieve)
    }
}

impl From<SelectOptions> for Selector {
    fn from(options: SelectOptions) -> Self {
        Self { options, set: Vec::new() }
    }
}

impl Selector {
    /// A method with its default parameters, automatic size, and seed 0.
    pub fn new(method: Method) -> Self {
        SelectOptions::new(method).into()
    }

    /// Selects this number of features.
    pub fn top(self, count: usize) -> Self {
        self.size(Size::Top(count))
    }

    /// Selects this share of all features: above 0, at most 1, rounded down, at least one feature.
    pub fn fraction(self, share: f64) -> Self {
        self.size(Size::Fraction(share))
    }

    /// Sets the number of features.
    pub fn size(self, size: Size) -> Self {
        Self { options: self.options.size(size), ..self }
    }

    /// Sets a parameter of the method; [`MethodInfo::params`](crate::methods::MethodInfo::params) lists them.
    pub fn set(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.set.push((name.into(), value.to_string()));
        self
    }

    /// Gives all classes equal weight, however many rows they have.
    pub fn balance(self, balance: bool) -> Self {
        Self { options: self.options.balance(balance), ..self }
    }

    /// Sets the weight of every row: positive numbers.
    pub fn weights(self, weights: Vec<f64>) -> Self {
        Self { options: self.options.weights(Some(weights)), ..self }
    }

    /// Sets groups of features, by name, that are selected together; sizes then count groups.
    pub fn groups(self, groups: Vec<Vec<String>>) -> Self {
        Self { options: self.options.groups(groups), ..self }
    }

    /// Sets whether the method's tunable parameter is chosen by the validation loss.
    pub fn tune(self, tune: bool) -> Self {
        Self { options: self.options.tune(tune), ..self }
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { options: self.options.seed(seed), ..self }
    }

    /// The checked options.
    ///
    /// # Errors
    /// An unknown parameter, one that is set twice, or a value out of range.
    pub fn options(&self) -> Result<SelectOptions, ParamError> {
        let method = self.options.method;
        let set: Vec<&str> = self.set.iter().map(|(name, _)| name.as_str()).collect();
        let kept = self
            .options
            .settings
            .iter()
            .filter(|(name, _)| !set.iter().any(|set| set.trim().replace('-', "_") == *name));
        let kept = kept.map(|(name, value)| (name.to_owned(), value.to_string()));
        let all: Vec<(String, String)> = kept.chain(self.set.iter().cloned()).collect();
        Ok(self.options.clone().settings(Settings::new(method.name(), method.info().params, all)?))
    }

    /// Selects features from all rows of a data set.
    ///
    /// # Errors
    /// Unknown parameters, invalid sizes, and failed fits.
    pub fn fit(&self, data: &Dataset) -> Result<Selection, SelectError> {
        self.fit_with(data, &mut Silent)
    }

    /// Selects with an observer: progress, interruption, a time budget.
    ///
    /// # Errors
    /// See [`Self::fit`].
    pub fn fit_with(&self, data: &Dataset, observer: &mut dyn Observer) -> Result<Selection, SelectError> {
        select(data, &self.options().map_err(FitError::from)?, observer)
    }
}
