//! The task that a numeric target suggests.

use super::names::short;
use super::target::Task;
use crate::remedy::Remedy;
use std::collections::HashMap;
use std::fmt;

/// A numeric target with more distinct values than this is a regression target, unless they look like codes of classes.
pub(crate) const MANY_CLASSES: usize = 20;
/// Codes of classes are the whole numbers from 0 or 1 without a gap, at most this many, ...
const MOST_CODES: usize = 100;
/// ... each in at least this many rows, and in at least half as many as any other.
const LEAST_ROWS: usize = 5;

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
    /// Regression: more than 20 distinct values that do not look like codes of classes.
    ManyValues,
    /// Regression: some values occur in a single row, so they cannot be learned as classes.
    SingleRows,
    /// Regression: the target holds dates, which are read as days.
    Dates,
    /// Classification: this many distinct whole numbers.
    FewValues(usize),
}

impl InferredTask {
    pub(crate) fn new(target: &str, reason: TaskReason) -> Self {
        Self { target: target.to_owned(), reason }
    }

    /// The task of a target that holds dates if `dates`, which is the reason for regression.
    pub(crate) fn of_dates(mut self, dates: bool) -> Self {
        if dates && self.task() == Task::Regression {
            self.reason = TaskReason::Dates;
        }
        self
    }

    /// The task.
    pub fn task(&self) -> Task {
        match self.reason {
            TaskReason::FewValues(_) => Task::Classification,
            TaskReason::Fractions | TaskReason::ManyValues | TaskReason::SingleRows | TaskReason::Dates => {
                Task::Regression
            }
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
        let target = short(&self.target);
        if self.reason == TaskReason::Dates {
            return write!(f, "task: {task} (target '{target}' holds dates, read as days since 1970-01-01)");
        }
        write!(f, "task: {task} (target '{target}' has ")?;
        match self.reason {
            TaskReason::Dates => Ok(()),
            TaskReason::Fractions => f.write_str("numbers that are not whole)"),
            TaskReason::ManyValues => write!(f, "more than {MANY_CLASSES} distinct numbers)"),
            TaskReason::SingleRows => f.write_str("numbers that occur once)"),
            TaskReason::FewValues(count) => write!(f, "{count} distinct whole numbers)"),
        }
    }
}

/// The reason for the task of a target with these finite values.
pub(super) fn infer(values: &[f64]) -> TaskReason {
    let mut counts: HashMap<u64, (f64, usize)> = HashMap::new();
    for &value in values {
        // Zero and minus zero are one value.
        counts.entry((value + 0.0).to_bits()).or_insert((value, 0)).1 += 1;
        if let Some(reason) = early(counts.len(), value.fract() != 0.0) {
            return reason;
        }
    }
    at_end(&counts.into_values().collect::<Vec<_>>())
}

/// The reason for regression that further values cannot revoke.
pub(crate) fn early(distinct: usize, fraction: bool) -> Option<TaskReason> {
    match (fraction, distinct > MOST_CODES) {
        (true, _) => Some(TaskReason::Fractions),
        (false, true) => Some(TaskReason::ManyValues),
        (false, false) => None,
    }
}

/// The reason for the task of distinct whole numbers with these counts.
pub(crate) fn at_end(counts: &[(f64, usize)]) -> TaskReason {
    let distinct = counts.len();
    if distinct > MANY_CLASSES && !are_codes(counts) {
        TaskReason::ManyValues
    } else if counts.iter().any(|&(_, count)| count == 1) {
        TaskReason::SingleRows
    } else {
        TaskReason::FewValues(distinct)
    }
}

fn are_codes(counts: &[(f64, usize)]) -> bool {
    let numbers = counts.iter().map(|&(number, _)| number);
    let (first, last) =
        numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), number| (a.min(number), b.max(number)));
    let rows = || counts.iter().map(|&(_, count)| count);
    let (fewest, most) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    counts.len() <= MOST_CODES
        && (first == 0.0 || first == 1.0)
        && last - first + 1.0 == counts.len() as f64
        && fewest >= LEAST_ROWS
        && 2 * fewest >= most
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
        assert_eq!(twice(&whole(21)), TaskReason::ManyValues, "two rows each are few for codes");
        assert_eq!(twice(&[1.0, 2.5]), TaskReason::Fractions);
        assert_eq!(infer(&[1.0, 1.0, 2.0]), TaskReason::SingleRows);
        let often = |numbers: &[f64]| infer(&numbers.repeat(5));
        assert_eq!(often(&whole(26)), TaskReason::FewValues(26), "codes of classes");
        assert_eq!(often(&whole(100)[1..]), TaskReason::FewValues(99));
        assert_eq!(often(&whole(101)), TaskReason::ManyValues, "too many");
        assert_eq!(often(&whole(26)[2..]), TaskReason::ManyValues, "not from 0 or 1");
        assert_eq!(often(&[&whole(26)[..], &[30.0]].concat()), TaskReason::ManyValues, "a gap");
        assert_eq!(infer(&[whole(26).repeat(5), vec![3.0; 6]].concat()), TaskReason::ManyValues, "unequal counts");
        assert_eq!(twice(&[7.0]), TaskReason::FewValues(1), "constant, which is rejected later");
    }

    #[test]
    fn the_task_is_stated_with_its_reason() {
        let line = |reason| InferredTask::new("y", reason).to_string();
        assert_eq!(line(TaskReason::ManyValues), "task: regression (target 'y' has more than 20 distinct numbers)");
        assert_eq!(line(TaskReason::Dates), "task: regression (target 'y' holds dates, read as days since 1970-01-01)");
        let task = |reason| InferredTask::new("y", reason).of_dates(true).reason;
        assert_eq!(task(TaskReason::ManyValues), TaskReason::Dates);
        assert_eq!(task(TaskReason::FewValues(2)), TaskReason::FewValues(2));
        assert_eq!(line(TaskReason::FewValues(3)), "task: classification (target 'y' has 3 distinct whole numbers)");
    }
}
