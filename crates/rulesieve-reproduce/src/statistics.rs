//! Tests of differences between methods over the data sets, with a diagram of average ranks.

use crate::document::{Block, Table};
use crate::manifest::DataSet;
use crate::printed::{NAMES, printed};
use crate::results::{Measure, Results, View};
use crate::tables::{average, comparable, complete};
use rulesieve::methods;
use rulesieve_eval::statistics::{CompareOptions, Comparison, Scores, compare};
use rulesieve_report::Data;
use rulesieve_report::charts::{Chart, CriticalDifference, Difference};

/// Tests scores, with a figure of average ranks. Without scores of the control, the best method is the control.
pub(crate) fn tests(name: &str, what: &str, scores: &Scores, control: &str) -> Vec<Block> {
    let control = scores.methods().iter().find(|method| *method == control).cloned();
    let Ok(found) = compare(scores, &CompareOptions { control, ..CompareOptions::default() }) else {
        return Vec::new();
    };
    let ranks = found.methods.iter().map(|method| (method.clone(), found.average_ranks[method])).collect();
    let at = found.methods.iter().position(|method| *method == found.bonferroni_dunn.control).unwrap_or(0);
    let difference = Difference::FromControl(at);
    let chart = CriticalDifference { ranks, critical: found.bonferroni_dunn.cd, difference };
    let figure = chart.figure(&format!("ranks-{name}"), &format!("Average ranks, {what}"));
    vec![Block::Text(sentence(&found, what)), Block::Figure(Box::new(figure))]
}

fn sentence(found: &Comparison, what: &str) -> String {
    let (friedman, dunn) = (&found.friedman, &found.bonferroni_dunn);
    let significant = friedman.f.is_none_or(|f| f > friedman.critical);
    let ranks: Vec<String> =
        found.methods.iter().map(|method| format!("{method} {:.2}", found.average_ranks[method])).collect();
    let differ = if dunn.different.is_empty() { "no method".to_owned() } else { dunn.different.join(", ") };
    format!(
        "{what}, {} data sets: average ranks {}. Friedman F = {} (critical {:.4}, p {:.1e}){}; Bonferroni-Dunn critical difference \
         {:.4} from {}{}: {differ} differ{}.",
        found.datasets,
        ranks.join(", "),
        friedman.f.map_or("infinite".to_owned(), |f| format!("{f:.4}")),
        friedman.critical,
        friedman.p,
        if significant { "" } else { ": not significant, so the following differences are not either" },
        dunn.cd,
        dunn.control,
        if found.control_chosen { " (the best here)" } else { "" },
        if dunn.different.len() == 1 || dunn.different.is_empty() { "s" } else { "" },
    )
}

/// Compares one method with each of the others on the data sets that both have, whereas tests of ranks need all data sets.
pub(crate) fn pairs(results: &Results, view: View, sets: &[DataSet], names: &[String], control: &str) -> Option<Table> {
    let mut data = Data::new(["against", "data sets", "better/equal/worse", "mean difference in points"]);
    for other in names.iter().filter(|name| *name != control) {
        let both = complete(results, view, sets, &[control.to_owned(), other.clone()]);
        let mean = |name: &str| average(results, view, Measure::Accuracy, &both, name);
        let (Some(own), Some(theirs)) = (mean(control), mean(other)) else { continue };
        let mut counts = [0_usize; 3];
        for set in &both {
            let of =
                |name: &str| results.score(view, &set.name, name, Measure::Accuracy).map(|score| rounded(score.mean));
            if let (Some(own), Some(theirs)) = (of(control), of(other)) {
                counts[if own > theirs {
                    0
                } else if own < theirs {
                    2
                } else {
                    1
                }] += 1;
            }
        }
        let [better, equal, worse] = counts;
        let title = methods::title(other).to_owned();
        data.push([
            title,
            both.len().to_string(),
            format!("{better}/{equal}/{worse}"),
            format!("{:+.2}", own - theirs),
        ]);
    }
    let caption = format!("{} against each method, accuracy under {}", methods::title(control), view.name());
    (!data.rows.is_empty()).then(|| Table::new(&format!("pairs-{}", view.name()), &caption, data))
}

/// Rounds a mean, so that rounding errors do not break ties.
fn rounded(mean: f64) -> f64 {
    (mean * 1e8).round() / 1e8
}

/// Returns the printed scores.
pub(crate) fn printed_scores(measure: Measure, sets: &[DataSet]) -> Option<Scores> {
    let all = printed(measure);
    let names: Vec<String> = NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let row = |set: &DataSet| {
        let of = |(_, own): &(&str, &str)| all.get(&(set.name.clone(), (*own).to_owned())).copied();
        NAMES.iter().map(of).collect::<Option<Vec<f64>>>()
    };
    let with: Vec<(String, Vec<f64>)> = sets.iter().filter_map(|set| Some((set.name.clone(), row(set)?))).collect();
    let (sets, rows) = with.into_iter().unzip();
    Scores::new(sets, names, rows).ok()
}

/// Returns our scores of the comparable methods; `once` omits the data set that repeats an earlier one.
pub(crate) fn own_scores(
    results: &Results,
    view: View,
    sets: &[DataSet],
    names: &[String],
    once: bool,
) -> Option<Scores> {
    // Diabetes and Pima have the same rows and values with different names of columns and classes.
    let repeated = |set: &DataSet| once && set.name == "pima";
    let (done, names) = comparable(results, view, sets, names);
    let done: Vec<&DataSet> = done.into_iter().filter(|set| !repeated(set)).collect();
    let row = |set: &&DataSet| -> Option<Vec<f64>> {
        let of = |name: &String| Some(rounded(results.score(view, &set.name, name, Measure::Accuracy)?.mean));
        names.iter().map(of).collect()
    };
    let rows = done.iter().map(row).collect::<Option<Vec<_>>>()?;
    let titles = names.iter().map(|name| methods::title(name).to_owned()).collect();
    Scores::new(done.iter().map(|set| set.name.clone()).collect(), titles, rows).ok()
}
