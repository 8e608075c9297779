//! A builder for models.

use super::predict::Predictor;
use super::train::{Chosen, TrainError, TrainOptions, train_on};
use crate::data::Dataset;
use crate::methods::FitError;
use crate::optim::{Halt, Observer, Silent};
use crate::select::Selection;

/// Trains a fuzzy rule model on the columns of a selection or on all columns.
///
/// ```
/// use rulesieve::prelude::*;
///
/// let table = rulesieve::generate::find("xor").unwrap().generate(Some(300), Some(4), 0)?.table;
/// let data = table.into_dataset(Target::named("class"), Missing::Error)?;
/// let selection = Selector::new(Method::Sieve).top(2).fit(&data)?;
/// let model = selection.trainer().rules(4).set("steps", 60).fit(&data)?;
/// println!("{}", model.explain());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trainer {
    selection: Option<Selection>,
    options: TrainOptions,
    /// Parameters by name, checked with the other options.
    set: Vec<(String, String)>,
}

impl Selection {
    /// A trainer on the selected columns, with the seed and the class weights of the selection.
    pub fn trainer(&self) -> Trainer {
        let options = TrainOptions::new().balanced(self.is_balanced()).seed(self.seed);
        Trainer { selection: Some(self.clone()), options, set: Vec::new() }
    }
}

impl Trainer {
    /// A trainer on all columns, with defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trains this number of rules instead of choosing it on validation rows.
    pub fn rules(self, rules: usize) -> Self {
        self.set("rules", rules)
    }

    /// Sets a parameter of the training.
    pub fn set(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.set.push((name.into(), value.to_string()));
        self
    }

    /// Gives all classes equal weight, however many rows they have.
    pub fn balance(self, balance: bool) -> Self {
        Self { options: self.options.balanced(balance), ..self }
    }

    /// Sets the weight of every row: positive numbers.
    pub fn weights(self, weights: Vec<f64>) -> Self {
        Self { options: self.options.weights(Some(weights)), ..self }
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { options: self.options.seed(seed), ..self }
    }

    /// The checked options.
    ///
    /// # Errors
    /// An unknown parameter, one that is set twice, or a value out of range.
    pub fn options(&self) -> Result<TrainOptions, TrainError> {
        Ok(self.options.clone().set(self.set.iter().map(|(name, value)| (name, value))).map_err(FitError::from)?)
    }

    /// Trains on all rows of a data set.
    ///
    /// # Errors
    /// Columns that the data does not have, parameters out of range, and training that fails.
    pub fn fit(&self, data: &Dataset) -> Result<Predictor, TrainError> {
        Ok(self.fit_with(data, &mut Silent)?.0)
    }

    /// Trains with an observer; also returns the reason if it ended the training.
    ///
    /// # Errors
    /// See [`Self::fit`].
    pub fn fit_with(
        &self,
        data: &Dataset,
        observer: &mut dyn Observer,
    ) -> Result<(Predictor, Option<Halt>), TrainError> {
        let chosen = match &self.selection {
            Some(selection) => Chosen::of(selection, data)?,
            None => Chosen::all(data),
        };
        train_on(data, chosen, &self.options()?, observer)
    }
}
