//! Tests of differences between methods: scores of several methods on several data sets, ranked and tested (Demsar, JMLR 7, 2006).
//!
//! | module | purpose |
//! |---|---|
//! | `scores` | [`Scores`]: a checked table of data sets by methods |
//! | `ranks` | ranks with ties, averaged over the data sets |
//! | `friedman` | Friedman's test with the F of Iman and Davenport |
//! | `post_hoc` | critical differences: Bonferroni-Dunn against a control, Nemenyi for all pairs |
//! | `wilcoxon` | signed-rank tests with Holm's correction |
//! | `resampled` | the corrected t-test for repeated splits of one data set |
//! | `distribution` | tail probabilities and quantiles |

mod comparison;
mod distribution;
mod friedman;
mod post_hoc;
mod ranks;
mod resampled;
mod scores;
mod wilcoxon;

pub use comparison::{CompareOptions, Comparison, SCHEMA, compare};
pub use friedman::Friedman;
pub use post_hoc::{BonferroniDunn, Nemenyi};
pub use ranks::{average_ranks, ranks};
pub use resampled::{ResampledT, corrected_resampled_t};
pub use scores::{Scores, StatisticsError};
pub use wilcoxon::{Wilcoxon, WilcoxonHolm, holm, wilcoxon};
