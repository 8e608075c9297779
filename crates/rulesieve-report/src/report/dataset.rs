//! Views of a data set for figures and models.

use rulesieve::data::{Column, Dataset, FeatureValues, MISSING, Table};

/// Maximum number of classes in a figure; small ones are merged.
const CLASSES: usize = 6;

/// The class group of each row; small classes are merged.
pub(super) struct Classes {
    pub(super) names: Vec<String>,
    /// The group of each row.
    pub(super) of: Vec<usize>,
}

impl Classes {
    pub(super) fn of(data: &Dataset) -> Self {
        let counts = data.target.counts();
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
        let own = if counts.len() > CLASSES { CLASSES - 1 } else { counts.len() };
        let mut kept = order[..own].to_vec();
        kept.sort_unstable();
        let mut names: Vec<String> = kept.iter().map(|&class| data.target.classes()[class].clone()).collect();
        if counts.len() > own {
            names.push(format!("{} other classes", counts.len() - own));
        }
        let place = |code: &u32| kept.iter().position(|&class| class == *code as usize).unwrap_or(own);
        Self { of: data.target.codes().iter().map(place).collect(), names }
    }
}

/// The named columns of a data set as a table, and the target.
pub(super) fn table(data: &Dataset, features: &[String]) -> Option<(Table, Column)> {
    let columns = features.iter().map(|name| {
        Some(match &data.features[data.index_of(name)?].values {
            FeatureValues::Numeric(values) => Column::numeric(name, values.clone()),
            FeatureValues::Categorical { levels, codes } => {
                let cell = |&code: &u32| if code == MISSING { "" } else { levels[code as usize].as_str() };
                Column::text(name, codes.iter().map(cell))
            }
        })
    });
    let table = Table::new(columns.collect::<Option<Vec<_>>>()?).ok()?;
    let target = &data.target;
    let column = match target.numbers() {
        Some(numbers) => Column::numeric(target.name(), numbers.to_vec()),
        None => {
            Column::text(target.name(), target.codes().iter().map(|&code| target.classes()[code as usize].as_str()))
        }
    };
    Some((table, column))
}
