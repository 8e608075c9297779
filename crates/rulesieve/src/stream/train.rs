//! Training without loading the table: rules are trained on mini-batches of all rows; the statistics of rules and
//! columns come from the sample.

use super::batches::{BatchOptions, Batches};
use super::{FIRST_STREAM, StreamError, Surveyed};
use crate::model::fit::fit_fed;
use crate::model::{Chosen, OutputScale, Predictor, TrainError, TrainOptions, TrainingData, assemble};
use crate::optim::{Halt, Observer};
use crate::pool;
use crate::rule_network::feed::Feed;
use crate::select::Selection;
use crate::warning::Warning;
use std::time::Instant;

/// First random stream of rule training, different from those of the search, which has one per stage.
const RULE_STREAM: u64 = FIRST_STREAM + 0x40;

impl Surveyed<'_> {
    /// Trains a model on the columns of a selection. Coding and the policy for missing values are those of the survey.
    ///
    /// Returns the model and, if an observer ended the training, the reason.
    ///
    /// # Errors
    /// See [`train`](crate::model::train()), and errors of the source.
    pub fn train(
        &self,
        selection: &Selection,
        options: &TrainOptions,
        observer: &mut dyn Observer,
    ) -> Result<(Predictor, Option<Halt>), StreamError> {
        pool::observed(observer, |observer| self.train_in_pool(selection, options, observer))
    }

    fn train_in_pool(
        &self,
        selection: &Selection,
        options: &TrainOptions,
        observer: &mut dyn Observer,
    ) -> Result<(Predictor, Option<Halt>), StreamError> {
        let began = Instant::now();
        let chosen = Chosen::of(selection, &self.sample)?;
        let (encoder, scaling, samples) = self.coded(&chosen.features, options.balanced)?;
        let (params, seed) = (&options.rules, options.seed);
        let batch_options = BatchOptions {
            batch: params.batch,
            holdout: params.holdout,
            balanced: options.balanced,
            seed,
            stream: RULE_STREAM,
        };
        let (split, learn, mut feed) = Batches::new(self, &samples, &batch_options);
        // Created once: the feed continues at the current position for the next number of rules.
        feed.begin(&chosen.features).map_err(TrainError::from)?;
        let mut fitted = fit_fed(split, learn, params, seed, observer, &mut feed).map_err(TrainError::from)?;
        let (available, validation) = feed.rows();
        fitted.rows = (available.min(fitted.seen), validation);
        let (mean, scale) = self.plan.target_coding.output();
        let training_data = TrainingData {
            target: &self.sample.target,
            missing: self.sample.missing,
            dates: &self.sample.dates,
            reading: &self.sample.reading,
            features: chosen.features.iter().map(|&at| &self.sample.features[at]).collect(),
            encoder,
            scaling,
            samples,
            output: OutputScale { mean, scale },
            rows: self.rows,
            warnings: self.sample_warning().into_iter().collect(),
            began,
        };
        Ok(assemble(training_data, &fitted, chosen, options)?)
    }

    fn sample_warning(&self) -> Option<Warning> {
        let (sample, rows) = (self.sample.samples(), self.rows);
        (sample < rows).then_some(Warning::SampledRules { sample, rows })
    }
}
