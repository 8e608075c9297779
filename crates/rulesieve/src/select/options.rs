//! Options of a selection.

use super::Size;
use crate::data::Task;
use crate::methods::settings::{ParamValue, Settings};
use crate::methods::{FitError, Method};
use std::borrow::Cow;

/// The parameter of class weights, and its value for balanced classes.
pub(super) const BALANCE: (&str, ParamValue) = ("weights", ParamValue::Word("balanced"));

/// Options of a selection. [`Selector`](super::Selector) builds them from parameters by name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SelectOptions {
    /// The method.
    pub method: Method,
    /// Its parameters.
    pub settings: Settings,
    /// How many features to keep.
    pub size: Size,
    /// Whether classes have equal weight, however many rows they have.
    pub balance: bool,
    /// Weight of every row; equal weights if absent.
    pub weights: Option<Vec<f64>>,
    /// Groups of features, by name, that are selected together; sizes then count groups.
    pub groups: Vec<Vec<String>>,
    /// Whether the method's tunable parameter is chosen by the validation loss.
    pub tune: bool,
    /// Random seed.
    pub seed: u64,
}

impl SelectOptions {
    /// A method with its default parameters, automatic size, and seed 0.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            settings: Settings::defaults(method.info().params),
            size: Size::Auto,
            balance: false,
            weights: None,
            groups: Vec::new(),
            tune: false,
            seed: 0,
        }
    }

    /// Sets the parameters of the method.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Sets the number of features.
    pub fn size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    /// Gives all classes equal weight, however many rows they have.
    pub fn balance(self, balance: bool) -> Self {
        Self { balance, ..self }
    }

    /// Sets the weight of every row.
    pub fn weights(self, weights: Option<Vec<f64>>) -> Self {
        Self { weights, ..self }
    }

    /// Sets groups of features, by name, that are selected together; sizes then count groups.
    pub fn groups(self, groups: Vec<Vec<String>>) -> Self {
        Self { groups, ..self }
    }

    /// Sets whether the method's tunable parameter is chosen by the validation loss.
    pub fn tune(self, tune: bool) -> Self {
        Self { tune, ..self }
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Whether classes have equal weight, by this option or by the parameter of the method.
    pub fn is_balanced(&self) -> bool {
        self.balance || self.settings.iter().any(|set| set == BALANCE)
    }

    /// Checks that the method supports balanced classes.
    ///
    /// # Errors
    /// [`FitError::NoBalance`] if it does not.
    pub fn check_balance(&self) -> Result<(), FitError> {
        let can = self.method.info().params.iter().any(|spec| spec.name == BALANCE.0);
        if self.balance && !can { Err(FitError::NoBalance { method: self.method.name() }) } else { Ok(()) }
    }

    /// The options with the class weights among the parameters of the method.
    pub(crate) fn with_balance(&self, task: Task) -> Result<Cow<'_, Self>, FitError> {
        self.check_balance()?;
        let options = if self.balance {
            Cow::Owned(Self { settings: self.settings.with(BALANCE.0, BALANCE.1), ..self.clone() })
        } else {
            Cow::Borrowed(self)
        };
        let balanced = options.settings.iter().any(|set| set == BALANCE);
        let spec = self.method.info().params.iter().find(|spec| spec.name == BALANCE.0);
        match spec.filter(|_| balanced && task == Task::Regression) {
            Some(spec) => Err(spec
                .out_of_range("balanced", "equal, because a regression target has no classes".to_owned())
                .into()),
            None => Ok(options),
        }
    }
}
