//! Whether what was read from a file of records makes sense, so that nobody who uses it needs to ask.

use crate::evaluate::{Answers, Frame, Outcome, Point, Task, TaskPart, Truth};

pub(super) fn frame(frame: &Frame) -> Result<(), String> {
    let rows = frame.truth.rows();
    if let Truth::Classes { names, codes } = &frame.truth
        && codes.iter().any(|&code| code as usize >= names.len())
    {
        return Err("a class has no name".to_owned());
    }
    if frame.tests.iter().flatten().any(|&row| row >= rows) {
        return Err(format!("a split judges a row beyond the {rows} there are"));
    }
    if frame.methods.iter().any(|(_, settings)| settings.is_empty()) {
        return Err("a method has no settings".to_owned());
    }
    Ok(())
}

pub(super) fn outcome(frame: &Frame, task: &Task, outcome: &Outcome) -> Result<(), String> {
    let features = frame.features.len();
    match (task.part, outcome) {
        (TaskPart::Split(split), Outcome::Judged(judged)) => {
            let test = frame.tests.get(split).ok_or("there is no such split")?;
            if judged.points.is_empty() {
                return Err("no setting was judged".to_owned());
            }
            judged.points.iter().try_for_each(|one| point(frame, task.ranker, test.len(), one))
        }
        (TaskPart::Half(half), Outcome::Ranked(order)) => {
            let mut seen = order.clone();
            seen.sort_unstable();
            let whole = half < frame.halves && seen.into_iter().eq(0..features);
            if whole { Ok(()) } else { Err("the ranking does not hold every feature once".to_owned()) }
        }
        _ => Err("the outcome is of another kind".to_owned()),
    }
}

fn point(frame: &Frame, ranker: usize, rows: usize, point: &Point) -> Result<(), String> {
    let settings = frame.methods.get(ranker).map_or(1, |(_, settings)| settings.len());
    if point.setting >= settings {
        return Err(format!("there is no setting {}", point.setting));
    }
    let Ok((places, verdict)) = &point.verdict else { return Ok(()) };
    if places.is_empty() || places.iter().any(|&place| place >= frame.features.len()) {
        return Err("a feature is kept that does not exist".to_owned());
    }
    let fits = match (&frame.truth, &verdict.answers) {
        (Truth::Classes { names, .. }, Answers::Classes(codes)) => {
            codes.len() == rows && codes.iter().all(|&code| (code as usize) < names.len())
        }
        (Truth::Numbers(_), Answers::Numbers(numbers)) => numbers.len() == rows,
        _ => false,
    };
    if fits { Ok(()) } else { Err("the answers do not fit the rows".to_owned()) }
}
