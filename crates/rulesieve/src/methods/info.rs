//! Descriptions of methods.

use super::FitError;
use super::settings::{ParamSpec, ParamValue, Settings};

/// Certainty that an implementation agrees with its article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Textbook knowledge, or verified against a published implementation.
    Established,
    /// Follows the authors' public code.
    AuthorsCode,
    /// Follows the article, with its gaps filled as documented.
    Article,
    /// Follows descriptions of the article by others, because the article was not available in full.
    SecondarySources,
    /// A reconstruction, because the article was not available in full.
    Reconstruction,
    /// A model of this project, with no article to compare it with: evaluated by measurements alone.
    Own,
}

impl Certainty {
    /// The certainty as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Established => "established",
            Self::AuthorsCode => "authors' code",
            Self::Article => "article",
            Self::SecondarySources => "secondary sources",
            Self::Reconstruction => "reconstruction",
            Self::Own => "own",
        }
    }

    /// The certainty as text.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Established => "established",
            Self::AuthorsCode => "authors' code",
            Self::Article => "article, its gaps filled as documented",
            Self::SecondarySources => "secondary sources: the article was not available in full",
            Self::Reconstruction => "reconstruction: the original formulation was not available",
            Self::Own => "of this project; results in docs/benchmarks.md",
        }
    }
}

/// Whether a method has its own rule for the number of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnSize {
    /// No rule.
    Never,
    /// A rule.
    Always,
    /// A rule based on held-out rows: the default size of a selection.
    HeldOut,
    /// A rule if this parameter has this value.
    With(&'static str, &'static str),
}

/// Description of a method.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// The name in commands and files.
    pub name: &'static str,
    /// The display name: a reconstruction must not have the bare name of its article.
    pub title: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Source.
    pub source: &'static str,
    /// Certainty of the implementation.
    pub certainty: Certainty,
    /// Computational cost for n samples and m columns.
    pub cost: &'static str,
    /// Whether it supports regression.
    pub regression: bool,
    /// Whether it supports row weights.
    pub weights: bool,
    /// Whether it has its own rule for the number of features.
    pub own_size: OwnSize,
    /// The parameter that can be tuned on validation rows, with its candidate values, the most conservative last.
    pub tunes: Option<(&'static str, &'static [f64])>,
    /// The parameters that an evaluation may tune, each with its candidate values: the grid of the article, if it has
    /// one.
    pub grid: &'static [(&'static str, &'static [f64])],
    /// The parameters.
    pub params: &'static [&'static ParamSpec],
}

impl MethodInfo {
    /// A method without a name that supports classification alone and has no parameters.
    pub(super) const DEFAULT: Self = Self {
        name: "",
        title: "",
        summary: "",
        source: "",
        certainty: Certainty::Established,
        cost: "",
        regression: false,
        weights: false,
        own_size: OwnSize::Never,
        tunes: None,
        grid: &[],
        params: &[],
    };

    /// Checks that the method has its own rule for the number of features with these settings.
    ///
    /// # Errors
    /// [`FitError::NoNativeSize`] if it has none.
    pub fn check_own_size(&self, settings: &Settings) -> Result<(), FitError> {
        let has = match self.own_size {
            OwnSize::Never => false,
            OwnSize::Always | OwnSize::HeldOut => true,
            OwnSize::With(name, word) => settings.iter().any(|set| set == (name, ParamValue::Word(word))),
        };
        if has { Ok(()) } else { Err(FitError::NoNativeSize { method: self.name }) }
    }
}
