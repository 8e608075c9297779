//! Selection of the target column and of the task.

use super::Task;

/// The target column and how to read it. [`Target::named`](super::Target::named) creates one; the default is the column
/// that the file format marks, with the task inferred from its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TargetColumn {
    /// The column: its name, its number counted from 1, or `last`. `None`: the column that the file format marks.
    pub column: Option<String>,
    /// Classification or regression. `None`: inferred. Texts are classes; numbers are regression targets if any of
    /// them is not whole, if one of them occurs in a single row, or if there are more than 20 distinct ones that do not
    /// look like codes of classes (from 0 or 1 without a gap, about equally frequent), and otherwise classes.
    pub task: Option<Task>,
    /// Number of classes of about equal size into which a numeric target is cut.
    pub bins: Option<usize>,
    /// Known classes in order: labels are then their indices from 0 and a class may have a single row or none. `None`:
    /// classes are read from the column.
    pub classes: Vec<String>,
}

impl TargetColumn {
    /// Sets the task to regression.
    pub fn regression(self) -> Self {
        Self { task: Some(Task::Regression), ..self }
    }

    /// Sets the task to classification.
    pub fn classification(self) -> Self {
        Self { task: Some(Task::Classification), ..self }
    }

    /// Cuts a numeric target at its quantiles into 2 to 100 classes of about equal size.
    pub fn bins(self, bins: usize) -> Self {
        Self { bins: Some(bins), ..self }
    }

    /// Sets known classes, in this order; the column holds their indices from 0.
    pub fn known_classes(self, classes: Vec<String>) -> Self {
        Self { classes, ..self }
    }
}
