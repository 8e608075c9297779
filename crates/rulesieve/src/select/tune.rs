//! Choice of a parameter by the validation loss.

use super::SelectOptions;
use crate::methods::settings::ParamValue;
use crate::methods::{Fit, FitError, Prepared};
use crate::optim::{Halt, Observer};
use crate::warning::Warning;

/// The fit with the smallest validation loss among the candidate values of the method. If the observer ends it, the
/// best of the completed fits is returned, marked as halted.
pub(super) fn tuned(
    prepared: &dyn Prepared,
    options: &SelectOptions,
    observer: &mut dyn Observer,
) -> Result<Fit, FitError> {
    let info = options.method.info();
    let Some((name, values)) = info.tunes else { return Err(FitError::NothingToTune { method: info.name }) };
    let mut best: Option<(f64, Fit)> = None;
    let (mut tried, mut losses, mut ended) = (Vec::new(), Vec::new(), None);
    for (at, &value) in values.iter().enumerate() {
        let settings = options.settings.with(name, ParamValue::Number(value));
        let mut fit = prepared.fit(&settings, options.seed, observer)?;
        fit.resolved.push((name, ParamValue::Number(value)));
        let (loss, halted) = outcome(&fit);
        ended = halted.map(|halt| (halt, at));
        // An incomplete fit cannot be compared with complete ones.
        if ended.is_none() || best.is_none() {
            tried.push(value);
            losses.push(loss);
            if best.as_ref().is_none_or(|(least, _)| loss <= *least) {
                best = Some((loss, fit));
            }
        }
        if ended.is_some() {
            break;
        }
    }
    let mut fit = best.map(|(_, fit)| fit).unwrap_or_default();
    let parameter = name.to_owned();
    fit.warnings.push(Warning::Tuned { parameter: parameter.clone(), values: tried, losses });
    if let Some((halt, at)) = ended {
        end(&mut fit, halt);
        let untried = values[at.max(1)..].to_vec();
        if !untried.is_empty() {
            fit.warnings.push(Warning::TuningEnded { parameter, untried });
        }
    }
    Ok(fit)
}

/// The validation loss, and the reason if the fit was ended.
fn outcome(fit: &Fit) -> (f64, Option<Halt>) {
    fit.iteration.as_ref().map_or((f64::NAN, None), |iteration| {
        let loss = iteration.diagnostics.iter().find(|(name, _)| *name == "validation_loss");
        (loss.map_or(f64::NAN, |(_, loss)| *loss), iteration.halted)
    })
}

fn end(fit: &mut Fit, halt: Halt) {
    if let Some(iteration) = &mut fit.iteration {
        (iteration.halted, iteration.converged) = (Some(halt), false);
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Dataset, DatasetOptions};
    use crate::optim::{Halt, Progress};
    use crate::select::{SelectOptions, Selection, Size, select};
    use crate::{generate, methods::Method};
    use std::ops::ControlFlow;

    /// A tuned selection that is ended at the observer call of that number, counted over all fits.
    fn ended_at(last: usize) -> (Selection, usize) {
        let table = generate::find("waveform").unwrap().generate(Some(60), Some(21), 1).unwrap().table;
        let data = Dataset::new(table, &DatasetOptions::default()).unwrap();
        let method = Method::LdrTskInductive;
        let set = [("steps", "20"), ("starts", "1"), ("stages", "1")];
        let options = SelectOptions {
            settings: method.settings(&set.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap(),
            size: Size::Top(3),
            tune: true,
            ..SelectOptions::new(method)
        };
        let mut calls = 0;
        let mut watch = |_: &Progress| {
            calls += 1;
            if calls >= last { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
        };
        let found = select(&data, &options, &mut watch).unwrap();
        (found, calls)
    }

    #[test]
    fn ending_during_tuning_is_reported_and_ignores_the_incomplete_fit() {
        let (whole, calls) = ended_at(usize::MAX);
        let ended = |text: String| text.contains("ended") || text.contains("out of time");
        assert!(!whole.warnings.iter().any(|warning| ended(warning.to_string())));
        let check = |found: &Selection, parts: &[&str]| {
            let texts = found.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            assert!(parts.iter().all(|part| texts.contains(part)), "{texts}");
            assert_eq!(found.converged, Some(false));
        };
        // In the first fit, which is the only one.
        let (first, _) = ended_at(2);
        check(&first, &["out of time", "at 0.1", "not 0.25, 0.5, 1"]);
        // In the third of four: the better of the two complete fits counts.
        let (third, _) = ended_at(calls / 2 + 2);
        check(&third, &["out of time", "at 0.1", "at 0.25", "not 0.5, 1"]);
        let texts: Vec<String> = third.warnings.iter().map(ToString::to_string).collect();
        let chosen = |text: &&String| text.contains("used to choose");
        assert!(!texts.iter().find(chosen).unwrap().contains("at 0.5"), "{texts:?}");
    }
}
