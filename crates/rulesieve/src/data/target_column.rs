//! Which column of a table is the target, and how it is read.

use super::Task;

/// Which column of a table is the target, and how it is read. [`Target::named`](super::Target::named) begins one; the default is
/// the column that the file format marks, read as classes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TargetColumn {
    /// The column: its name, its number counted from 1, or `last`. Without one, what the file format marks.
    pub column: Option<String>,
    /// Whether to learn classes or numbers.
    pub task: Task,
    /// Cut a numeric target into this many classes of about equal size.
    pub bins: Option<usize>,
    /// All classes in their order, where a caller has found them already: labels are then their indices, from 0, and are trusted,
    /// also where a class has a single row or none. None takes what the column holds.
    pub classes: Vec<String>,
}

impl TargetColumn {
    /// Learn numbers.
    pub fn regression(self) -> Self {
        Self { task: Task::Regression, ..self }
    }

    /// Learn classes, the default.
    pub fn classification(self) -> Self {
        Self { task: Task::Classification, ..self }
    }

    /// Learn classes, cut from numbers at their quantiles: 2 to 100 of about equal size.
    pub fn bins(self, bins: usize) -> Self {
        Self { bins: Some(bins), ..self }
    }

    /// Learn these classes, in this order; the column holds their indices, from 0.
    pub fn known_classes(self, classes: Vec<String>) -> Self {
        Self { classes, ..self }
    }
}
