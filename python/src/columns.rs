//! Arrays and lists as a table.

use super::value_error;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rulesieve::data::{Column, ColumnData};
use rulesieve::generate;

/// The cells of one column.
#[derive(FromPyObject)]
pub(super) enum Cells<'py> {
    /// Numbers; NaN if missing.
    Numbers(PyReadonlyArray1<'py, f64>),
    /// Texts; empty if missing.
    Texts(Vec<String>),
}

/// A column from Python.
pub(super) type NamedColumn<'py> = (String, Cells<'py>);

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

/// Rejects arrays that are not aligned in memory, such as fields of packed records, because they cannot be read in place.
fn check_aligned(array: &Bound<'_, PyAny>) -> PyResult<()> {
    match array.getattr("flags")?.getattr("aligned")?.extract()? {
        true => Ok(()),
        false => Err(value_error("the array is not aligned in memory; copy it first")),
    }
}

/// Creates a table from the columns of an array, in any memory order, and single columns.
pub(super) fn table(
    names: Vec<String>,
    x: &PyReadonlyArray2<'_, f64>,
    columns: Vec<NamedColumn<'_>>,
) -> PyResult<rulesieve::data::Table> {
    check_aligned(x.as_any())?;
    let x = x.as_array();
    if names.len() != x.ncols() {
        return Err(value_error(format!("{} names for {} columns", names.len(), x.ncols())));
    }
    // Reads by rows, which are contiguous in most arrays.
    let mut values: Vec<Vec<f64>> = names.iter().map(|_| Vec::with_capacity(x.nrows())).collect();
    for row in x.rows() {
        values.iter_mut().zip(row).for_each(|(column, &value)| column.push(value));
    }
    let mut all: Vec<Column> =
        names.into_iter().zip(values).map(|(name, values)| Column::numeric(name, values)).collect();
    for (name, cells) in columns {
        all.push(cells.column(name)?);
    }
    rulesieve::data::Table::new(all).map_err(value_error)
}

/// A table for predictions and explanations.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct Table(pub(super) rulesieve::data::Table);

#[pymethods]
impl Table {
    #[new]
    fn new(names: Vec<String>, x: PyReadonlyArray2<'_, f64>, columns: Vec<NamedColumn<'_>>) -> PyResult<Self> {
        table(names, &x, columns).map(Self)
    }
}

/// The columns of a built-in table by name, its target, and its informative columns if known.
type LoadedTable = (Vec<(String, OutputCells)>, Option<String>, Option<Vec<String>>);

/// Loads a built-in table.
#[pyfunction]
#[pyo3(signature = (name, samples=None, features=None, seed=0))]
pub(super) fn load(name: &str, samples: Option<usize>, features: Option<usize>, seed: u64) -> PyResult<LoadedTable> {
    let (table, informative) = match (rulesieve_io::builtin(name), generate::find(name)) {
        (Some(_), _) if samples.is_some() || features.is_some() => {
            return Err(value_error(format!("{name} has a fixed size; leave samples and features out")));
        }
        (Some(table), _) => (table, None),
        (None, Some(generator)) => {
            let generated = generator.generate(samples, features, seed).map_err(value_error)?;
            (generated.table, Some(generated.informative))
        }
        (None, None) => {
            let names = generate::all().iter().map(|generator| generator.name).collect::<Vec<_>>().join(", ");
            return Err(value_error(format!("there is no built-in table '{name}'; there are: penguins, {names}")));
        }
    };
    let target = table.target_position(None).ok().map(|at| table.columns()[at].name.clone());
    let columns = table.into_columns().into_iter().map(|column| {
        let cells = match &column.data {
            ColumnData::Numeric(values) => OutputCells::Numbers(values.clone()),
            ColumnData::Text(_) | ColumnData::Dates(_) => {
                OutputCells::Texts((0..column.len()).map(|row| column.cell(row)).collect())
            }
        };
        (column.name, cells)
    });
    Ok((columns.collect(), target, informative))
}

/// The cells of a column for Python.
#[derive(IntoPyObject)]
pub(super) enum OutputCells {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}
