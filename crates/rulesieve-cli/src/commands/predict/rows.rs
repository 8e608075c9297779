//! Predictions as CSV or JSON, written in chunks.

use crate::args::RowFormat;
use rulesieve::data::Task;
use rulesieve::data::table::format_number;
use rulesieve::data::{Column, Table};
use rulesieve::model::{Model, Prediction, Predictions};
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Writes predictions chunk by chunk.
pub(crate) struct RowWriter<'a> {
    model: &'a Model,
    format: RowFormat,
    /// Names of the probability columns.
    names: Vec<String>,
    rows: usize,
}

impl<'a> RowWriter<'a> {
    pub(crate) fn new(model: &'a Model, format: RowFormat) -> Self {
        let names = match model.task {
            Task::Classification => model.classes.iter().map(|class| format!("probability_{class}")).collect(),
            Task::Regression => Vec::new(),
        };
        Self { model, format, names, rows: 0 }
    }

    /// Writes the predictions of the next chunk.
    pub(crate) fn write(&mut self, predictions: &Predictions, to: &mut dyn Write) -> io::Result<()> {
        match self.format {
            RowFormat::Csv => self.csv(predictions, to)?,
            RowFormat::Json | RowFormat::Jsonl => self.json(predictions, to)?,
        }
        self.rows += predictions.rows.len();
        Ok(())
    }

    /// Ends the output. A table without rows still has its header.
    pub(crate) fn finish(&mut self, to: &mut dyn Write) -> io::Result<()> {
        match self.format {
            RowFormat::Csv if self.rows == 0 => self.csv(&Predictions::default(), to),
            RowFormat::Json if self.rows == 0 => to.write_all(b"[]\n"),
            RowFormat::Json => to.write_all(b"\n]\n"),
            RowFormat::Csv | RowFormat::Jsonl => Ok(()),
        }
    }

    fn csv(&self, predictions: &Predictions, to: &mut dyn Write) -> io::Result<()> {
        let predicted = Column::text("predicted", predictions.rows.iter().map(|row| self.label(row.as_ref())));
        let probability = |class: usize| {
            let of = |row: &Option<Prediction>| match row {
                Some(Prediction::Class { probabilities, .. }) => probabilities[class],
                _ => f64::NAN,
            };
            predictions.rows.iter().map(of).collect()
        };
        let columns = self.names.iter().enumerate().map(|(class, name)| Column::numeric(name, probability(class)));
        let table = Table::new(std::iter::once(predicted).chain(columns).collect()).map_err(io::Error::other)?;
        if self.rows == 0 { rulesieve_io::write_csv(&table, to) } else { rulesieve_io::write_csv_rows(&table, to) }
    }

    fn json(&self, predictions: &Predictions, to: &mut dyn Write) -> io::Result<()> {
        for (at, row) in predictions.rows.iter().enumerate() {
            let before: &[u8] = match (self.format, self.rows + at) {
                (RowFormat::Json, 0) => b"[\n",
                (RowFormat::Json, _) => b",\n",
                _ => b"",
            };
            to.write_all(before)?;
            serde_json::to_writer(&mut *to, &self.object(row.as_ref()))?;
            if self.format == RowFormat::Jsonl {
                to.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    fn object(&self, row: Option<&Prediction>) -> Value {
        let mut object = Map::new();
        let predicted = match row {
            Some(Prediction::Class { class, .. }) => Value::from(self.model.classes[*class].as_str()),
            Some(Prediction::Number(value)) => Value::from(*value),
            None => Value::Null,
        };
        object.insert("predicted".to_owned(), predicted);
        for (class, name) in self.names.iter().enumerate() {
            let probability = match row {
                Some(Prediction::Class { probabilities, .. }) => Value::from(probabilities[class]),
                _ => Value::Null,
            };
            object.insert(name.clone(), probability);
        }
        Value::Object(object)
    }

    fn label(&self, row: Option<&Prediction>) -> String {
        match row {
            Some(Prediction::Class { class, .. }) => self.model.classes[*class].clone(),
            Some(Prediction::Number(value)) => format_number(*value),
            None => String::new(),
        }
    }
}
