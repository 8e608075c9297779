//! What to select with.

use super::Size;
use crate::data::Task;
use crate::methods::settings::{ParamValue, Settings};
use crate::methods::{FitError, Method};
use std::borrow::Cow;

/// The parameter by which methods weight classes, and its value for equal classes.
pub(super) const BALANCE: (&str, ParamValue) = ("weights", ParamValue::Word("balanced"));

/// What to select with. [`Selector`](super::Selector) builds it with parameters by name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SelectOptions {
    /// The method.
    pub method: Method,
    /// Its parameters.
    pub settings: Settings,
    /// How many features to keep.
    pub size: Size,
    /// Whether all classes count the same, however many rows they have.
    pub balance: bool,
    /// How much every row counts; all the same where absent.
    pub weights: Option<Vec<f64>>,
    /// Features, by name, that are kept or left together; sizes then count groups.
    pub groups: Vec<Vec<String>>,
    /// Whether the parameter that the method can tune is chosen by the loss on validation rows.
    pub tune: bool,
    /// Random seed.
    pub seed: u64,
}

impl SelectOptions {
    /// A method with its default parameters, the size from the data, and seed 0.
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

    /// With these parameters of the method.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// How many features to keep.
    pub fn size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    /// Whether all classes count the same, however many rows they have.
    pub fn balance(self, balance: bool) -> Self {
        Self { balance, ..self }
    }

    /// How much every row counts.
    pub fn weights(self, weights: Option<Vec<f64>>) -> Self {
        Self { weights, ..self }
    }

    /// Features, by name, that are kept or left together.
    pub fn groups(self, groups: Vec<Vec<String>>) -> Self {
        Self { groups, ..self }
    }

    /// Whether the parameter that the method can tune is chosen by the loss on validation rows.
    pub fn tune(self, tune: bool) -> Self {
        Self { tune, ..self }
    }

    /// Random seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Whether all classes count the same, by this option or by the parameter of the method.
    pub fn is_balanced(&self) -> bool {
        self.balance || self.settings.iter().any(|set| set == BALANCE)
    }

    /// Checks that the method can give all classes the same weight.
    ///
    /// # Errors
    /// [`FitError::NoBalance`] where it cannot.
    pub fn check_balance(&self) -> Result<(), FitError> {
        let can = self.method.info().params.iter().any(|spec| spec.name == BALANCE.0);
        if self.balance && !can { Err(FitError::NoBalance { method: self.method.name() }) } else { Ok(()) }
    }

    /// The same with the balance of classes among the parameters of the method.
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
                .out_of_range("balanced", "equal, because a target of numbers has no classes".to_owned())
                .into()),
            None => Ok(options),
        }
    }
}
