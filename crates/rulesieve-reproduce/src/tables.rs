//! Tables of scores: data sets in rows, methods in columns.

use crate::document::Table;
use crate::manifest::DataSet;
use crate::printed::{NAMES, OURS, printed};
use crate::results::{Measure, Results, Score, View};
use rulesieve::methods;
use rulesieve_eval::evaluate::{ALL, MAJORITY, RANDOM};
use rulesieve_report::Data;

/// The baselines, by their names in cells.
pub(crate) const BASELINES: [&str; 3] = [ALL, RANDOM, MAJORITY];

/// Returns the methods with a cell on any of the data sets, in the order of the protocol.
pub(crate) fn methods_done(results: &Results, view: View, sets: &[DataSet], order: &[String]) -> Vec<String> {
    let done = |method: &&String| sets.iter().any(|set| results.cell(view, &set.name, method).is_some());
    order.iter().filter(done).cloned().collect()
}

/// Returns the data sets on which all of these methods are evaluated.
pub(crate) fn complete<'a>(results: &Results, view: View, sets: &'a [DataSet], methods: &[String]) -> Vec<&'a DataSet> {
    let scored = |set: &DataSet, method: &String| results.score(view, &set.name, method, Measure::Accuracy).is_some();
    sets.iter().filter(|set| methods.iter().all(|method| scored(set, method))).collect()
}

/// Returns the data sets on which the first method is evaluated, and the methods that are evaluated on all of them. Incomplete methods
/// are thus not compared and do not reduce the data sets.
pub(crate) fn comparable<'a>(
    results: &Results,
    view: View,
    sets: &'a [DataSet],
    methods: &[String],
) -> (Vec<&'a DataSet>, Vec<String>) {
    let done = complete(results, view, sets, &methods[..methods.len().min(1)]);
    let is_complete = |method: &&String| average(results, view, Measure::Accuracy, &done, method).is_some();
    let methods = methods.iter().filter(is_complete).cloned().collect();
    (done, methods)
}

/// Creates the table of means and deviations of all methods on all data sets. The averages are over the data sets of the first method,
/// for methods that are evaluated on all of these.
pub(crate) fn scores(results: &Results, view: View, measure: Measure, sets: &[DataSet], methods: &[String]) -> Table {
    let all: Vec<String> = methods.iter().cloned().chain(BASELINES.map(str::to_owned)).collect();
    let mut data =
        Data::new(["data".to_owned()].into_iter().chain(all.iter().map(|name| methods::title(name).to_owned())));
    let mut marked = Vec::new();
    for (row, set) in sets.iter().enumerate() {
        let found: Vec<Option<Score>> =
            all.iter().map(|method| results.score(view, &set.name, method, measure)).collect();
        let of_methods = || found[..methods.len()].iter().enumerate();
        let best = of_methods().filter_map(|(_, score)| Some(hundredths(score.as_ref()?.mean))).max();
        let is_best =
            |score: &Option<Score>| score.as_ref().map(|score| hundredths(score.mean)) == best && best.is_some();
        marked.extend(of_methods().filter(|(_, score)| is_best(score)).map(|(at, _)| (row, at + 1)));
        let text = |score: &Option<Score>| score.as_ref().map_or(String::new(), shown);
        data.push([set.name.clone()].into_iter().chain(found.iter().map(text)));
    }
    let (complete, _) = comparable(results, view, sets, methods);
    let average = |method: &String| {
        average_score(results, view, measure, &complete, method).map_or(String::new(), |score| shown(&score))
    };
    data.push([format!("mean of {}", complete.len())].into_iter().chain(all.iter().map(average)));
    let name = format!("{}-{}", measure.file(), view.name());
    let caption = format!("{} in percent, protocol {}", measure.title(), view.name());
    Table { best: marked, ..Table::new(&name, &caption, data) }
}

/// Rounds percent to hundredths, as printed.
fn hundredths(mean: f64) -> i64 {
    (mean * 100.0).round() as i64
}

/// Formats mean and deviation.
fn shown(score: &Score) -> String {
    format!("{:.2} ± {:.2}", score.mean, score.std)
}

/// Returns the mean of a method over some data sets.
pub(crate) fn average(results: &Results, view: View, measure: Measure, sets: &[&DataSet], method: &str) -> Option<f64> {
    average_score(results, view, measure, sets, method).map(|score| score.mean)
}

/// Averages means and deviations, as in the last row of the paper's tables.
fn average_score(results: &Results, view: View, measure: Measure, sets: &[&DataSet], method: &str) -> Option<Score> {
    let all = sets.iter().map(|set| results.score(view, &set.name, method, measure)).collect::<Option<Vec<Score>>>()?;
    if all.is_empty() {
        return None;
    }
    let mean = |what: fn(&Score) -> f64| all.iter().map(what).sum::<f64>() / all.len() as f64;
    Some(Score { mean: mean(|score| score.mean), std: mean(|score| score.std) })
}

/// Creates the table of our scores and the printed ones for the paper's seven methods: `ours (printed)`. Under the protocols as
/// run, means that are equal as printed are counted and highlighted.
pub(crate) fn compared_with_printed(results: &Results, view: View, measure: Measure, sets: &[DataSet]) -> Table {
    let printed = printed(measure);
    let heads = NAMES.iter().map(|(_, own)| methods::title(own).to_owned());
    let mut data = Data::new(["data".to_owned()].into_iter().chain(heads));
    let both = |ours: Option<Score>, theirs: Option<f64>| match (ours, theirs) {
        (Some(ours), Some(theirs)) => format!("{:.2} ({theirs:.2})", ours.mean),
        (None, Some(theirs)) => format!("({theirs:.2})"),
        _ => String::new(),
    };
    let theirs = |set: &DataSet, method: &str| printed.get(&(set.name.clone(), method.to_owned())).copied();
    let mut equal = Vec::new();
    for (row, set) in sets.iter().enumerate() {
        let ours = |method: &str| results.score(view, &set.name, method, measure);
        let is_equal = |method: &str| {
            ours(method).is_some_and(|score| Some(hundredths(score.mean)) == theirs(set, method).map(hundredths))
        };
        equal.extend(NAMES.iter().enumerate().filter(|(_, (_, one))| is_equal(one)).map(|(at, _)| (row, at + 1)));
        let cells = NAMES.iter().map(|(_, method)| both(ours(method), theirs(set, method)));
        data.push([set.name.clone()].into_iter().chain(cells));
    }
    // The averages are over the data sets on which our counterpart of the paper's method is evaluated.
    let done = complete(results, view, sets, &[OURS.to_owned()]);
    let mean = |(_, method): &(&str, &str)| {
        let printed: Option<Vec<f64>> = done.iter().map(|set| theirs(set, method)).collect();
        let printed = printed.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64);
        both(average_score(results, view, measure, &done, method), printed)
    };
    data.push([format!("mean of {}", done.len())].into_iter().chain(NAMES.iter().map(mean)));
    let mut caption =
        format!("{} in percent under protocol {}, printed figures in brackets", measure.title(), view.name());
    if view == View::Paper {
        return Table::new(&format!("{}-beside-printed", measure.file()), &caption, data);
    }
    caption.push_str(&format!("; {} of {} cells are equal to the last digit", equal.len(), sets.len() * NAMES.len()));
    Table { best: equal, ..Table::new(&format!("{}-{}-beside-printed", measure.file(), view.name()), &caption, data) }
}
