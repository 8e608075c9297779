//! Comparisons with the other methods of the paper: the lead of its method, and the numbers of features.

use crate::bound::Bound;
use crate::document::Table;
use crate::manifest::DataSet;
use crate::printed::{NAMES, OURS, printed};
use crate::results::{Measure, Results, View};
use crate::tables::{average, complete};
use rulesieve::methods;
use rulesieve_report::Data;
use std::collections::BTreeMap;

/// Percentage points above a bound that rounding does not explain.
const MARGIN: f64 = 1.0;

/// Creates the table of methods with gates, with a third of the features, by their own rule, and printed (`a third, own (printed)`),
/// and sentences on how many data sets the printed score is closer to each.
pub(crate) fn own_sizes(results: &Results, measure: Measure, sets: &[DataSet]) -> Option<(Table, Vec<String>)> {
    let printed = printed(measure);
    let score = |view, set: &DataSet, method: &str| results.score(view, &set.name, method, measure).map(|one| one.mean);
    let of = |set: &DataSet, method: &str| {
        let theirs = printed.get(&(set.name.clone(), method.to_owned())).copied()?;
        Some([score(View::Paper, set, method)?, score(View::PaperNative, set, method)?, theirs])
    };
    let done: Vec<&str> =
        NAMES.iter().map(|(_, own)| *own).filter(|own| sets.iter().any(|set| of(set, own).is_some())).collect();
    let mut data =
        Data::new(["data".to_owned()].into_iter().chain(done.iter().map(|own| methods::title(own).to_owned())));
    let shown = |[third, own, theirs]: [f64; 3]| format!("{third:.2}, {own:.2} ({theirs:.2})");
    for set in sets {
        data.push(
            [set.name.clone()].into_iter().chain(done.iter().map(|own| of(set, own).map_or(String::new(), shown))),
        );
    }
    let sentence = |method: &&str| {
        let all: Vec<[f64; 3]> = sets.iter().filter_map(|set| of(set, method)).collect();
        let nearer = all.iter().filter(|[third, own, theirs]| (own - theirs).abs() < (third - theirs).abs()).count();
        let away = |at: usize| all.iter().map(|one| (one[at] - one[2]).abs()).sum::<f64>() / all.len() as f64;
        format!(
            "{}: closer to print by its own rule on {nearer} of {} data sets; mean distance {:.1} points, {:.1} with a third.",
            methods::title(method),
            all.len(),
            away(1),
            away(0)
        )
    };
    let caption = format!(
        "{} in percent: a third of the features, as many as the method's own rule keeps, printed",
        measure.title()
    );
    let lines: Vec<String> = done.iter().map(sentence).collect();
    (!lines.is_empty()).then(|| (Table::new(&format!("{}-own-sizes", measure.file()), &caption, data), lines))
}

/// Describes printed scores of other methods that exceed the bound for a third of the features.
pub(crate) fn beyond_a_third(measure: Measure, bounds: &BTreeMap<String, Bound>) -> Vec<String> {
    let found = |((set, method), score): ((String, String), f64)| {
        let ceiling = bounds.get(&set)?.ceiling;
        (method != OURS && score > ceiling + MARGIN).then(|| {
            format!(
                "The printed {:.2} of {} on {set} is above {ceiling:.2}, the best score of any third of the features here with C = 1, even when \
                 chosen on the test rows of every fold: the protocol of the printed tables or more features could explain it.",
                score,
                methods::title(&method)
            )
        })
    };
    printed(measure).into_iter().filter_map(found).collect()
}

/// Describes the lead of the paper's method over each other method, here and printed, on the data sets that both have here.
pub(crate) fn leads(results: &Results, measure: Measure, sets: &[DataSet]) -> Vec<String> {
    let printed = printed(measure);
    let lead = |method: &str| {
        let done = complete(results, View::Paper, sets, &[OURS.to_owned(), method.to_owned()]);
        let here = average(results, View::Paper, measure, &done, OURS)?
            - average(results, View::Paper, measure, &done, method)?;
        let in_print = |set: &&DataSet| {
            let of = |method: &str| printed.get(&(set.name.clone(), method.to_owned()));
            Some(of(OURS)? - of(method)?)
        };
        let theirs: Option<Vec<f64>> = done.iter().map(in_print).collect();
        let theirs = theirs?.iter().sum::<f64>() / done.len() as f64;
        let title = methods::title(method);
        Some(format!("{title} {here:+.2} (in print {theirs:+.2}) over {} of {} data sets", done.len(), sets.len()))
    };
    NAMES.iter().filter(|(_, method)| *method != OURS).filter_map(|(_, method)| lead(method)).collect()
}
