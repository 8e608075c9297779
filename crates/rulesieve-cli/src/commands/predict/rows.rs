//! Predictions as a table, written in chunks.

use rulesieve::data::{Column, Table, Task};
use rulesieve::model::{Model, Prediction, Predictions};
use rulesieve_io::{TableFormat, TableWriter};
use std::io::{self, Write};

/// Writes predictions chunk by chunk.
pub(crate) struct RowWriter<'a> {
    model: &'a Model,
    writer: TableWriter<'a>,
    rows: usize,
}

impl<'a> RowWriter<'a> {
    /// Begins the output.
    pub(crate) fn new(model: &'a Model, format: TableFormat, to: &'a mut dyn Write) -> io::Result<Self> {
        Ok(Self { model, writer: TableWriter::new(format, to)?, rows: 0 })
    }

    /// Writes the predictions of the next chunk.
    pub(crate) fn write(&mut self, predictions: &Predictions) -> io::Result<()> {
        self.rows += predictions.rows.len();
        let table = Table::new(self.columns(&predictions.rows)).map_err(io::Error::other)?;
        self.writer.write(&table)
    }

    /// Ends the output. A table without rows still has its header.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.rows == 0 {
            self.write(&Predictions::default())?;
        }
        self.writer.finish()
    }

    fn columns(&self, rows: &[Option<Prediction>]) -> Vec<Column> {
        if self.model.task == Task::Regression {
            let number = |row: &Option<Prediction>| match row {
                Some(Prediction::Number(value)) => *value,
                _ => f64::NAN,
            };
            return vec![Column::numeric("predicted", rows.iter().map(number).collect())];
        }
        let label = |row: &Option<Prediction>| match row {
            Some(Prediction::Class { class, .. }) => self.model.classes[*class].as_str(),
            _ => "",
        };
        let probability = |class: usize| {
            let of = |row: &Option<Prediction>| match row {
                Some(Prediction::Class { probabilities, .. }) => probabilities[class],
                _ => f64::NAN,
            };
            rows.iter().map(of).collect()
        };
        let named = self.model.classes.iter().enumerate();
        let columns = named.map(|(class, name)| Column::numeric(format!("probability_{name}"), probability(class)));
        std::iter::once(Column::text("predicted", rows.iter().map(label))).chain(columns).collect()
    }
}
