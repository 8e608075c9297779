//! The rows for `select` and `train`: a table in memory, or a streamed file.

use crate::args::{DataArgs, FitArgs, InputArgs};
use crate::progress::Watcher;
use crate::{input, output};
use anyhow::{Context, Result};
use rulesieve::data::Dataset;
use rulesieve::methods::FitError;
use rulesieve::model::{CrossFit, Predictor, TrainOptions, cross_fit, train};
use rulesieve::optim::Halt;
use rulesieve::select::{SelectError, SelectOptions, Selection, select};
use rulesieve::stream::{self, StreamError, Surveyed};

/// Input rows, and the INPUT that errors name.
pub(crate) struct Rows<'a> {
    input: &'a str,
    storage: Storage<'a>,
}

enum Storage<'a> {
    InMemory(Box<Dataset>),
    Streamed(Box<Surveyed<'a>>),
}

/// Reads INPUT, or passes over it once for `--stream`, and calls `work` with its rows.
pub(crate) fn with_rows<T>(
    (input, data, fit): (&InputArgs, &DataArgs, &FitArgs),
    options: &SelectOptions,
    work: impl FnOnce(&Rows) -> Result<T>,
) -> Result<T> {
    let name = input.input.as_str();
    if !fit.stream {
        let data = input::dataset(input::sampled_table(input, data, fit.seed)?, name, data, fit.categorical_coding)?;
        return work(&Rows { input: name, storage: Storage::InMemory(Box::new(data)) });
    }
    // Rejects unsupported options before the file is opened.
    stream::check(options)?;
    let file = input::rows(input)?;
    let data = input::dataset_options(data, fit.categorical_coding);
    let surveyed = Surveyed::new(&file, &data, options.seed);
    let surveyed = surveyed.map_err(|error| with_input(error, name))?;
    input::print_task(&surveyed.sample);
    work(&Rows { input: name, storage: Storage::Streamed(Box::new(surveyed)) })
}

impl Rows<'_> {
    /// Returns the rows in memory (a sample if streamed) and the total number of rows.
    pub(crate) fn in_memory(&self) -> (&Dataset, usize) {
        match &self.storage {
            Storage::InMemory(data) => (data, data.samples()),
            Storage::Streamed(rows) => (&rows.sample, rows.rows),
        }
    }

    pub(crate) fn select(&self, options: &SelectOptions, watcher: &mut Watcher) -> Result<Selection> {
        watcher.begin();
        match &self.storage {
            Storage::InMemory(data) => select(data, options, watcher).with_context(|| output::shown(self.input)),
            Storage::Streamed(rows) => rows.select(options, watcher).map_err(|error| with_input(error, self.input)),
        }
    }

    pub(crate) fn train(
        &self,
        selection: &Selection,
        options: &TrainOptions,
        watcher: &mut Watcher,
    ) -> Result<(Predictor, Option<Halt>)> {
        watcher.begin();
        match &self.storage {
            Storage::InMemory(data) => {
                train(data, selection, options, watcher).with_context(|| output::shown(self.input))
            }
            Storage::Streamed(rows) => {
                rows.train(selection, options, watcher).map_err(|error| with_input(error, self.input))
            }
        }
    }

    /// Computes held-out results of selection and training; a streamed file uses its sample.
    pub(crate) fn cross_fit(&self, select: &SelectOptions, train: &TrainOptions, watcher: &mut Watcher) -> CrossFit {
        watcher.begin();
        cross_fit(self.in_memory().0, select, train, None, watcher)
    }
}

/// Adds INPUT to an error.
fn with_input(error: StreamError, input: &str) -> anyhow::Error {
    match error {
        // Errors of the reader name the file already.
        StreamError::Source(_) | StreamError::Select(SelectError::Fit(FitError::Rows { .. })) => {
            anyhow::Error::new(error)
        }
        error => anyhow::Error::new(error).context(output::shown(input)),
    }
}
