//! Relative times of the methods.

use crate::document::{Block, Table};
use crate::manifest::DataSet;
use crate::printed::OURS;
use crate::results::{Results, View};
use crate::tables::comparable;
use rulesieve::methods;
use rulesieve_report::Data;

/// The time of a method over some data sets.
struct MethodTime {
    /// Seconds of all settings.
    seconds: f64,
    /// Mean seconds of a setting, summed over the data sets.
    per_setting: f64,
    /// Number of settings on each data set.
    settings: Vec<usize>,
}

impl MethodTime {
    fn new(results: &Results, sets: &[&str], method: &str) -> Option<Self> {
        let mut time = Self { seconds: 0.0, per_setting: 0.0, settings: Vec::new() };
        for set in sets {
            let cell = results.cell(View::Paper, set, method)?;
            time.seconds += cell.seconds;
            time.per_setting += cell.seconds / cell.points.len().max(1) as f64;
            time.settings.push(cell.points.len());
        }
        Some(time)
    }

    /// Returns the maximum number of settings on any data set.
    fn max_settings(&self) -> usize {
        self.settings.iter().copied().max().unwrap_or(0)
    }

    /// Lists the data sets with fewer settings, and their numbers.
    fn thinned(&self, sets: &[&str]) -> Vec<String> {
        let fewer = sets.iter().zip(&self.settings).filter(|(_, count)| **count < self.max_settings());
        fewer.map(|(set, count)| format!("{set} ({count})")).collect()
    }
}

/// Creates the table of times per setting over the data sets of the first method, relative to the paper's method.
pub(crate) fn blocks(results: &Results, sets: &[DataSet], order: &[String]) -> Vec<Block> {
    let (done, order) = comparable(results, View::Paper, sets, order);
    let names: Vec<&str> = done.iter().map(|set| set.name.as_str()).collect();
    let time_of = |method: &str| MethodTime::new(results, &names, method);
    let Some(unit) = time_of(OURS).filter(|_| !names.is_empty()) else { return Vec::new() };
    let all: f64 = order.iter().filter_map(|name| time_of(name)).map(|time| time.seconds).sum();
    let mut data = Data::new(["method", "settings", "time of a setting, ldr-tsk = 1", "share of all work in %"]);
    let mut remarks = Vec::new();
    for name in &order {
        let Some(time) = time_of(name) else { continue };
        let title = methods::title(name);
        data.push([
            title.to_owned(),
            time.max_settings().to_string(),
            format!("{:.3}", time.per_setting / unit.per_setting),
            format!("{:.1}", 100.0 * time.seconds / all),
        ]);
        let thinned = time.thinned(&names);
        if !thinned.is_empty() {
            remarks.push(format!("Fewer settings of {title} on {}.", thinned.join(", ")));
        }
    }
    let caption = format!("Time of fits and SVMs under protocol paper over {} data sets", names.len());
    remarks.push(
        "Times are wall-clock times, possibly measured beside other work or on other machines: a rough guide. In the project's saved results, \
         the other methods were timed on a processor about 2.2 times slower than that of `ldr-tsk` (`experiments/speed/column-5.json` and `-7.json`).".to_owned(),
    );
    vec![Block::Table(Table::new("times", &caption, data)), Block::List(remarks)]
}
