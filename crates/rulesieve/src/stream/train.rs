//! From a selection to a model without holding the table: the rules learn from mini-batches of all rows; what the model
//! says of its rules and columns comes from the sample.

use super::batches::{Batches, Wishes};
use super::{FIRST_STREAM, StreamError, Surveyed};
use crate::model::fit::fit_fed;
use crate::model::{Chosen, Ground, OutputScale, Predictor, TrainError, TrainOptions, assemble, places};
use crate::optim::{Halt, Observer};
use crate::rule_network::feed::Feed;
use crate::select::Selection;
use crate::warning::Warning;
use std::time::Instant;

/// First random stream of rule training, apart from those of the search, which has one for every stage.
const RULE_STREAM: u64 = FIRST_STREAM + 0x40;

impl Surveyed<'_> {
    /// Trains a model on the columns of a selection. Coding and the policy about missing values are those of the survey.
    ///
    /// Returns it with the reason why an observer ended the training, if it did.
    ///
    /// # Errors
    /// Those of [`train`](crate::model::train()), and of the source.
    pub fn train(
        &self,
        selection: &Selection,
        options: &TrainOptions,
        observer: &mut dyn Observer,
    ) -> Result<(Predictor, Option<Halt>), StreamError> {
        let began = Instant::now();
        let chosen = places(&self.sample, &selection.selected)?;
        let (encoder, scaling, samples) = self.coded(&chosen, options.balanced)?;
        let (params, seed) = (&options.rules, options.seed);
        let wishes = Wishes {
            batch: params.batch,
            holdout: params.holdout,
            balanced: options.balanced,
            seed,
            stream: RULE_STREAM,
        };
        let (split, learn, mut feed) = Batches::new(self, &samples, &wishes);
        // Once: from one number of rules to the next, the feed goes on where it is in the file.
        feed.begin(&chosen).map_err(TrainError::from)?;
        let mut fitted = fit_fed(split, learn, params, seed, observer, &mut feed).map_err(TrainError::from)?;
        let (there, aside) = feed.rows();
        fitted.rows = (there.min(fitted.seen), aside);
        let (mean, scale) = self.plan.aim.output();
        let ground = Ground {
            target: &self.sample.target,
            missing: self.sample.missing,
            features: chosen.iter().map(|&at| &self.sample.features[at]).collect(),
            encoder,
            scaling,
            samples,
            output: OutputScale { mean, scale },
            rows: self.rows,
            warnings: self.sample_warning().into_iter().collect(),
            began,
        };
        Ok(assemble(ground, &fitted, Chosen::of(selection), options)?)
    }

    fn sample_warning(&self) -> Option<Warning> {
        let (sample, rows) = (self.sample.samples(), self.rows);
        (sample < rows).then_some(Warning::SampledRules { sample, rows })
    }
}
