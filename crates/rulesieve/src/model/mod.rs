//! The model that predicts: rules on the selected columns, with the preprocessing needed to apply them to another
//! table. A model is data only and is checked before use; its rules are explained in the units of the columns.
//!
//! | module | content |
//! |---|---|
//! | `record` | [`Model`]: the content of a file |
//! | `check` | [`Model::check`]: checks of every length and number |
//! | `rule_base` | the rules, evaluated for one sample |
//! | `fit` | the training of rules, and its parameters [`RuleParams`] |
//! | `train`, `assemble`, `trainer` | [`train`], [`Trainer`]: from a selection to a model |
//! | `cross_fit` | [`cross_fit()`]: held-out results of selection and training |
//! | `further` | [`continue_training`]: continued training |
//! | `predict` | [`Predictor`]: predictions for a table |
//! | `metrics`, `confusion` | metrics of predictions |
//! | `terms` | conditions of rules: `low`, `medium`, `high`, categories by name |
//! | `explain`, `text` | rules as sentences, and explanations of predictions |

mod assemble;
mod check;
mod confusion;
mod cross_fit;
mod explain;
pub(crate) mod fit;
mod further;
mod metrics;
mod predict;
mod record;
mod rule_base;
mod terms;
mod text;
mod train;
mod trainer;

pub(crate) use assemble::{TrainingData, assemble};
pub use check::ModelError;
pub use confusion::Confusion;
pub use cross_fit::{CrossFit, cross_fit};
pub use explain::{Contribution, Explanation, FiredRule, RowExplanation, RuleSentence, Slope};
pub use fit::RuleParams;
pub use further::{ContinueOptions, Labels, continue_training};
pub use metrics::{ClassScores, Evaluation, Metrics};
pub use predict::{Prediction, Predictions, Predictor};
pub use record::{Model, OutputScale, Preprocessing, Profile, RuleInfo, SCHEMA, Training};
pub use rule_base::{Inference, RuleBase};
pub use terms::Condition;
pub use text::{NameStyle, rounded, signed};
pub(crate) use train::Chosen;
pub use train::{TrainError, TrainOptions, train};
pub use trainer::Trainer;

#[cfg(test)]
mod tests;
