//! Relative times of the methods.

use crate::document::{Block, Table};
use crate::manifest::DataSet;
use crate::printed::OURS;
use crate::results::{Results, View};
use crate::tables::comparable;
use rulesieve::methods;
use rulesieve_report::Data;

/// The time of a method over some data sets.
struct Taken {
    /// Seconds of all settings.
    seconds: f64,
    /// Seconds of one setting, summed over the data sets.
    one: f64,
    /// Settings on every data set.
    settings: Vec<usize>,
}

impl Taken {
    fn new(results: &Results, sets: &[&str], method: &str) -> Option<Self> {
        let mut taken = Self { seconds: 0.0, one: 0.0, settings: Vec::new() };
        for set in sets {
            let cell = results.cell(View::Paper, set, method)?;
            taken.seconds += cell.seconds;
            taken.one += cell.seconds / cell.points.len().max(1) as f64;
            taken.settings.push(cell.points.len());
        }
        Some(taken)
    }

    /// The most settings that it has on any data set.
    fn most(&self) -> usize {
        self.settings.iter().copied().max().unwrap_or(0)
    }

    /// The data sets with fewer settings, and how many.
    fn thinned(&self, sets: &[&str]) -> Vec<String> {
        let fewer = sets.iter().zip(&self.settings).filter(|(_, count)| **count < self.most());
        fewer.map(|(set, count)| format!("{set} ({count})")).collect()
    }
}

/// Seconds for each setting over the data sets that the first method has done, as a multiple of the paper's method.
pub(crate) fn blocks(results: &Results, sets: &[DataSet], order: &[String]) -> Vec<Block> {
    let (done, order) = comparable(results, View::Paper, sets, order);
    let names: Vec<&str> = done.iter().map(|set| set.name.as_str()).collect();
    let each = |method: &str| Taken::new(results, &names, method);
    let Some(unit) = each(OURS).filter(|_| !names.is_empty()) else { return Vec::new() };
    let all: f64 = order.iter().filter_map(|name| each(name)).map(|taken| taken.seconds).sum();
    let mut data = Data::new(["method", "settings", "time of a setting, ldr-tsk = 1", "share of all work in %"]);
    let mut remarks = Vec::new();
    for name in &order {
        let Some(taken) = each(name) else { continue };
        let title = methods::title(name);
        data.push([
            title.to_owned(),
            taken.most().to_string(),
            format!("{:.3}", taken.one / unit.one),
            format!("{:.1}", 100.0 * taken.seconds / all),
        ]);
        let thinned = taken.thinned(&names);
        if !thinned.is_empty() {
            remarks.push(format!("Fewer settings of {title} on {}.", thinned.join(", ")));
        }
    }
    let caption = format!("Time of fits and SVMs under protocol paper over {} data sets", names.len());
    // A cell saves its time, whatever else the machine did then.
    remarks.push(
        "Times are wall-clock times, possibly measured beside other work or on other machines: a rough guide. In the project's saved results, \
         the other methods were timed on a processor about 2.2 times slower than that of `ldr-tsk` (`experiments/speed/column-5.json` and `-7.json`).".to_owned(),
    );
    vec![Block::Table(Table::new("times", &caption, data)), Block::List(remarks)]
}
