//! The rows that `select` and `train` learn from: a table in memory, or a file that is read again and again.

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

/// Rows to learn from, and the INPUT that errors name.
pub(crate) struct Rows<'a> {
    input: &'a str,
    kept: Kept<'a>,
}

enum Kept<'a> {
    Whole(Box<Dataset>),
    Streamed(Box<Surveyed<'a>>),
}

/// Reads the table that INPUT names, or passes over it once where it is to be streamed, and works with its rows.
pub(crate) fn from<T>(
    (input, data, fit): (&InputArgs, &DataArgs, &FitArgs),
    options: &SelectOptions,
    work: impl FnOnce(&Rows) -> Result<T>,
) -> Result<T> {
    let name = input.input.as_str();
    if !fit.stream {
        let data = input::dataset(input::table(input)?, name, data, fit.categorical_coding)?;
        return work(&Rows { input: name, kept: Kept::Whole(Box::new(data)) });
    }
    // Before the file is opened: what cannot be streamed at all.
    stream::check(options)?;
    let file = input::rows(input)?;
    let data = input::dataset_options(data, fit.categorical_coding);
    let surveyed = Surveyed::new(&file, &data, options.seed);
    let surveyed = surveyed.map_err(|error| named(error, name))?;
    work(&Rows { input: name, kept: Kept::Streamed(Box::new(surveyed)) })
}

impl Rows<'_> {
    /// The rows that can be shown, and how many there are: of a streamed file a sample.
    pub(crate) fn seen(&self) -> (&Dataset, usize) {
        match &self.kept {
            Kept::Whole(data) => (data, data.samples()),
            Kept::Streamed(rows) => (&rows.sample, rows.rows),
        }
    }

    pub(crate) fn select(&self, options: &SelectOptions, watcher: &mut Watcher) -> Result<Selection> {
        watcher.begin();
        match &self.kept {
            Kept::Whole(data) => select(data, options, watcher).with_context(|| output::shown(self.input)),
            Kept::Streamed(rows) => rows.select(options, watcher).map_err(|error| named(error, self.input)),
        }
    }

    pub(crate) fn train(
        &self,
        selection: &Selection,
        options: &TrainOptions,
        watcher: &mut Watcher,
    ) -> Result<(Predictor, Option<Halt>)> {
        watcher.begin();
        match &self.kept {
            Kept::Whole(data) => train(data, selection, options, watcher).with_context(|| output::shown(self.input)),
            Kept::Streamed(rows) => rows.train(selection, options, watcher).map_err(|error| named(error, self.input)),
        }
    }

    /// Results of selection and training on held-out rows; of a streamed file, those of its sample, in memory.
    pub(crate) fn cross_fit(&self, select: &SelectOptions, train: &TrainOptions, watcher: &mut Watcher) -> CrossFit {
        watcher.begin();
        cross_fit(self.seen().0, select, train, None, watcher)
    }
}

/// The error with the INPUT it is about.
fn named(error: StreamError, input: &str) -> anyhow::Error {
    match error {
        // The reader names the file itself, also from within a fit.
        StreamError::Source(_) | StreamError::Select(SelectError::Fit(FitError::Rows { .. })) => {
            anyhow::Error::new(error)
        }
        error => anyhow::Error::new(error).context(output::shown(input)),
    }
}
