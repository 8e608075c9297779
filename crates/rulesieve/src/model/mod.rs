//! The model that predicts: a rule base directly on the selected columns, with everything that is needed to apply it to
//! another table. It is data only, checked before it is used, and says its rules in the units of the columns.
//!
//! | where | what |
//! |---|---|
//! | `record` | [`Model`]: what a file holds |
//! | `check` | [`Model::check`]: every length and number, before anything is computed with them |
//! | `rule_base` | the rules, fired for one sample |
//! | `fit` | the training of rules, and its parameters [`RuleParams`] |
//! | `train`, `assemble`, `trainer` | [`train`], [`Trainer`]: from a selection to a model |
//! | `cross_fit` | [`cross_fit()`]: held-out results of selection and training |
//! | `further` | [`learn_on`]: a model goes on learning |
//! | `predict` | [`Predictor`]: from a table to answers |
//! | `metrics`, `confusion` | how right the answers are |
//! | `terms` | numbers as `low`, `medium`, `high`, categories by name |
//! | `explain`, `text` | the rules as sentences, and why a row got its answer |

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

pub(crate) use assemble::{Ground, assemble};
pub use check::ModelError;
pub use confusion::Confusion;
pub use cross_fit::{CrossFit, cross_fit};
pub use explain::{Contribution, Explanation, FiredRule, RowExplanation, RuleSentence, Slope};
pub use fit::RuleParams;
pub use further::{FurtherOptions, Labels, learn_on};
pub use metrics::{ClassScores, Evaluation, Metrics};
pub use predict::{Prediction, Predictions, Predictor};
pub use record::{Model, OutputScale, Preprocessing, Profile, RuleInfo, SCHEMA, Training};
pub use rule_base::{Answer, RuleBase};
pub use terms::Condition;
pub use text::{NameStyle, rounded, signed};
pub(crate) use train::Chosen;
pub(crate) use train::places;
pub use train::{TrainError, TrainOptions, train};
pub use trainer::Trainer;

#[cfg(test)]
mod tests;
