//! Registry of the methods: [`Method`].

use super::settings::{ParamError, Settings};
use super::{Fit, FitError, MethodInfo, Prepared, Problem};
use crate::optim::Observer;
use crate::pool;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Declares the methods in the order of their listing: variant, module. A module has a description `INFO`, and a function
/// `prepare` that computes what several fits on the same rows share, such as a decomposition.
macro_rules! registry {
    ($($(#[$doc:meta])+ $method:ident => $module:ident,)+) => {
        /// A selection method. Its name, as [`FromStr`] reads it, is [`MethodInfo::name`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Method {
            $($(#[$doc])+ $method,)+
        }

        impl Method {
            /// All methods, in the order of their listing.
            pub const ALL: &'static [Self] = &[$(Self::$method),+];

            /// The description.
            pub fn info(self) -> &'static MethodInfo {
                match self {
                    $(Self::$method => &super::$module::INFO,)+
                }
            }

            /// Computes what several fits on the same rows share, such as a decomposition.
            ///
            /// # Errors
            /// A problem that this method does not support.
            pub fn prepare<'a>(self, problem: Problem<'a>) -> Result<Box<dyn Prepared + 'a>, FitError> {
                let prepared = pool::run(|| match self {
                    $(Self::$method => super::$module::prepare(problem),)+
                })?;
                Ok(Box::new(InPool(prepared)))
            }
        }
    };
}

registry! {
    /// The default: tests all columns and pairs, and ranks them by a leave-one-out error.
    Sieve => sieve,
    /// Fuzzy rules on a row-sparse projection, with firing strengths computed from the sample.
    LdrTskInductive => inductive,
    /// The method of the paper: low-dimensional representation-driven TSK fuzzy system.
    LdrTsk => ldr_tsk,
    /// Regression on the classes with l2,1 norms.
    Erfs => erfs,
    /// Orthogonal regression on the classes with a weight for every feature.
    Fsor => fsor,
    /// Regression on the classes with nonnegative coefficients and l2,1 norms.
    Rjfwlf => rjfwlf,
    /// A projection in which rows are near one of several centres of their class.
    Mcfs => mcfs,
    /// Fuzzy rules centred at training rows, with learned gates of features and rules.
    DgTsk => dg_tsk,
    /// As [`Self::DgTsk`], with an adaptive softmin.
    DgAletsk => dg_aletsk,
    /// Ten fuzzy rules with an adaptive softmin and learned gates of features.
    FsreAdatsk => fsre_adatsk,
    /// Fuzzy rules from clusters, with group sparsity of features and rules.
    TskSrb => tsk_srb,
    /// A fuzzy classifier trained by gradients; features ranked by the sensitivity of its outputs.
    Htsk => htsk,
    /// Differences to the nearest rows of the same and of other classes.
    ReliefF => relieff,
    /// Features selected one by one: F statistic against the mean correlation with those selected before.
    Mrmr => mrmr,
    /// Mutual information with the class by nearest neighbours.
    MutualInfo => mutual_info,
    /// F statistic of an analysis of variance.
    Anova => anova,
    /// The variance of every feature.
    Variance => variance,
    /// A random order.
    Random => random,
}

impl Method {
    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// Checked parameter values: the given ones, and defaults.
    ///
    /// # Errors
    /// An unknown name, or a value out of range.
    pub fn settings(self, set: &[(String, String)]) -> Result<Settings, ParamError> {
        let set = set.iter().map(|(name, value)| (name, value));
        Settings::new(self.name(), self.info().params, set)
    }
}

/// Fits in the pool of the caller, else in a new one.
struct InPool<'a>(Box<dyn Prepared + 'a>);

impl Prepared for InPool<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        pool::observed(observer, |observer| self.0.fit(settings, seed, observer))
    }

    fn fit_of_size(
        &self,
        settings: &Settings,
        seed: u64,
        size: Option<usize>,
        observer: &mut dyn Observer,
    ) -> Result<Fit, FitError> {
        pool::observed(observer, |observer| self.0.fit_of_size(settings, seed, size, observer))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An unknown method name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method '{name}'; there are: {}", names().join(", "))]
#[non_exhaustive]
pub struct UnknownMethod {
    /// The name, shortened if it is long.
    pub name: String,
}

fn names() -> Vec<&'static str> {
    Method::ALL.iter().map(|method| method.name()).collect()
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let found = Self::ALL.iter().copied().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownMethod { name: crate::data::names::short(name) })
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The display name of a method in a saved result; the name itself if it is unknown.
pub fn title(name: &str) -> &str {
    name.parse().map_or(name, |method: Method| method.title())
}
