//! From a data set to a selection: coding and scaling, fit, ranking, size.

mod by_rules;
mod curve;
mod folds;
mod groups;
mod options;
mod ranking;
mod record;
mod recovered;
mod selector;
mod size;
mod tune;
mod warnings;

pub use by_rules::{RuleEstimate, RuleEstimator};
pub use curve::{SizeCurve, SizePoint, choose_size};
pub use folds::{FeatureOrder, RankingRequest, growing_sizes, ranked_on, stratified_folds};
pub use options::SelectOptions;
pub use ranking::{Ranked, rank};
pub use record::{DataRecord, RankedPair, RecordError, SCHEMA, Selection, Value};
pub use recovered::{RecoveredCondition, RecoveredRule, RecoveredRules};
pub use selector::Selector;
pub use size::{Size, SizeError, SizeRule};

use crate::data::{DataError, Dataset, Encoder};
use crate::methods::{Fit, FitError, Method, OwnSize, Problem};
use crate::optim::Observer;
use crate::pool;
use crate::remedy::Remedy;
use crate::warning::Warning;
use groups::Groups;
use std::ops::ControlFlow;
use std::time::Instant;

/// Copies of the coded table that a method makes, at most: transposed, sorted and scaled, with permuted columns.
fn copies(method: Method) -> usize {
    match method {
        Method::Anova | Method::Variance | Method::Random => 1,
        Method::LdrTskInductive => 8,
        _ => 3,
    }
}

/// An error of a selection.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum SelectError {
    /// The data cannot be coded.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The fit failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The size is invalid.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A group, counted from 1, names an unknown feature.
    #[error("group {group} names '{feature}', which is not a feature of the table")]
    GroupOfUnknown { group: usize, feature: String },
    /// A feature belongs to two groups.
    #[error("feature '{feature}' is in two groups")]
    GroupedTwice { feature: String },
    /// A size rule, which applies to single features, with groups.
    #[error("groups of features cannot be combined with a size rule")]
    GroupsAndRule,
}

impl SelectError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Data(error) => error.remedy(),
            Self::Fit(error) => error.remedy(),
            Self::Size(error) => error.remedy(),
            Self::GroupOfUnknown { .. } => None,
            Self::GroupedTwice { .. } => Some(Remedy::plain("leave it out of one of them")),
            Self::GroupsAndRule => Some(Remedy::plain("give a number or a share of groups")),
        }
    }

    /// The same error with rows counted from 0.
    pub fn rows_from_zero(self) -> Self {
        if let Self::Data(error) = self { Self::Data(error.rows_from_zero()) } else { self }
    }
}

/// Selects features from all rows of a data set.
///
/// ```
/// use rulesieve::optim::Silent;
/// use rulesieve::prelude::*;
/// use rulesieve::select::{SelectOptions, select};
///
/// let table = rulesieve::generate::find("waveform").unwrap().generate(Some(300), None, 0)?.table;
/// let data = table.into_dataset(Target::named("class"), Missing::Error)?;
/// let method = Method::Anova;
/// let options = SelectOptions::new(Method::Anova).size(Size::Top(5));
/// let selection = select(&data, &options, &mut Silent)?;
/// assert_eq!(selection.selected.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select(data: &Dataset, options: &SelectOptions, observer: &mut dyn Observer) -> Result<Selection, SelectError> {
    pool::observed(observer, |observer| select_in_pool(data, options, observer))
}

fn select_in_pool(
    data: &Dataset,
    options: &SelectOptions,
    observer: &mut dyn Observer,
) -> Result<Selection, SelectError> {
    options.size.check()?;
    let options = options.with_balance(data.target.task())?;
    let options: &SelectOptions = &options;
    if !options.groups.is_empty() && matches!(options.size, Size::Rule(_) | Size::Native) {
        return Err(SelectError::GroupsAndRule);
    }
    if options.size == Size::Native {
        options.method.info().check_own_size(&options.settings)?;
    }
    let rows: Vec<usize> = (0..data.samples()).collect();
    let design = Encoder::fit(data, &rows, data.coding)?.transform(data, &rows)?;
    design.check_copies(copies(options.method))?;
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let groups = Groups::new(data, &options.groups)?;
    let merged = (!options.groups.is_empty()).then(|| groups.merge(&design));
    let (design, names) = merged.as_ref().map_or((&design, names), |merged| (merged, groups.names()));
    let problem = Problem { design, names: &names, target: &data.target, weights: options.weights.as_deref() };
    problem.check(options.method.info())?;

    let began = Instant::now();
    let prepared = options.method.prepare(problem)?;
    let fit = if options.tune {
        tune::tuned(&*prepared, options, observer)?
    } else {
        let size = match options.size {
            Size::Top(_) | Size::Fraction(_) => Some(options.size.resolve(design.blocks.len())),
            _ => None,
        };
        prepared.fit_of_size(&options.settings, options.seed, size, observer)?
    };
    let seconds = began.elapsed().as_secs_f64();

    let size = found_size(options, !data.include.is_empty());
    let Size::Rule(rule) = size else {
        return finish(data, &SelectOptions { size, ..options.clone() }, fit, seconds);
    };
    if fit.iteration.as_ref().is_some_and(|iteration| iteration.halted.is_some()) {
        return with_size(data, options, fit, seconds, None);
    }
    let mut chosen = options.clone();
    if let Some((tuned, _)) = options.method.info().tunes {
        let values = fit.resolved.iter().filter(|(name, _)| *name == tuned);
        values.for_each(|&(name, value)| chosen.settings = chosen.settings.with(name, value));
    }
    match choose_size(data, &rows, &chosen, rule, observer)? {
        ControlFlow::Continue(found) => with_size(data, options, fit, seconds, Some(found)),
        ControlFlow::Break(_) => with_size(data, options, fit, seconds, None),
    }
}

/// The size, with [`Size::Auto`] resolved: the method's own choice if it is based on held-out rows, else one standard
/// error. A size rule counts features, so groups use a third instead. The method's own choice does not know of included
/// features.
fn found_size(options: &SelectOptions, some_included: bool) -> Size {
    match (options.size, options.method.info().own_size) {
        (Size::Auto, OwnSize::HeldOut) if !some_included => Size::Native,
        (Size::Auto, _) if options.groups.is_empty() => Size::Rule(SizeRule::OneSe),
        (Size::Auto, _) => Size::THIRD,
        (size, _) => size,
    }
}

/// Finishes with a size chosen by a rule, or with the default if there was no time for the rule.
fn with_size(
    data: &Dataset,
    options: &SelectOptions,
    fit: Fit,
    seconds: f64,
    found: Option<(usize, SizeCurve)>,
) -> Result<Selection, SelectError> {
    let size = found.as_ref().map_or(Size::THIRD, |(count, _)| Size::Top(*count));
    let mut selection = finish(data, &SelectOptions { size, ..options.clone() }, fit, seconds)?;
    if found.is_none() {
        selection.warnings.push(Warning::SizeNotFound);
    }
    selection.size = found.map(|(_, curve)| curve);
    Ok(selection)
}

/// Ranks by the scores of a fit, applies the size, and creates the record.
pub(crate) fn finish(
    data: &Dataset,
    options: &SelectOptions,
    mut fit: Fit,
    seconds: f64,
) -> Result<Selection, SelectError> {
    let size = options.size.check()?;
    if matches!(size, Size::Auto | Size::Rule(_)) {
        return Err(SizeError::RuleNeedsRows.into());
    }
    let groups = Groups::new(data, &options.groups)?;
    let order = groups.ordered(&fit)?;
    let count = match (size, fit.native) {
        // The method chooses its size without regard to the included features.
        (Size::Native, Some(own)) => (own + groups.included_beyond(own, &fit)).clamp(1, order.len()),
        (Size::Native, None) => return Err(FitError::NoNativeSize { method: options.method.info().name }.into()),
        _ => size.resolve(order.len()).max(groups.included()),
    };
    let (ranking, selected) = (groups.listed(&order, &fit), groups.features_of(&order[..count]));
    let pairs = groups.pairs(&fit);
    fit.set_unused(groups.unused(&fit.unused));
    let mut warnings = [data.warnings.clone(), warnings::of(&fit, options, order.len(), data.features.len())].concat();
    if let Size::Top(asked) = options.size
        && asked < count
    {
        warnings.push(Warning::IncludedBeyondTop { asked, included: count });
    }
    Ok(Selection { pairs, ..record(data, options, fit, ranking, &selected, seconds, warnings) })
}

fn record(
    data: &Dataset,
    options: &SelectOptions,
    fit: Fit,
    ranking: Vec<Ranked>,
    selected: &[usize],
    seconds: f64,
    warnings: Vec<Warning>,
) -> Selection {
    let iteration = fit.iteration.as_ref();
    let trace = iteration.map(|iteration| {
        let column = |term: usize| iteration.trace.iter().map(|row| row[term]).collect();
        iteration.terms.iter().enumerate().map(|(term, name)| ((*name).to_owned(), column(term))).collect()
    });
    let names = |indices: &[usize]| indices.iter().map(|&at| data.features[at].name.clone()).collect();
    let diagnostics = iteration
        .map(|iteration| iteration.diagnostics.iter().map(|&(name, value)| (name.to_owned(), value)).collect());
    // Resolved values come last and so replace the requested ones.
    let params = options.settings.iter().chain(fit.resolved.iter().copied());
    Selection {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        method: options.method.info().name.to_owned(),
        params: params.map(|(name, value)| (name.to_owned(), value.into())).collect(),
        seed: options.seed,
        data: DataRecord {
            samples: data.samples(),
            features: data.features.len(),
            task: data.target.task(),
            missing: Some(data.missing),
            coding: Some(data.coding),
            classes: data.target.classes().len(),
            target: data.target.name().to_owned(),
            class_names: data.target.classes().to_vec(),
        },
        excluded: data.excluded.clone(),
        dates: data.dates.clone(),
        reading: data.reading.clone(),
        rules: fit.firing.as_ref().map(|firing| recovered::recovered(data, firing, selected)),
        selected: names(selected),
        ranking,
        unused: names(&fit.unused),
        converged: iteration.map(|iteration| iteration.converged),
        iterations: iteration.map(|iteration| iteration.count),
        seconds,
        // The scores of the method's own sizes do not explain a size that was given.
        size: fit.curve.filter(|_| options.size == Size::Native),
        pairs: Vec::new(),
        tested: fit.tested,
        held_out: fit.held_out.filter(|_| data.include.is_empty()),
        trace: trace.unwrap_or_default(),
        diagnostics: diagnostics.unwrap_or_default(),
        warnings,
    }
}
