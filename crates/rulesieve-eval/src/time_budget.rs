//! A limit on the time of a fit or an evaluation.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Maximum time budget in seconds.
const MAX_SECONDS: f64 = 1e9;

/// Seconds after which a computation ends with its result so far: above 0, at most 1e9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct TimeBudget(Duration);

/// A time budget that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a time budget of {0} is not allowed: it must be above 0 and at most {MAX_SECONDS} seconds")]
pub struct TimeBudgetError(String);

impl TimeBudget {
    /// Returns the budget as a duration.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl TryFrom<f64> for TimeBudget {
    type Error = TimeBudgetError;

    fn try_from(seconds: f64) -> Result<Self, TimeBudgetError> {
        match Duration::try_from_secs_f64(seconds) {
            Ok(budget) if seconds > 0.0 && seconds <= MAX_SECONDS => Ok(Self(budget)),
            _ if seconds.abs() < MAX_SECONDS => Err(TimeBudgetError(seconds.to_string())),
            _ => Err(TimeBudgetError(format!("{seconds:e}"))),
        }
    }
}

impl From<TimeBudget> for f64 {
    fn from(budget: TimeBudget) -> Self {
        budget.0.as_secs_f64()
    }
}

impl FromStr for TimeBudget {
    type Err = TimeBudgetError;

    fn from_str(text: &str) -> Result<Self, TimeBudgetError> {
        let seconds: f64 = text.trim().parse().map_err(|_| TimeBudgetError(format!("'{text}'")))?;
        seconds.try_into()
    }
}

impl fmt::Display for TimeBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f64::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_parsed_and_printed() {
        for text in ["1", "0.5", "1000000000", "0.000001"] {
            let budget: TimeBudget = text.parse().unwrap();
            assert_eq!(budget.to_string(), text);
            assert_eq!(serde_json::from_str::<TimeBudget>(&serde_json::to_string(&budget).unwrap()).unwrap(), budget);
        }
        for text in ["0", "-1", "1e10", "nan", "inf", "", "soon"] {
            assert!(text.parse::<TimeBudget>().unwrap_err().to_string().contains("above 0 and at most"), "{text}");
        }
    }
}
