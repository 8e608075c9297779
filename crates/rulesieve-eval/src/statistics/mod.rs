//! Do methods differ? Scores of several methods on several data sets, ranked and tested (Demsar, JMLR 7, 2006).
//!
//! | where | what |
//! |---|---|
//! | `scores` | [`Scores`]: a checked table of data sets by methods |
//! | `ranks` | ranks with ties, averaged over the data sets |
//! | `friedman` | Friedman's test with the F of Iman and Davenport |
//! | `post_hoc` | critical differences: Bonferroni-Dunn against a control, Nemenyi for all pairs |
//! | `wilcoxon` | signed ranks, pair by pair, with Holm's correction |
//! | `resampled` | the corrected t-test for one data set that was split again and again |
//! | `distribution` | tails and quantiles |

mod comparison;
mod distribution;
mod friedman;
mod post_hoc;
mod ranks;
mod resampled;
mod scores;
mod wilcoxon;

pub use comparison::{Comparison, SCHEMA, Wishes, compare};
pub use friedman::Friedman;
pub use post_hoc::{BonferroniDunn, Nemenyi};
pub use ranks::{average_ranks, ranks};
pub use resampled::{ResampledT, corrected_resampled_t};
pub use scores::{Scores, StatisticsError};
pub use wilcoxon::{Wilcoxon, WilcoxonHolm, holm, wilcoxon};
