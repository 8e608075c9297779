//! `dg-tsk`: double groups of gates (Xue, Wang, Zhang, Yuan and Dai, Fuzzy Sets and Systems 469, 2023).
//!
//! One rule for each of up to 300 training rows: its centre is the row, its consequent the indicator of the row's
//! class. Every feature has a gate `M(lambda_d)`, the exponent of its memberships, and every rule a gate `M(theta_r)`,
//! the factor of its output, with `M(u) = u^2 exp(1 - u^2)`. With a common spread s, the mean standard deviation of
//! the rows that are rules:
//!
//! `z_nr = -sum_d M(lambda_d) (x_nd - m_rd)^2 / 2 s^2`, `f = softmax(z)`, `yhat_n = sum_r f_nr M(theta_r) (p_r0 + x_n P_r)`,
//! `loss = 1/2n sum |yhat_n - y_n|^2`.
//!
//! The gate phase: both groups of gates, nearly closed at first, and the consequents by gradient descent. Scores are
//! the openings of the feature gates; features above the midpoint between the most and the least open gate are the
//! method's own choice, and the rules within a hundredth of the range of theirs, at least one per class, a diagnostic.
//! The subsequent fine-tuning of the article changes centres, spreads and consequents of the chosen features, not the
//! ranking, and is omitted.
//!
//! The authors' code fits first-order consequents in this phase; the article reportedly describes constants. Here they
//! are of order one up to 100 columns and of order zero beyond (`order=auto`), where the slopes would multiply the time
//! of a step by up to the number of classes. `order=first` and `order=zero` set the order.
//!
//! Beyond the article: the softmax replaces products that underflow, a learning rate at which the loss diverges is
//! halved, the columns of a category share a gate, and a constant feature, whose gate has no gradient, scores zero.

use super::fuzzy::consequents::{Consequents, Outputs, descend as move_against, squared_error};
use super::fuzzy::descent::descend;
use super::fuzzy::firing::{Forms, gated, through_gates, through_softmax};
use super::fuzzy::gate::{Gate, choice, open, to_columns, to_features};
use super::fuzzy::rules::points;
use super::fuzzy::{samples_in_columns, varying};
use super::settings::ParamValue::Word;
use super::settings::{AUTO, params};
use super::{Certainty, Fit, FitError, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::{Matrix, Plain, Transposed, add_product};
use crate::optim::Observer;
use crate::rule_network::samples::windows;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

params! { SPECS:
    ORDER = "order", Word(AUTO), OneOf(&[AUTO, "zero", "first"]), "consequents; auto: zero beyond 100 columns";
    RULES = "rules", W(300), Whole(1, 100_000), "maximum number of rules, each centred at a training row";
    RATE = "rate", N(0.2), Number(1e-9, 1e3), "learning rate of the gradient descent";
    ITERATIONS = "iterations", W(300), Whole(1, 1_000_000), "steps of the gradient descent";
    ZETA = "zeta", N(0.5), Number(0.0, 1.0), "gates up to this share of their range below the largest are kept";
}

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "dg-tsk",
    title: "DG-TSK",
    summary: "fuzzy rules centred at training rows, with learned gates of features and rules",
    source: "Xue, Wang, Zhang, Yuan and Dai, Fuzzy Sets and Systems 469, 108627, 2023",
    certainty: Certainty::AuthorsCode,
    cost: "O(n k m) an iteration for k = min(n, 300) rules and c classes, O(n k m c) at order one",
    own_size: OwnSize::Always,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

/// Number of columns above which first-order consequents are too expensive.
const FIRST_ORDER_COLUMNS: usize = 100;
/// As `zeta`, for the gates of the rules.
const ZETA_RULES: f64 = 0.01;
/// Initial value of all gates.
const ALMOST_CLOSED: f64 = 0.1;
/// Maximum number of values of a window of samples, so that it stays in the cache.
const WINDOW: usize = 1 << 17;
/// Minimum number of samples of a window, to amortise reading all rules.
const MIN_WINDOW: usize = 192;

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
        let first = match settings.word(&ORDER) {
            AUTO => design.x.cols() <= FIRST_ORDER_COLUMNS,
            order => order == "first",
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rules = points(target.codes(), target.classes().len(), settings.whole(&RULES), &mut rng);
        let system = System::new(&self.xt, target.codes(), &design.blocks, &rules);
        let start = system.start(&rules, target.classes().len(), first);
        let (rate, limit) = (settings.number(&RATE), settings.whole(&ITERATIONS));
        let found = descend(&start, rate, limit, observer, |state, rate| {
            let (loss, gradient) = system.loss(state);
            state.descend(&gradient, rate);
            loss
        })?;
        let openings = Gate::Bell.values(&found.state.features);
        let (scores, native) = choice(&openings, &varying(&design.x, &design.blocks), settings.number(&ZETA));
        let rule_openings = Gate::Bell.values(&found.state.rules);
        let kept_rules = open(rule_openings.iter().copied(), ZETA_RULES).max(target.classes().len().min(rules.len()));
        let mut iteration = found.iteration;
        iteration.diagnostics.push(("kept_rules", kept_rules as f64));
        Ok(Fit {
            scores,
            native: Some(native),
            iteration: Some(iteration),
            warnings: found.warning.into_iter().collect(),
            resolved: vec![(ORDER.name, Word(if first { "first" } else { "zero" }))],
            ..Fit::default()
        })
    }
}

/// Fixed parts of the gate phase.
struct System<'a> {
    xt: &'a Matrix,
    codes: &'a [u32],
    blocks: &'a [Range<usize>],
    /// m x k.
    centres: Matrix,
    /// `1 / 2 s^2`.
    precision: f64,
}

/// Parameters, or the derivatives with respect to them.
#[derive(Debug, Clone)]
struct State {
    /// lambda, one for each feature.
    features: Vec<f64>,
    /// theta, one for each rule.
    rules: Vec<f64>,
    consequents: Consequents,
}

impl State {
    fn descend(&mut self, gradient: &Self, rate: f64) {
        move_against(&mut self.features, &gradient.features, rate);
        move_against(&mut self.rules, &gradient.rules, rate);
        self.consequents.descend(&gradient.consequents, rate);
    }
}

impl<'a> System<'a> {
    fn new(xt: &'a Matrix, codes: &'a [u32], blocks: &'a [Range<usize>], rules: &[usize]) -> Self {
        let centres = Matrix::from_fn(xt.rows(), rules.len(), |col, rule| xt[(col, rules[rule])]);
        let spread = mean_deviation(&centres);
        let precision = if spread > 0.0 { 0.5 / (spread * spread) } else { 0.5 };
        Self { xt, codes, blocks, centres, precision }
    }

    fn start(&self, rules: &[usize], classes: usize, first: bool) -> State {
        let own = |rule: usize, class: usize| f64::from(u8::from(self.codes[rules[rule]] as usize == class));
        let slopes = first.then(|| Matrix::zeros(self.xt.rows(), rules.len() * classes));
        State {
            features: vec![ALMOST_CLOSED; self.blocks.len()],
            rules: vec![ALMOST_CLOSED; rules.len()],
            consequents: Consequents { constants: Matrix::from_fn(rules.len(), classes, own), slopes },
        }
    }

    /// The loss and its derivatives.
    fn loss(&self, state: &State) -> (f64, State) {
        let each = state.consequents.values_per_sample().max(self.xt.rows()).max(self.centres.cols());
        self.loss_in_batches(state, (WINDOW / each.max(1)).max(MIN_WINDOW))
    }

    fn loss_in_batches(&self, state: &State, batch: usize) -> (f64, State) {
        let (n, k) = (self.xt.cols(), self.centres.cols());
        let gates = to_columns(&Gate::Bell.values(&state.features), self.blocks);
        let weights: Vec<f64> = gates.iter().map(|gate| gate * self.precision).collect();
        let forms = Forms::of_distances(&self.centres, &weights);
        let rule_gates = Gate::Bell.values(&state.rules);
        let mut gradient =
            State { features: Vec::new(), rules: vec![0.0; k], consequents: state.consequents.zeros_like() };
        let (mut shares, mut outputs) = (Matrix::default(), Outputs::default());
        let mut distances = Distances::new(&self.centres);
        let mut loss = 0.0;
        for window in windows(n, batch) {
            forms.shares(self.xt, &Matrix::default(), window.clone(), &mut shares);
            let weighted = gated(&shares, &rule_gates);
            state.consequents.forward(self.xt, window.clone(), &weighted, &mut outputs);
            let mut error = outputs.classes.clone();
            loss += squared_error(&mut error, &self.codes[window.clone()], n);
            let consequents = &mut gradient.consequents;
            let mut d = state.consequents.back(self.xt, window.clone(), &weighted, &outputs, &error, consequents);
            through_gates(&shares, &rule_gates, &mut d, &mut gradient.rules);
            through_softmax(&shares, &mut d);
            distances.add(self.xt, window, &d);
        }
        gradient.rules.iter_mut().zip(&state.rules).for_each(|(sum, &u)| *sum *= Gate::Bell.slope(u));
        gradient.features = to_features(&distances.finish(), self.blocks);
        for (sum, &u) in gradient.features.iter_mut().zip(&state.features) {
            *sum *= -self.precision * Gate::Bell.slope(u);
        }
        (loss, gradient)
    }
}

/// `sum_{n,r} delta_nr (x_nd - m_rd)^2` for every column d, where `sum_r delta_nr = 0`: the squares of x cancel.
struct Distances<'a> {
    centres: &'a Matrix,
    mixed: Vec<f64>,
    masses: Vec<f64>,
    pulled: Matrix,
}

impl<'a> Distances<'a> {
    fn new(centres: &'a Matrix) -> Self {
        let (mixed, masses) = (vec![0.0; centres.rows()], vec![0.0; centres.cols()]);
        Self { centres, mixed, masses, pulled: Matrix::default() }
    }

    fn add(&mut self, xt: &Matrix, window: Range<usize>, delta: &Matrix) {
        for (rule, mass) in self.masses.iter_mut().enumerate() {
            *mass += delta.col(rule).iter().sum::<f64>();
        }
        self.pulled.resize(xt.rows(), window.len());
        add_product(&mut self.pulled, 0.0, 1.0, Plain(self.centres), Transposed(delta));
        for (at, sample) in window.enumerate() {
            let terms = xt.col(sample).iter().zip(self.pulled.col(at));
            self.mixed.iter_mut().zip(terms).for_each(|(sum, (x, pulled))| *sum += x * pulled);
        }
    }

    fn finish(self) -> Vec<f64> {
        let mut sums: Vec<f64> = self.mixed.iter().map(|mixed| -2.0 * mixed).collect();
        for (rule, mass) in self.masses.iter().enumerate() {
            sums.iter_mut().zip(self.centres.col(rule)).for_each(|(sum, centre)| *sum += mass * centre * centre);
        }
        sums
    }
}

/// The mean over the rows of their standard deviations.
fn mean_deviation(x: &Matrix) -> f64 {
    let count = x.cols() as f64;
    let deviation = |row: usize| {
        let mean = (0..x.cols()).map(|col| x[(row, col)]).sum::<f64>() / count;
        let squares: f64 = (0..x.cols()).map(|col| (x[(row, col)] - mean).powi(2)).sum();
        (squares / (count - 1.0).max(1.0)).sqrt()
    };
    (0..x.rows()).map(deviation).sum::<f64>() / x.rows().max(1) as f64
}

#[cfg(test)]
mod tests;
