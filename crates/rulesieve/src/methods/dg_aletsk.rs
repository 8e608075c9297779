//! `dg-aletsk`: double groups of gates under an adaptive softmin (Xue, Wang, Yuan and Dai, IEEE TFS 31(11), 2023).
//!
//! One rule for each of up to 100 training rows (50 from 10000 columns on), all spreads 1, gates `M(u) = 1 - exp(-10 u^2)`:
//!
//! `mu_nrd = exp(-M(lambda_d) (x_nd - m_rd)^2 / 2)`, `f_nr = (1/q) ln sum_d exp(q mu_nrd)` with `q = -700 / max_d mu_nrd`,
//! `yhat_n = sum_r (f_nr / sum_i f_ni) M(theta_r) p_r`, `loss = 1/2n sum |yhat_n - y_n|^2`.
//! Gates, nearly closed at first, and constants p are fitted by Adam on batches of a tenth of the rows; q counts as a
//! constant. Scores are the openings of the feature gates. The method's own number of features: for shares of both
//! groups of gates from 0.05 to 0.3 the system is reduced to the gates above the threshold, the gates are removed as
//! in the article's fine-tuning, first-order consequents are fitted by least squares (ridge 1e-6), and a tenth of the
//! rows validates; ties go to the system with fewer features, then with fewer rules. Fine-tuning itself does not
//! change the ranking and is omitted.
//!
//! The article was not available in full: apart from its softmin, this follows secondary sources. Assumed beyond them: firing strengths are at least 1e-12; validation rows take part in the gate phase, which
//! comes first; at most 2000 training rows and 2000 validation rows are used for the choice; the columns of a category
//! share a gate; a constant feature scores zero.

mod gates;
mod search;

use super::fuzzy::gate::{Gate, choice};
use super::fuzzy::rules::points;
use super::fuzzy::{samples_in_columns, varying};
use super::settings::ParamValue::Whole as W;
use super::settings::{AUTO, params};
use super::{Certainty, Fit, FitError, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::Matrix;
use crate::optim::Observer;
use gates::System;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

params! { SPECS:
    RULES = "rules", Word(AUTO), WholeOrAuto(1, 100_000),
        "maximum number of rules, each centred at a training row; auto: 100, or 50 from 10000 columns on";
    RATE = "rate", N(0.01), Number(1e-9, 10.0), "learning rate of Adam";
    EPOCHS = "epochs", W(10), Whole(1, 100_000), "passes over the training rows";
}

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "dg-aletsk",
    title: "DG-ALETSK",
    summary: "fuzzy rules centred at training rows, with an adaptive softmin and learned gates of features and rules",
    source: "Xue, Wang, Yuan and Dai, IEEE Transactions on Fuzzy Systems 31(11), 3866-3880, 2023",
    certainty: Certainty::SecondarySources,
    cost: "O(epochs n k m) for k = min(n, 100) rules",
    own_size: OwnSize::Always,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

/// Number of columns from which on there are fewer rules.
const MANY: usize = 10_000;

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows { xt: samples_in_columns(&problem.design.x), problem }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    xt: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (design, target) = (self.problem.design, self.problem.target);
        let by_width = if design.x.cols() >= MANY { 50 } else { 100 };
        let most = settings.auto_whole(&RULES).unwrap_or(by_width);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rules = points(target.codes(), target.classes().len(), most, &mut rng);
        let system = System::new(&self.xt, target.codes(), &design.blocks, &rules);
        let start = system.start(&rules, target.classes().len());
        let (rate, epochs) = (settings.number(&RATE), settings.whole(&EPOCHS));
        let (state, mut iteration) = gates::train(&system, start, rate, epochs, &mut rng, observer)?;
        let openings = Gate::Well.values(&state.features);
        let (scores, _) = choice(&openings, &varying(&design.x, &design.blocks), 0.0);
        let rules = Gate::Well.values(&state.rules);
        let (chosen, ended) = search::search(&system, &scores, &rules, target, &mut rng, observer)?;
        iteration.halted = iteration.halted.or(ended);
        iteration.converged = iteration.halted.is_none();
        iteration.diagnostics.extend([("kept_rules", chosen.rules as f64), ("held_out_accuracy", chosen.accuracy)]);
        Ok(Fit {
            scores,
            native: Some(chosen.features),
            iteration: Some(iteration),
            resolved: vec![(RULES.name, W(most as u64))],
            ..Fit::default()
        })
    }
}

#[cfg(test)]
mod tests;
