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
///
/// | Name | Default | Range | Purpose |
/// |---|---|---|---|
/// | `alpha`, `beta`, `gamma` | 1 | 1e-6 to 1e6 | weights of the terms of J |
/// | `d` | 0, which stands for `floor(m/3)`, 1 to 1024 | up to m | latent dimensions |
/// | `rules` | 0, which stands for 5 or n if that is less | up to n | fuzzy rules |
/// | `targets` | class numbers | | what is fitted |
/// | `iterations`, `tolerance`, `window` | 100, 1e-5, 5 | | when to stop |
/// | `inner`, `eta` | 2, 0.01 | | passes and step of Algorithm 1 |
/// | `mu`, `mu_decay` | 0.5, 0.99 | | the barrier that keeps F positive |
/// | `rate_x`, `rate_p`, `rate_f` | 0.01, 0.01, 1e-4 | | Adam's rates |
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
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

impl Default for Params {
    fn default() -> Self {
        Self::from_settings(&Settings::default())
    }
}

impl Params {
    /// Takes the values from checked settings.
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        Self {
            alpha: settings.number(&ALPHA),
            beta: settings.number(&BETA),
            gamma: settings.number(&GAMMA),
            d: settings.auto_whole(&D).unwrap_or(0),
            rules: settings.auto_whole(&RULES).unwrap_or(0),
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
        }
    }

    /// Checks every range, also those that depend on the data (n samples, m columns), and fills in d and rules.
    pub(crate) fn for_data(&self, n: usize, m: usize) -> Result<Self, ParamError> {
        self.check_ranges()?;
        if self.d > m {
            return Err(D.out_of_range(self.d, format!("at most the number of columns, {m}")));
        }
        if self.rules > n {
            return Err(RULES.out_of_range(self.rules, format!("at most the number of samples, {n}")));
        }
        let d = if self.d == 0 { (m / 3).clamp(1, LARGEST_DEFAULT_D) } else { self.d };
        let rules = if self.rules == 0 { DEFAULT_RULES.min(n) } else { self.rules };
        Ok(Self { d, rules, ..self.clone() })
    }

    /// The parameters that the data decide, with the values they took.
    pub(super) fn resolved(&self) -> Vec<(&'static str, ParamValue)> {
        vec![(D.name, W(self.d as u64)), (RULES.name, W(self.rules as u64))]
    }

    /// Values taken from [`Settings`] are in range already; those written by a caller of the library may not be.
    fn check_ranges(&self) -> Result<(), ParamError> {
        let numbers = [
            (&ALPHA, self.alpha),
            (&BETA, self.beta),
            (&GAMMA, self.gamma),
            (&TOLERANCE, self.tolerance),
            (&ETA, self.eta),
            (&MU, self.mu),
            (&MU_DECAY, self.mu_decay),
            (&RATE_X, self.rate_x),
            (&RATE_P, self.rate_p),
            (&RATE_F, self.rate_f),
        ];
        let wholes = [(&ITERATIONS, self.iterations), (&WINDOW, self.window), (&INNER, self.inner)];
        let chosen = [(&D, self.d), (&RULES, self.rules)].into_iter().filter(|&(_, value)| value != 0);
        for (spec, value) in numbers {
            spec.parse(&value.to_string())?;
        }
        for (spec, value) in wholes {
            spec.parse(&value.to_string())?;
        }
        for (spec, value) in chosen {
            spec.parse(&value.to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_declaration_and_pass() {
        let checked = Params::default().for_data(50, 31).unwrap();
        assert_eq!((checked.d, checked.rules, checked.iterations, checked.inner), (10, 5, 100, 2));
        assert_eq!((checked.rate_x, checked.rate_f, checked.mu, checked.eta), (0.01, 1e-4, 0.5, 0.01));
        assert_eq!(Params::default().for_data(50, 2).unwrap().d, 1);
        assert_eq!(Params::default().for_data(4, 2).unwrap().rules, 4);
        assert_eq!(Params::default().for_data(50, 30_000).unwrap().d, LARGEST_DEFAULT_D);
    }

    #[test]
    fn refuses_what_the_data_do_not_allow() {
        let error = |params: Params| params.for_data(20, 6).unwrap_err().to_string();
        let base = Params::default;
        assert!(
            error(Params { d: 7, ..base() })
                .contains("d = 7 is not allowed; it must be at most the number of columns, 6")
        );
        assert!(error(Params { rules: 21, ..base() }).contains("at most the number of samples, 20"));
        for alpha in [0.0, -1.0, f64::NAN, 1e300, f64::INFINITY] {
            assert!(error(Params { alpha, ..base() }).contains("a number from 0.000001 to 1000000"), "{alpha}");
        }
        assert!(error(Params { inner: 0, ..base() }).contains("inner = 0"));
    }
}
