//! Consistency checks of saved runs.

use crate::evaluate::{MAX_SUBSAMPLES, Point, PredictedValues, Protocol, RunSpec, Task, TaskPart, TaskResult, Truth};

/// Returns whether all indices are distinct and below a limit.
fn distinct(indices: &[usize], limit: usize) -> bool {
    let mut seen = vec![false; limit];
    indices.iter().all(|&at| at < limit && !std::mem::replace(&mut seen[at], true))
}

pub(super) fn spec(spec: &RunSpec) -> Result<(), String> {
    let rows = spec.truth.rows();
    if let Truth::Classes { names, codes } = &spec.truth
        && codes.iter().any(|&code| code as usize >= names.len())
    {
        return Err("a class has no name".to_owned());
    }
    if !spec.tests.iter().all(|test| distinct(test, rows) && test.len() < rows) {
        return Err(format!("a split tests a row twice, a row that does not exist (of {rows}), or all rows"));
    }
    if let Some(trains) = &spec.trains {
        let disjoint = |(train, test): (&Vec<usize>, &Vec<usize>)| distinct(&[train.as_slice(), test].concat(), rows);
        if trains.len() != spec.tests.len() || !trains.iter().zip(&spec.tests).all(disjoint) {
            return Err(format!("a split trains on a row twice, a row that does not exist (of {rows}), or a test row"));
        }
    }
    if spec.subsamples > MAX_SUBSAMPLES {
        return Err(format!("{} subsamples are more than allowed", spec.subsamples));
    }
    if spec.methods.iter().any(|(_, settings)| settings.is_empty()) {
        return Err("a method has no settings".to_owned());
    }
    Ok(())
}

pub(super) fn result(spec: &RunSpec, task: &Task, result: &TaskResult) -> Result<(), String> {
    let features = spec.features.len();
    match (task.part, result) {
        (TaskPart::Split(split), TaskResult::Split(result)) => {
            let test = spec.tests.get(split).ok_or("there is no such split")?;
            let settings = spec.methods.get(task.ranker).map_or(1, |(_, settings)| settings.len());
            let complete = match spec.protocol {
                Protocol::Nested => result.points.len() == 1,
                _ => result.points.iter().map(|point| point.setting).eq(0..settings),
            };
            if !complete {
                return Err("it does not have the settings of the run".to_owned());
            }
            result.points.iter().try_for_each(|one| point(spec, task.ranker, test.len(), one))
        }
        (TaskPart::Subsample(subsample), TaskResult::Subsample { order, .. }) => {
            let complete = subsample < spec.subsamples && order.len() == features && distinct(order, features);
            if complete { Ok(()) } else { Err("the ranking does not have every feature once".to_owned()) }
        }
        _ => Err("the result is not of its task".to_owned()),
    }
}

fn point(spec: &RunSpec, ranker: usize, rows: usize, point: &Point) -> Result<(), String> {
    let settings = spec.methods.get(ranker).map_or(1, |(_, settings)| settings.len());
    if point.setting >= settings {
        return Err(format!("there is no setting {}", point.setting));
    }
    let Ok((selected, prediction)) = &point.prediction else { return Ok(()) };
    if selected.is_empty() || !distinct(selected, spec.features.len()) {
        return Err("a selected feature does not exist, or is selected twice".to_owned());
    }
    let consistent = match (&spec.truth, &prediction.values) {
        (Truth::Classes { names, .. }, PredictedValues::Classes(codes)) => {
            codes.len() == rows && codes.iter().all(|&code| (code as usize) < names.len())
        }
        (Truth::Numbers(_), PredictedValues::Numbers(numbers)) => numbers.len() == rows,
        _ => false,
    };
    if consistent { Ok(()) } else { Err("the predictions do not match the rows".to_owned()) }
}
