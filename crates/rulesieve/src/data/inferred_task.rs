//! The task that a numeric target suggests.

use super::names::short;
use super::target::Task;
use crate::remedy::Remedy;
use std::collections::HashMap;
use std::fmt;

/// A numeric target with more distinct values than this is a regression target.
pub(crate) const MANY_CLASSES: usize = 20;

/// The task of a numeric target that was inferred from its values. `Display` states the task and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InferredTask {
    /// Name of the target.
    pub target: String,
    /// The reason, which determines the task.
    pub reason: TaskReason,
}

/// Reason for the inferred task of a numeric target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskReason {
    /// Regression: some values are not whole.
    Fractions,
    /// Regression: more than 20 distinct values.
    ManyValues,
    /// Regression: some values occur in a single row, so they cannot be learned as classes.
    SingleRows,
    /// Classification: this many distinct whole numbers.
    FewValues(usize),
}

impl InferredTask {
    pub(crate) fn new(target: &str, reason: TaskReason) -> Self {
        Self { target: target.to_owned(), reason }
    }

    /// The task.
    pub fn task(&self) -> Task {
        match self.reason {
            TaskReason::FewValues(_) => Task::Classification,
            TaskReason::Fractions | TaskReason::ManyValues | TaskReason::SingleRows => Task::Regression,
        }
    }

    /// How to choose the other task; none for very few classes, which are hardly a regression target.
    pub fn remedy(&self) -> Option<Remedy> {
        match self.reason {
            TaskReason::FewValues(0..=5) => None,
            TaskReason::FewValues(_) => Some(Remedy::UseTask(Task::Regression)),
            _ => Some(Remedy::UseTask(Task::Classification)),
        }
    }
}

impl fmt::Display for InferredTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = match self.task() {
            Task::Classification => "classification",
            Task::Regression => "regression",
        };
        write!(f, "task: {task} (target '{}' has ", short(&self.target))?;
        match self.reason {
            TaskReason::Fractions => f.write_str("numbers that are not whole)"),
            TaskReason::ManyValues => write!(f, "more than {MANY_CLASSES} distinct numbers)"),
            TaskReason::SingleRows => f.write_str("numbers that occur once)"),
            TaskReason::FewValues(count) => write!(f, "{count} distinct whole numbers)"),
        }
    }
}

/// The reason for the task of a target with these finite values.
pub(super) fn infer(values: &[f64]) -> TaskReason {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for value in values {
        // Zero and minus zero are one value.
        *counts.entry((value + 0.0).to_bits()).or_default() += 1;
        if let Some(reason) = early(counts.len(), value.fract() != 0.0) {
            return reason;
        }
    }
    at_end(counts.into_values())
}

/// The reason for regression that further values cannot revoke.
pub(crate) fn early(distinct: usize, fraction: bool) -> Option<TaskReason> {
    match (fraction, distinct > MANY_CLASSES) {
        (true, _) => Some(TaskReason::Fractions),
        (false, true) => Some(TaskReason::ManyValues),
        (false, false) => None,
    }
}

/// The reason for the task of few whole numbers with these counts.
pub(crate) fn at_end(counts: impl ExactSizeIterator<Item = usize>) -> TaskReason {
    let distinct = counts.len();
    if counts.into_iter().any(|count| count == 1) { TaskReason::SingleRows } else { TaskReason::FewValues(distinct) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_repeated_whole_numbers_are_classes() {
        let twice = |values: &[f64]| infer(&[values, values].concat());
        let whole = |count: i32| (0..count).map(f64::from).collect::<Vec<_>>();
        assert_eq!(twice(&[0.0, -0.0, 1.0]), TaskReason::FewValues(2));
        assert_eq!(twice(&whole(20)), TaskReason::FewValues(20));
        assert_eq!(twice(&whole(21)), TaskReason::ManyValues);
        assert_eq!(twice(&[1.0, 2.5]), TaskReason::Fractions);
        assert_eq!(infer(&[1.0, 1.0, 2.0]), TaskReason::SingleRows);
        assert_eq!(twice(&[7.0]), TaskReason::FewValues(1), "constant, which is rejected later");
    }

    #[test]
    fn the_task_is_stated_with_its_reason() {
        let line = |reason| InferredTask::new("y", reason).to_string();
        assert_eq!(line(TaskReason::ManyValues), "task: regression (target 'y' has more than 20 distinct numbers)");
        assert_eq!(line(TaskReason::FewValues(3)), "task: classification (target 'y' has 3 distinct whole numbers)");
    }
}
