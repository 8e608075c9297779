//! Whether what was read from a file of records makes sense, so that nobody who uses it needs to ask.

use crate::evaluate::{Answers, Frame, MOST_HALVES, Outcome, Point, Protocol, Task, TaskPart, Truth};

/// Whether all places are below a limit, each at most once.
fn distinct(places: &[usize], limit: usize) -> bool {
    let mut seen = vec![false; limit];
    places.iter().all(|&place| place < limit && !std::mem::replace(&mut seen[place], true))
}

pub(super) fn frame(frame: &Frame) -> Result<(), String> {
    let rows = frame.truth.rows();
    if let Truth::Classes { names, codes } = &frame.truth
        && codes.iter().any(|&code| code as usize >= names.len())
    {
        return Err("a class has no name".to_owned());
    }
    if !frame.tests.iter().all(|test| distinct(test, rows) && test.len() < rows) {
        return Err(format!("a split judges a row twice, or beyond the {rows} there are, or all of them"));
    }
    if frame.halves > MOST_HALVES {
        return Err(format!("{} halves are more than there can be", frame.halves));
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
            let settings = frame.methods.get(task.ranker).map_or(1, |(_, settings)| settings.len());
            let complete = match frame.protocol {
                Protocol::Nested => judged.points.len() == 1,
                Protocol::Paper | Protocol::PaperPerFold => {
                    judged.points.iter().map(|point| point.setting).eq(0..settings)
                }
            };
            if !complete {
                return Err("it does not hold the settings that were judged".to_owned());
            }
            judged.points.iter().try_for_each(|one| point(frame, task.ranker, test.len(), one))
        }
        (TaskPart::Half(half), Outcome::Ranked { order, .. }) => {
            let whole = half < frame.halves && order.len() == features && distinct(order, features);
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
    if places.is_empty() || !distinct(places, frame.features.len()) {
        return Err("a feature is kept that does not exist, or twice".to_owned());
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
