//! Arrays and lists as a table.

use super::refused;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rulesieve::data::{Column, ColumnData};
use rulesieve::generate;

/// The cells of one column.
#[derive(FromPyObject)]
pub(super) enum Cells<'py> {
    /// Numbers; NaN where missing.
    Numbers(PyReadonlyArray1<'py, f64>),
    /// Texts; empty where missing.
    Texts(Vec<String>),
}

/// A column as Python gives it.
pub(super) type Named<'py> = (String, Cells<'py>);

impl Cells<'_> {
    fn column(self, name: String) -> PyResult<Column> {
        Ok(match self {
            Self::Numbers(values) => {
                check_aligned(values.as_any())?;
                Column::numeric(name, values.as_array().to_vec())
            }
            Self::Texts(texts) => Column::text(name, texts),
        })
    }
}

/// Refuses arrays whose numbers do not lie where the processor reads numbers, such as fields of packed records: to read
/// them in place would be a fault.
fn check_aligned(array: &Bound<'_, PyAny>) -> PyResult<()> {
    match array.getattr("flags")?.getattr("aligned")?.extract()? {
        true => Ok(()),
        false => Err(refused("the array is not aligned in memory; copy it first")),
    }
}

/// A table of the columns of an array, read in place whatever its order, followed by single columns.
pub(super) fn table(
    names: Vec<String>,
    x: &PyReadonlyArray2<'_, f64>,
    columns: Vec<Named<'_>>,
) -> PyResult<rulesieve::data::Table> {
    check_aligned(x.as_any())?;
    let x = x.as_array();
    if names.len() != x.ncols() {
        return Err(refused(format!("{} names for {} columns", names.len(), x.ncols())));
    }
    // All columns in one pass over the rows, which lie side by side in most arrays.
    let mut values: Vec<Vec<f64>> = names.iter().map(|_| Vec::with_capacity(x.nrows())).collect();
    for row in x.rows() {
        values.iter_mut().zip(row).for_each(|(column, &value)| column.push(value));
    }
    let mut all: Vec<Column> =
        names.into_iter().zip(values).map(|(name, values)| Column::numeric(name, values)).collect();
    for (name, cells) in columns {
        all.push(cells.column(name)?);
    }
    rulesieve::data::Table::new(all).map_err(refused)
}

/// A table to be asked about.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Table(pub(super) rulesieve::data::Table);

#[pymethods]
impl Table {
    #[new]
    fn new(names: Vec<String>, x: PyReadonlyArray2<'_, f64>, columns: Vec<Named<'_>>) -> PyResult<Self> {
        table(names, &x, columns).map(Self)
    }
}

/// The columns of an embedded table by name, its target, and the columns that carry signal where that is known.
type Loaded = (Vec<(String, Cell)>, Option<String>, Option<Vec<String>>);

/// An embedded table: its columns by name, the target, and the columns that carry signal where that is known.
#[pyfunction]
#[pyo3(signature = (name, samples=None, features=None, seed=0))]
pub(super) fn load(name: &str, samples: Option<usize>, features: Option<usize>, seed: u64) -> PyResult<Loaded> {
    let (table, informative) = match (rulesieve_io::builtin(name), generate::find(name)) {
        (Some(_), _) if samples.is_some() || features.is_some() => {
            return Err(refused(format!("{name} is a table as it is; leave samples and features out")));
        }
        (Some(table), _) => (table, None),
        (None, Some(generator)) => {
            let made = generator.generate(samples, features, seed).map_err(refused)?;
            (made.table, Some(made.informative))
        }
        (None, None) => {
            let made = generate::all().iter().map(|generator| generator.name).collect::<Vec<_>>().join(", ");
            return Err(refused(format!("there is no embedded table '{name}'; there are: penguins, {made}")));
        }
    };
    let target = table.target_position(None).ok().map(|at| table.columns()[at].name.clone());
    let columns = table.into_columns().into_iter().map(|column| {
        let cells = match &column.data {
            ColumnData::Numeric(values) => Cell::Numbers(values.clone()),
            ColumnData::Text(_) => Cell::Texts((0..column.len()).map(|row| column.cell(row)).collect()),
        };
        (column.name, cells)
    });
    Ok((columns.collect(), target, informative))
}

/// The cells of a column on their way to Python.
#[derive(IntoPyObject)]
pub(super) enum Cell {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}
