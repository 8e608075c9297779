//! The picture experiment of the paper: half of the ORL faces for training, the top 30 % of the pixels selected.

use crate::document::{Block, Table};
use crate::manifest::{DataSet, FACES};
use crate::{Cause, ReproduceError};
use rulesieve::data::{CategoricalCoding, Dataset, Encoder, FeatureValues};
use rulesieve::methods::{self, Method};
use rulesieve::optim::Observer;
use rulesieve::select::{RankingRequest, SelectError, ranked_on};
use rulesieve_eval::splits::{Plan, subsample};
use rulesieve_report::Data;
use rulesieve_report::charts::{Chart, Panels, Picture, Pictures};
use std::collections::BTreeMap;

/// Pixels per side; the file stores them column by column.
const SIDE: usize = 32;
/// Fraction of the pixels that is selected.
const SELECTED: f64 = 0.3;
/// Persons whose first picture is plotted.
const PERSONS: [usize; 7] = [0, 4, 9, 14, 19, 29, 39];
/// Number of pictures per person.
const PICTURES: usize = 10;

/// Note for figures without faces, which are not part of the project because of their licence.
const WITHOUT_FACES: &str =
    " The pixels are shown without the faces, which are not part of the project; `reproduce --data DIR` shows both.";

/// Name, rows and columns of a landmark.
type Landmark = (&'static str, (usize, usize), (usize, usize));

/// Rows and columns (from the upper left, inclusive) of brows and eyes, nose and mouth in the mean of all 400 faces. They were read
/// from this mean before any selection was made.
const LANDMARKS: [Landmark; 4] = [
    ("left eye and brow", (4, 10), (4, 12)),
    ("right eye and brow", (4, 10), (19, 27)),
    ("nose", (15, 19), (11, 20)),
    ("mouth", (21, 26), (9, 22)),
];

/// Returns the row and column of a pixel.
fn position(pixel: usize) -> (usize, usize) {
    (pixel % SIDE, pixel / SIDE)
}

fn is_landmark(pixel: usize) -> bool {
    let (row, column) = position(pixel);
    LANDMARKS
        .iter()
        .any(|(_, rows, columns)| (rows.0..=rows.1).contains(&row) && (columns.0..=columns.1).contains(&column))
}

/// Returns the fraction of selected pixels on landmarks relative to that of all pixels; 1 is chance level.
fn lift(pixels: &[usize]) -> f64 {
    let share = |pixels: &mut dyn Iterator<Item = usize>, all: usize| {
        pixels.filter(|&pixel| is_landmark(pixel)).count() as f64 / all.max(1) as f64
    };
    share(&mut pixels.iter().copied(), pixels.len()) / share(&mut (0..SIDE * SIDE), SIDE * SIDE)
}

/// Returns the pixels that a method selects with its defaults, best first; `None` if the observer ends it.
///
/// # Errors
/// Fails if the fit fails.
pub(crate) fn selected(
    data: &Dataset,
    name: &str,
    observer: &mut dyn Observer,
) -> Result<Option<Vec<usize>>, ReproduceError> {
    let method = name.parse::<Method>()?;
    let settings = method.settings(&[]).map_err(|error| ReproduceError::Grid { name: name.to_owned(), error })?;
    let fault = |error: Cause| ReproduceError::Data { name: format!("{name} on {FACES}"), error };
    let rows = subsample(&Plan::Folds { folds: 2, repeats: 1 }, data.target.codes(), 0);
    let of = |error: SelectError| fault(error.into());
    let design = Encoder::fit(data, &rows, CategoricalCoding::Ordinal)
        .and_then(|encoder| encoder.transform(data, &rows))
        .map_err(|error| fault(error.into()))?;
    let (rows, design, settings) = (rows.as_slice(), &design, std::slice::from_ref(&settings));
    let request = RankingRequest { data, rows, design, method, settings, weights: None, seed: 0 };
    let orders = ranked_on(&request, observer).map_err(of)?;
    let Some(order) = orders.into_iter().next() else { return Ok(None) };
    let mut pixels = order.map_err(|error| fault(error.into()))?.indices;
    pixels.truncate((SELECTED * (SIDE * SIDE) as f64) as usize);
    // Features are in the order of the pixels, f0001 to f1024.
    Ok(Some(pixels))
}

/// Creates the figure, with faces if `faces` is given and masks only otherwise, and the table of pixels on landmarks.
pub(crate) fn blocks(
    selected: &BTreeMap<String, Vec<usize>>,
    order: &[String],
    faces: Option<(&DataSet, &Dataset)>,
) -> Vec<Block> {
    let names: Vec<&String> = order.iter().filter(|name| selected.contains_key(*name)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mask = |name: &String| mask(&selected[name]);
    let picture =
        |pixels: &[f64], mask: Option<Vec<bool>>| Picture { height: SIDE, width: SIDE, pixels: pixels.to_vec(), mask };
    let chart: Box<dyn Chart> = match faces {
        Some((_, data)) => {
            let faces: Vec<Vec<f64>> = PERSONS.iter().map(|person| face(data, person * PICTURES)).collect();
            let mut rows = vec![("as they are".to_owned(), faces.iter().map(|face| picture(face, None)).collect())];
            rows.extend(names.iter().map(|name| {
                let marked = faces.iter().map(|face| picture(face, Some(mask(name)))).collect();
                (methods::title(name).to_owned(), marked)
            }));
            let columns = PERSONS.iter().map(|person| format!("person {}", person + 1)).collect();
            Box::new(Pictures { columns, rows })
        }
        None => {
            let panel = |name: &&String| {
                let mask = picture(&[0.0; SIDE * SIDE], Some(mask(name)));
                let chart = Pictures { columns: Vec::new(), rows: vec![(String::new(), vec![mask])] };
                (methods::title(name).to_owned(), Box::new(chart) as Box<dyn Chart>)
            };
            Box::new(Panels { panels: names.iter().map(panel).collect(), columns: 5, ..Default::default() })
        }
    };
    let count = selected.values().next().map_or(0, Vec::len);
    let title = format!("ORL: the {count} pixels of {} that each method keeps, in white", SIDE * SIDE);
    let mut table = Data::new(["method", "pixels on brows, eyes, nose, mouth", "times chance"]);
    for name in &names {
        let on = selected[*name].iter().filter(|&&pixel| is_landmark(pixel)).count();
        table.push([
            methods::title(name).to_owned(),
            format!("{on} of {count}"),
            format!("{:.2}", lift(&selected[*name])),
        ]);
    }
    let landmarks = (0..SIDE * SIDE).filter(|&pixel| is_landmark(pixel)).count();
    let boxes: Vec<String> = LANDMARKS
        .iter()
        .map(|(name, rows, columns)| {
            format!("{name} rows {} to {}, columns {} to {}", rows.0, rows.1, columns.0, columns.1)
        })
        .collect();
    let text = format!(
        "Times chance: the share of the kept pixels that lie on brows, eyes, nose and mouth, over the share of all pixels that do ({landmarks} of {}). \
         The four boxes were read from the mean of all faces, counted from 0 at the upper left: {}. The outline of the face, which also distinguishes \
         persons, is not counted.{}",
        SIDE * SIDE,
        boxes.join("; "),
        if faces.is_some() { "" } else { WITHOUT_FACES }
    );
    let figure = chart.figure("orl", &title);
    let caption = "Where the kept pixels lie".to_owned();
    vec![Block::Figure(Box::new(figure)), Block::Table(Table::new("orl", &caption, table)), Block::Text(text)]
}

/// Returns a mask of pixels by rows. Ignores invalid indices, which a file may contain.
fn mask(pixels: &[usize]) -> Vec<bool> {
    let mut mask = vec![false; SIDE * SIDE];
    for &pixel in pixels.iter().filter(|&&pixel| pixel < SIDE * SIDE) {
        let (row, column) = position(pixel);
        mask[row * SIDE + column] = true;
    }
    mask
}

/// Returns a face by rows, with values from 0 to 1.
fn face(data: &Dataset, at: usize) -> Vec<f64> {
    let value = |row: usize, column: usize| match data.features.get(column * SIDE + row).map(|feature| &feature.values)
    {
        Some(FeatureValues::Numeric(values)) => values.get(at).copied().unwrap_or(0.0) / 255.0,
        _ => 0.0,
    };
    (0..SIDE)
        .flat_map(|row| (0..SIDE).map(move |column| (row, column)))
        .map(|(row, column)| value(row, column))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulesieve::data::{self, Column, ColumnData, DatasetOptions, Target};

    #[test]
    fn lift_is_one_at_chance_level() {
        assert!((lift(&(0..SIDE * SIDE).collect::<Vec<_>>()) - 1.0).abs() < 1e-12);
        let mouth: Vec<usize> = (9..=22).map(|column| column * SIDE + 23).collect();
        assert!(lift(&mouth) > 3.9, "column by column");
        let corner: Vec<usize> = (0..3).collect();
        assert_eq!(lift(&corner), 0.0);
        assert!(LANDMARKS[3].1.0 > LANDMARKS[2].1.1 && LANDMARKS[2].1.0 > LANDMARKS[0].1.1);
    }

    /// The first column of pixels in the file, the left edge of the face, gets brighter from top to bottom.
    #[test]
    fn faces_and_masks_are_upright() {
        let value = |pixel: usize| if pixel < SIDE { 255.0 * pixel as f64 / (SIDE - 1) as f64 } else { 51.0 };
        let column = |name: String, values: Vec<f64>| Column { name, data: ColumnData::Numeric(values) };
        let pixels =
            (0..SIDE * SIDE).map(|pixel| column(format!("f{:04}", pixel + 1), vec![0.0, value(pixel), 0.0, 0.0]));
        let person = column("person".to_owned(), vec![1.0, 1.0, 2.0, 2.0]);
        let table = data::Table::new(pixels.chain([person]).collect()).unwrap();
        let data = Dataset::new(table, &DatasetOptions::new(Target::named("person"))).unwrap();
        let face = face(&data, 1);
        for row in 0..SIDE {
            assert!(
                (face[row * SIDE] - row as f64 / 31.0).abs() < 1e-12,
                "brighter from top to bottom in the first column"
            );
            assert!(face[row * SIDE + 1..(row + 1) * SIDE].iter().all(|value| (value - 0.2).abs() < 1e-12));
        }
        assert!(!mask(&[SIDE * SIDE]).contains(&true), "an invalid pixel");
        assert_eq!(mask(&[3]).iter().position(|&marked| marked), Some(3 * SIDE));
    }
}
