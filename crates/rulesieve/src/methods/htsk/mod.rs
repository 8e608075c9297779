//! `htsk`: a fuzzy classifier trained by gradients (Cui, Wu and Xu, IJCNN 2021; PyTSK), used for ranking by the
//! importance of its inputs.
//!
//! On standardised columns, `z_nr = -agg_d (x_nd - m_rd)^2 / (2 s_rd^2)`, `f = softmax(z)`, `logit_n = sum_r f_nr (p_r0 + x_n P_r)`.
//! The aggregation is the mean over the columns (HTSK), which does not saturate with their number, or the sum (TSK),
//! which is the product of memberships. Cross-entropy by Adam on batches; centres start at the best of five k-means
//! runs, spreads around 1; a tenth of the rows are validation rows, and training stops early at the best validation
//! loss.
//!
//! As published it is a classifier without a ranking. The scores are of this project: the root mean square of the
//! derivative of the centred logits with respect to each standardised column, as in `ldr-tsk-inductive`; a category is
//! scored as a whole, with the covariance of its columns. If columns outnumber rows, consequents are constants by
//! default: on planted tables of 60 x 150 to 200 x 300 linear ones overfitted within ten epochs, with a validation
//! loss near that of a constant prediction. Few rows remain difficult: of the planted tables, those of 60 and some of
//! 90 rows by 150 columns were not recovered with the defaults. [`Classifier`] is the model itself.

mod classifier;
mod network;

pub use classifier::{Classifier, Params};

use super::settings::ParamValue::Word;
use super::settings::{AUTO, params};
use super::shared::no_better_than_chance;
use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::optim::Observer;

params! { SPECS:
    RULES = "rules", W(30), Whole(1, 100_000), "maximum number of rules, at most the number of training rows";
    ORDER = "order", Word(AUTO), OneOf(&[AUTO, "zero", "first"]), "consequents; auto: zero if columns outnumber rows";
    AGGREGATION = "aggregation", Word("htsk"), OneOf(&["htsk", "tsk"]), "mean or sum of the squared distances";
    RATE = "rate", N(0.01), Number(1e-9, 10.0), "learning rate of Adam";
    EPOCHS = "epochs", W(200), Whole(1, 1_000_000), "maximum number of epochs";
    PATIENCE = "patience", W(20), Whole(1, 1_000_000),
        "epochs without improvement of the validation loss before early stopping";
    BATCH = "batch", Word(AUTO), WholeOrAuto(1, 1_000_000), "rows of a batch; auto: 512, or 60 below 1024 rows";
}

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "htsk",
    title: "HTSK",
    summary: "a fuzzy classifier trained by gradients; features ranked by the sensitivity of its outputs",
    source: "Cui, Wu and Xu, IJCNN 2021, arXiv 2102.04271, for the classifier; the ranking is of this project",
    certainty: Certainty::Established,
    cost: "O(n k m c) an epoch for k rules and c classes",
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows(problem)))
}

struct OnRows<'a>(Problem<'a>);

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (design, target) = (self.0.design, self.0.target);
        let first_order = match settings.word(&ORDER) {
            AUTO => design.x.cols() <= design.x.rows(),
            order => order == "first",
        };
        let params = Params {
            rules: settings.whole(&RULES),
            first_order,
            mean: settings.word(&AGGREGATION) == "htsk",
            rate: settings.number(&RATE),
            epochs: settings.whole(&EPOCHS),
            patience: settings.whole(&PATIENCE),
            batch: settings.auto_whole(&BATCH),
        };
        let found = Classifier::fit(&design.x, target.codes(), target.classes().len(), &params, seed, observer)?;
        let scores = found.importance(&design.x, &design.blocks);
        let warnings = no_better_than_chance(found.validation_loss, found.chance_loss).into_iter().collect();
        let resolved = vec![(ORDER.name, Word(if first_order { "first" } else { "zero" }))];
        Ok(Fit { scores, warnings, resolved, iteration: Some(found.iteration), ..Fit::default() })
    }
}

#[cfg(test)]
mod tests;
