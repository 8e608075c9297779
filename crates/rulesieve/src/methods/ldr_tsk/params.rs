//! The parameters of `ldr-tsk`. What the paper states is named as such; everything else is a choice of ours, because
//! the paper leaves it open.

use crate::methods::settings::{AUTO, ParamError, ParamValue, Settings, params};

use ParamValue::Whole as W;

params! { pub(super) SPECS:
    ALPHA = "alpha", N(1.0), Number(1e-6, 1e6), "weight of |XQ - X_hat|^2; the paper searches 0.01 to 100";
    BETA = "beta", N(1.0), Number(1e-6, 1e6), "weight of the row sparsity |Q|_2,1; the paper searches 0.01 to 100";
    GAMMA = "gamma", N(1.0), Number(1e-6, 1e6), "weight of |P|^2; the paper searches 0.01 to 100";
    D = "d", Word(AUTO), WholeOrAuto(1, 1 << 24),
        "latent dimensions, at most the number of columns; auto: a third of them, at most 1024";
    RULES = "rules", Word(AUTO), WholeOrAuto(1, 1024),
        "fuzzy rules, at most the number of samples; auto: 5 if there are as many";
    TARGETS = "targets", Word("class-numbers"), OneOf(&["class-numbers", "one-hot", "numbers-by-appearance"]),
        "what is fitted: class numbers 1..c (paper), sorted or by first appearance in the table, or one output a class";
    ITERATIONS = "iterations", W(100), Whole(1, 1_000_000), "outer iterations at most";
    TOLERANCE = "tolerance", N(1e-5), Number(0.0, 1.0),
        "stop when J changed by less than this share of itself; 0: run all iterations";
    WINDOW = "window", W(5), Whole(1, 1_000),
        "iterations over which that change is taken, and after which it is looked at";
    INNER = "inner", W(2), Whole(1, 50), "passes of Algorithm 1 in an iteration (paper: one or two)";
    ETA = "eta", N(0.01), Number(1e-9, 1e3), "step of the multipliers Lambda";
    MU = "mu", N(0.5), Number(1e-12, 1.0), "weight of the barrier 1/F at the start (paper: between 0 and 1)";
    MU_DECAY = "mu_decay", N(0.99), Number(0.01, 1.0), "factor on mu in every iteration (paper)";
    RATE_X = "rate_x", N(0.01), Number(1e-9, 1.0), "Adam's rate for X_hat (paper)";
    RATE_P = "rate_p", N(0.01), Number(1e-9, 1.0), "Adam's rate for P (paper)";
    RATE_F = "rate_f", N(1e-4), Number(1e-9, 1.0), "Adam's rate for F (paper)";
}

/// The largest number of latent dimensions that is taken without being asked for: `floor(m / 3)` is the paper's, but
/// X_hat, P and `Q^T Q` grow with it.
pub(crate) const LARGEST_DEFAULT_D: usize = 1024;

/// The number of rules where samples suffice.
const DEFAULT_RULES: usize = 5;

/// What the consequents are fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Targets {
    /// One output: the number of the class in sorted order, 1 to c. The result depends on the order of the classes.
    ClassNumbers,
    /// One output: the number of the class by first appearance in the whole table, as a reader that numbers classes when it
    /// meets them gives it. The result depends on the order of the rows.
    NumbersByAppearance,
    /// One output for each class.
    OneHot,
}

/// Parameters of one fit, within their ranges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Params {
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
    pub d: usize,
    pub rules: usize,
    pub targets: Targets,
    pub iterations: usize,
    pub tolerance: f64,
    pub window: usize,
    pub inner: usize,
    pub eta: f64,
    pub mu: f64,
    pub mu_decay: f64,
    pub rate_x: f64,
    pub rate_p: f64,
    pub rate_f: f64,
}

impl Params {
    /// Takes the values from checked settings, and sets those that are `auto` for n samples and m columns.
    ///
    /// # Errors
    /// More latent dimensions than columns, or more rules than samples.
    pub(crate) fn new(settings: &Settings, n: usize, m: usize) -> Result<Self, ParamError> {
        let d = settings.auto_whole(&D).unwrap_or((m / 3).clamp(1, LARGEST_DEFAULT_D));
        if d > m {
            return Err(D.out_of_range(d, format!("at most the number of columns, {m}")));
        }
        let rules = settings.auto_whole(&RULES).unwrap_or(DEFAULT_RULES.min(n));
        if rules > n {
            return Err(RULES.out_of_range(rules, format!("at most the number of samples, {n}")));
        }
        Ok(Self {
            alpha: settings.number(&ALPHA),
            beta: settings.number(&BETA),
            gamma: settings.number(&GAMMA),
            d,
            rules,
            targets: match settings.word(&TARGETS) {
                "one-hot" => Targets::OneHot,
                "numbers-by-appearance" => Targets::NumbersByAppearance,
                _ => Targets::ClassNumbers,
            },
            iterations: settings.whole(&ITERATIONS),
            tolerance: settings.number(&TOLERANCE),
            window: settings.whole(&WINDOW),
            inner: settings.whole(&INNER),
            eta: settings.number(&ETA),
            mu: settings.number(&MU),
            mu_decay: settings.number(&MU_DECAY),
            rate_x: settings.number(&RATE_X),
            rate_p: settings.number(&RATE_P),
            rate_f: settings.number(&RATE_F),
        })
    }

    /// The parameters that depend on the data, with their values.
    pub(super) fn resolved(&self) -> Vec<(&'static str, ParamValue)> {
        vec![(D.name, W(self.d as u64)), (RULES.name, W(self.rules as u64))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Default for Params {
        fn default() -> Self {
            Self::new(&Settings::default(), 50, 31).unwrap()
        }
    }

    #[test]
    fn auto_depends_on_the_data() {
        let sizes = |n, m| Params::new(&Settings::default(), n, m).map(|params| (params.d, params.rules));
        for (n, m, expected) in
            [(50, 31, (10, 5)), (50, 2, (1, 5)), (4, 2, (1, 4)), (50, 30_000, (LARGEST_DEFAULT_D, 5))]
        {
            assert_eq!(sizes(n, m), Ok(expected), "{n} {m}");
        }
    }

    #[test]
    fn rejects_what_the_data_does_not_allow() {
        let error = |name, value| {
            let settings = Settings::new("ldr-tsk", &SPECS, [(name, value)]).unwrap();
            Params::new(&settings, 20, 6).unwrap_err().to_string()
        };
        assert!(error("d", "7").contains("d = 7 is not allowed; it must be at most the number of columns, 6"));
        assert!(error("rules", "21").contains("at most the number of samples, 20"));
    }
}
