//! How long methods take, against one another.

use crate::document::{Block, Table};
use crate::explain::OURS;
use crate::manifest::DataSet;
use crate::results::{Results, View};
use crate::tables::comparable;
use rulesieve::methods;
use rulesieve_report::Data;

/// Seconds for each setting over the data sets that the first method has done, as a multiple of the paper's method.
pub(crate) fn blocks(results: &Results, sets: &[DataSet], order: &[String]) -> Vec<Block> {
    let (done, order) = comparable(results, View::Paper, sets, order);
    let names: Vec<&str> = done.iter().map(|set| set.name.as_str()).collect();
    let each = |method: &str| {
        let seconds = results.seconds(View::Paper, &names, method)?;
        let points = results.cell(View::Paper, names.first()?, method)?.points.len();
        Some((seconds / points.max(1) as f64, points, seconds))
    };
    let Some((unit, ..)) = each(OURS) else { return Vec::new() };
    let all: f64 = order.iter().filter_map(|name| each(name)).map(|(_, _, seconds)| seconds).sum();
    let mut data = Data::new(["method", "settings", "time of a setting, ldr-tsk = 1", "share of all work in %"]);
    for name in &order {
        if let Some((one, points, seconds)) = each(name) {
            data.push([
                methods::title(name).to_owned(),
                points.to_string(),
                format!("{:.3}", one / unit),
                format!("{:.1}", 100.0 * seconds / all),
            ]);
        }
    }
    let caption = format!("Time of fits and SVMs under protocol paper over {} data sets", names.len());
    vec![Block::Table(Table::new("times", &caption, data))]
}
