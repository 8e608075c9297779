//! What a method says of itself.

use super::FitError;
use super::settings::{ParamSpec, ParamValue, Settings};

/// How sure it is that a method is what its article says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Textbook knowledge, or checked against a published implementation.
    Established,
    /// Built after the authors' public code.
    AuthorsCode,
    /// Built from the article, with its gaps filled as documented.
    Article,
    /// The article could not be had in full: what is known of it, put together anew.
    Reconstruction,
    /// A model of this project, with no article to compare it with: judged by measurements alone.
    Own,
}

impl Certainty {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Established => "established",
            Self::AuthorsCode => "authors' code",
            Self::Article => "article",
            Self::Reconstruction => "reconstruction",
            Self::Own => "own",
        }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Established => "established",
            Self::AuthorsCode => "authors' code",
            Self::Article => "article, its gaps filled as documented",
            Self::Reconstruction => "reconstruction: the original formulation was not available",
            Self::Own => "of this project, judged by the measurements in its README",
        }
    }
}

/// Whether a method has a rule of its own for how many features to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnSize {
    /// It has none.
    Never,
    /// It has one.
    Always,
    /// It has one, by rows that it holds out: the default size of a selection.
    HeldOut,
    /// It has one where this parameter is set to this word.
    With(&'static str, &'static str),
}

/// What people should know about a method before they choose it.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// The name by which it is called.
    pub name: &'static str,
    /// The name by which it is spoken of: a reconstruction must not carry the bare name of its article.
    pub title: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How sure that is.
    pub certainty: Certainty,
    /// What it costs for n samples and m columns.
    pub cost: &'static str,
    /// Whether it can learn from numbers instead of classes.
    pub regression: bool,
    /// Whether rows may count more or less than others.
    pub weights: bool,
    /// Whether it has a rule of its own for how many features to keep.
    pub own_size: OwnSize,
    /// The parameter that rows kept aside can choose, and the values to try, the most cautious last.
    pub tunes: Option<(&'static str, &'static [f64])>,
    /// The parameters that an evaluation may choose, each with the values to try: the grid of its article, where it has one.
    pub grid: &'static [(&'static str, &'static [f64])],
    /// Its parameters.
    pub params: &'static [&'static ParamSpec],
}

impl MethodInfo {
    /// Checks that with these settings the method has a rule of its own for how many features to keep.
    ///
    /// # Errors
    /// [`FitError::NoNativeSize`] where it has none.
    pub fn check_own_size(&self, settings: &Settings) -> Result<(), FitError> {
        let has = match self.own_size {
            OwnSize::Never => false,
            OwnSize::Always | OwnSize::HeldOut => true,
            OwnSize::With(name, word) => settings.iter().any(|set| set == (name, ParamValue::Word(word))),
        };
        if has { Ok(()) } else { Err(FitError::NoNativeSize { method: self.name }) }
    }
}
