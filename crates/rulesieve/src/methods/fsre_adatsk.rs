//! `fsre-adatsk`: an adaptive fuzzy system with feature selection and rule extraction (Xue, Chang, Wang, Zhang and Pal, IEEE TFS
//! 31(7), 2023, arXiv 2201.03187).
//!
//! On standardised columns (`scale=standard`) or on columns between 0 and 1 (`scale=min-max`), with memberships without
//! spreads and a softmin that adapts its index to the sample:
//!
//! `mu_nrd = exp(-(x_nd - m_rd)^2)`, `f_nr = (mean_d mu_nrd^q)^(1/q)` with `q = max(-1000, ceil(690 / ln(min_d mu_nrd)))`,
//! `yhat_n = sum_r (f_nr / sum_i f_ni) (p_r0 + sum_d M(lambda_d) p_rd x_nd)`, `loss = 1/2n sum |yhat_n - y_n|^2`.
//!
//! *Feature selection*: ten rules, rule r at the r-th of ten equally spaced sets of every feature; gates
//! `M(u) = u exp((1 - u^2)/2)` of the features, consequents and centres by gradient descent. The gate function is odd,
//! so scores are `|M(lambda_d)|`; the method's own choice are those above the middle of their range (`zeta` 0.5; 0.4
//! beyond 1000 columns). A ranking needs no further phase.
//!
//! *Rule extraction*, with `phases=all`: five sets on the chosen features, the enhanced rule base (every compact rule,
//! and those that differ from it in one feature by one set), gates of the rules; the number of rules above their
//! threshold, at least one per class, is a diagnostic. *Fine-tuning*, with `phases=all` too: the remaining rules
//! without gates, their centres and consequents by gradient descent; the resulting loss and training accuracy are
//! diagnostics. Neither phase changes the ranking.
//!
//! The article was not available in full: this follows secondary sources. It does not state learning rate, iterations
//! or scaling: 0.05, 1000 and 600 on standardised columns work;
//! beyond 100 columns the rate is lowered in proportion (Adam opened nearly all gates of a planted table). Beyond 1000
//! columns centres are fixed while there are gates, as in the article. Assumed beyond it: q is at most -1; the
//! enhanced base wraps around at the ends; rules are extracted from the best of the chosen features, as many as give
//! at most 1000 rules; the columns of a category share a gate; a constant feature scores zero.

mod system;

use super::fuzzy::descent::{DescentResult, descend};
use super::fuzzy::gate::{Gate, choice, open, order};
use super::fuzzy::rules::{enhanced, partition};
use super::fuzzy::{samples_in_columns, varying};
use super::settings::params;
use super::{Certainty, Fit, FitError, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::Matrix;
use crate::optim::Observer;
use crate::rule_network::samples::Scaling;
use crate::warning::Warning;
use system::{Gated, State, System};

params! { SPECS:
    SETS = "sets", W(10), Whole(2, 1000), "fuzzy sets per feature, and rules, in the feature selection";
    SCALE = "scale", Word("standard"), OneOf(&["standard", "min-max"]),
        "scaling of the columns, which have no spread: standard deviation one, or range one";
    RATE = "rate", N(0.05), Number(1e-9, 1e3), "learning rate; beyond 100 columns divided by columns / 100";
    ITERATIONS = "iterations", W(1000), Whole(1, 1_000_000), "steps of the feature selection";
    ZETA = "zeta", N(0.5), Number(0.0, 1.0), "gates up to this share of their range below the largest are kept";
    ZETA_WIDE = "zeta_wide", N(0.4), Number(0.0, 1.0), "the same beyond 1000 columns";
    PHASES = "phases", Word("select"), OneOf(&["select", "all"]),
        "feature selection alone, or rule extraction and fine-tuning too";
    EXTRACT_SETS = "extract_sets", W(5), Whole(2, 1000), "fuzzy sets per feature in the rule extraction";
    EXTRACT_ITERATIONS = "extract_iterations", W(600), Whole(1, 1_000_000), "steps of the rule extraction";
    TUNE_ITERATIONS = "tune_iterations", W(1000), Whole(1, 1_000_000), "steps of the fine-tuning";
    ZETA_RULES = "zeta_rules", N(0.3), Number(0.0, 1.0), "as zeta, for the gates of the rules";
    ZETA_RULES_WIDE = "zeta_rules_wide", N(0.5), Number(0.0, 1.0), "the same beyond 1000 columns";
}

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "fsre-adatsk",
    title: "FSRE-AdaTSK",
    summary: "ten fuzzy rules with an adaptive softmin and learned gates of features in the consequents",
    source: "Xue, Chang, Wang, Zhang and Pal, IEEE Transactions on Fuzzy Systems 31(7), 2167-2181, 2023",
    certainty: Certainty::SecondarySources,
    cost: "O(n m c) an iteration, times ten rules",
    own_size: OwnSize::Always,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

/// Maximum number of columns for the unscaled learning rate.
const RATED: usize = 100;
/// Number of columns above which data are high-dimensional in the article.
const WIDE: usize = 1000;
/// Maximum number of candidate rules of the extraction.
const MOST_RULES: usize = 1000;

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(Unscaled(problem)))
}

struct Unscaled<'a>(Problem<'a>);

impl Prepared for Unscaled<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let x = &self.0.design.x;
        let columns: Vec<_> = (0..x.cols()).map(|col| col..col + 1).collect();
        let xt = match settings.word(&SCALE) {
            "standard" => Scaling::fit(x, &columns).apply(x),
            _ => samples_in_columns(x),
        };
        OnRows { problem: self.0, xt }.fit(settings, observer)
    }
}

struct OnRows<'a> {
    problem: Problem<'a>,
    /// Scaled, m x n.
    xt: Matrix,
}

impl OnRows<'_> {
    fn fit(&self, settings: &Settings, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (design, classes) = (self.problem.design, self.problem.target.classes().len());
        let blocks = &design.blocks;
        let start = State::start(blocks.len(), classes, partition(&self.xt, settings.whole(&SETS)));
        let found =
            self.train(&self.xt, Gated::Features(blocks), start, settings, settings.whole(&ITERATIONS), observer)?;
        let openings: Vec<f64> = found.state.gates.iter().map(|&u| Gate::Odd.value(u).abs()).collect();
        let zeta = settings.number(if self.xt.rows() > WIDE { &ZETA_WIDE } else { &ZETA });
        let (scores, native) = choice(&openings, &varying(&design.x, blocks), zeta);
        let mut fit = Fit { native: Some(native), warnings: found.warning.into_iter().collect(), ..Fit::default() };
        let mut iteration = found.iteration;
        if settings.word(&PHASES) == "all" && iteration.halted.is_none() {
            let kept = &order(&scores)[..native];
            let extracted = self.extract(kept, settings, observer)?;
            iteration.halted = extracted.halted;
            let counts = [("rules", extracted.rules as f64), ("extracted_rules", extracted.kept as f64)];
            iteration.diagnostics.extend(counts);
            if let Some((loss, accuracy)) = extracted.tuned {
                iteration.diagnostics.extend([("tuned_loss", loss), ("tuned_accuracy", accuracy)]);
            }
            fit.warnings.extend(extracted.warnings);
        }
        Ok(Fit { scores, iteration: Some(iteration), ..fit })
    }
}

/// Results of the rule extraction.
struct Extracted {
    rules: usize,
    kept: usize,
    /// Loss and training accuracy of the remaining system.
    tuned: Option<(f64, f64)>,
    warnings: Vec<Warning>,
    halted: Option<crate::optim::Halt>,
}

impl OnRows<'_> {
    fn train(
        &self,
        xt: &Matrix,
        gated: Gated,
        start: State,
        settings: &Settings,
        limit: usize,
        observer: &mut dyn Observer,
    ) -> Result<DescentResult<State>, FitError> {
        let stay = self.xt.rows() > WIDE && !matches!(gated, Gated::Nothing);
        let fixed = stay.then_some(&start.centres);
        let system = System::new(xt, self.problem.target.codes(), gated, fixed);
        let rate = settings.number(&RATE) * (RATED as f64 / xt.rows() as f64).min(1.0);
        descend(&start, rate, limit, observer, |state, rate| {
            let (loss, gradient) = system.loss(state);
            state.descend(&gradient, rate);
            loss
        })
    }

    /// Trains gates of the rules of an enhanced rule base on the best of some features.
    fn extract(
        &self,
        features: &[usize],
        settings: &Settings,
        observer: &mut dyn Observer,
    ) -> Result<Extracted, FitError> {
        let (sets, classes) = (settings.whole(&EXTRACT_SETS), self.problem.target.classes().len());
        let most = (MOST_RULES / sets).saturating_sub(1) / 2;
        let mut columns: Vec<usize> = Vec::new();
        let mut warnings = Vec::new();
        for (at, &feature) in features.iter().enumerate() {
            let block = self.problem.design.blocks[feature].clone();
            if at > 0 && columns.len() + block.len() > most {
                warnings.push(Warning::RulesFromBest { used: at, chosen: features.len() });
                break;
            }
            columns.extend(block);
        }
        let xt = Matrix::from_fn(columns.len(), self.xt.cols(), |row, sample| self.xt[(columns[row], sample)]);
        let (sets_at, rules) = (partition(&xt, sets), enhanced(sets, columns.len()));
        let centres = Matrix::from_fn(columns.len(), rules.len(), |col, rule| sets_at[(col, rules[rule][col])]);
        let start = State::start(rules.len(), classes, centres);
        let found = self.train(&xt, Gated::Rules, start, settings, settings.whole(&EXTRACT_ITERATIONS), observer)?;
        let zeta = if self.xt.rows() > WIDE { &ZETA_RULES_WIDE } else { &ZETA_RULES };
        let openings = found.state.gates.iter().map(|&u| Gate::Odd.value(u).abs());
        let openings: Vec<f64> = openings.collect();
        let kept = open(openings.iter().copied(), settings.number(zeta)).max(classes.min(rules.len()));
        warnings.extend(found.warning);
        let mut extracted =
            Extracted { rules: rules.len(), kept, tuned: None, warnings, halted: found.iteration.halted };
        if extracted.halted.is_none() {
            let left = found.state.rules(&order(&openings)[..kept]);
            let limit = settings.whole(&TUNE_ITERATIONS);
            let tuned = self.train(&xt, Gated::Nothing, left, settings, limit, observer)?;
            let loss = tuned.iteration.trace.last().map_or(f64::NAN, |terms| terms[0]);
            let system = System::new(&xt, self.problem.target.codes(), Gated::Nothing, None);
            extracted.tuned = Some((loss, system.accuracy(&tuned.state)));
            extracted.halted = tuned.iteration.halted;
            extracted.warnings.extend(tuned.warning);
        }
        Ok(extracted)
    }
}

#[cfg(test)]
mod tests;
