//! `demo`: selection on three built-in data sets; on the first also rule training, evaluation and an HTML report.

use super::select::describe;
use crate::args::{DemoArgs, ReportArgs};
use crate::output::Format;
use crate::{input, output};
use anyhow::{Context, Result};
use rulesieve::data::{Dataset, Missing, TargetColumn};
use rulesieve::generate;
use rulesieve::methods::{Method, settings::Settings};
use rulesieve::model::{Predictor, TrainOptions, cross_fit, train};
use rulesieve::optim::Silent;
use rulesieve::select::{SelectOptions, Selection, Size, select};
use rulesieve_eval::evaluate::{Candidate, EstimatorOptions, EvaluateOptions, EvaluationRecord, Protocol, evaluate};
use rulesieve_eval::splits::Plan;
use rulesieve_report::{Page, Report, RunInfo};
use std::process::ExitCode;

/// Maximum number of features printed per ranking.
const SHOWN: usize = 12;
/// Methods that are evaluated, the first against the others.
const EVALUATED: [Method; 3] = [Method::Sieve, Method::LdrTsk, Method::Anova];
/// Number of folds of the evaluation.
const FOLDS: usize = 5;
/// Commands printed in the report.
const COMMANDS: &str = "\
rulesieve demo

rulesieve train builtin:penguins --top 3 --model penguins.json --report penguins.html
rulesieve evaluate builtin:penguins --top 3 --methods sieve,ldr-tsk,anova --points 1 --costs 1 \\
  --folds 5 --curve --report evaluation.html";

/// A selection on a built-in data set.
struct Example {
    data: &'static str,
    method: Method,
    size: Size,
    description: &'static str,
}

const EXAMPLES: [Example; 3] = [
    Example {
        data: "penguins",
        method: Method::Sieve,
        size: Size::Top(3),
        description: "A real table: which measurements distinguish three species of penguins?",
    },
    Example {
        data: "waveform",
        method: Method::LdrTsk,
        size: Size::Top(10),
        description: "Generated data: of 40 columns, x2 to x20 are informative and the others are noise.",
    },
    Example {
        data: "double-circle",
        method: Method::Sieve,
        size: Size::Top(2),
        description: "The paper's problem: the classes are two circles in x and y, the other columns are noise. No column\n   \
                      is informative alone.",
    },
];

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    let report = ReportArgs { report: Some(args.report.clone()), figures: args.figures.clone() };
    report.check("", &[Some(&args.output)])?;
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot create the folder {}", args.output.display()))?;
    let mut page = None;
    for (number, example) in EXAMPLES.iter().enumerate() {
        let data = example.data()?;
        let options = example.options();
        let selection = select(&data, &options, &mut Silent)?;
        let path = args.output.join(format!("{}-{}-{}.json", number + 1, example.data, example.method));
        output::write_json(&path, &selection)?;
        output::print(&format!("{}. {}\n\n", number + 1, example.description))?;
        describe(&selection, &format!("builtin:{}", example.data), SHOWN).print(Format::Text, &selection)?;
        output::print(&example.hits(&selection)?)?;
        let seconds = output::seconds(selection.seconds);
        output::note(&format!("fitted in {seconds}, selection written to {}\n", path.display()));
        if number == 0 {
            page = Some(report_page(args, &data, &selection, &options)?);
        }
    }
    page.map_or(Ok(()), |page| report.write(&page))?;
    output::print(&format!(
        "Open {} in a browser for the ranking, the rules, their accuracy and the stability of the selection.\n\
         Next: rulesieve select YOUR.csv --target COLUMN --report report.html, and rulesieve --help\n",
        args.report.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Trains rules on a selection, evaluates methods, and creates the report.
fn report_page(args: &DemoArgs, data: &Dataset, selection: &Selection, options: &SelectOptions) -> Result<Page> {
    let model = trained(data, selection, options)?;
    output::write_json(&args.output.join("1-penguins-model.json"), model.model())?;
    let record = evaluated(data)?;
    output::write_json(&args.output.join("1-penguins-evaluation.json"), &record)?;
    let held_out = model.model().training.held_out.as_ref().map(|result| result.summary()).unwrap_or_default();
    let accuracy = record.methods.first().and_then(|first| first.mean("accuracy")).unwrap_or(0.0);
    output::print(&format!(
        "{} rules on these columns: {held_out}; an SVM on columns selected in {FOLDS} folds: {:.1} %.\n\n",
        model.model().rules.len(),
        100.0 * accuracy
    ))?;
    let run = RunInfo { input: "builtin:penguins", command: COMMANDS, data, rows: data.samples() };
    Ok(Report { run, selection: Some(selection), model: Some(&model), evaluation: Some(&record) }.page())
}

fn trained(data: &Dataset, selection: &Selection, select: &SelectOptions) -> Result<Predictor> {
    let options = TrainOptions::default();
    let (mut model, _) = train(data, selection, &options, &mut Silent)?;
    model.set_held_out(cross_fit(data, select, &options, None, &mut Silent));
    Ok(model)
}

fn evaluated(data: &Dataset) -> Result<EvaluationRecord> {
    let candidate = |&method: &Method| Candidate { method, points: vec![Settings::defaults(method.info().params)] };
    let options = EvaluateOptions {
        protocol: Protocol::Nested,
        candidates: EVALUATED.iter().map(candidate).collect(),
        size: Some(Size::Top(3)),
        plan: Plan::Folds { folds: FOLDS, repeats: 1 },
        inner: FOLDS,
        estimator: EstimatorOptions { costs: Some(vec![1.0]), ..Default::default() }
            .estimator(Protocol::Nested, false)?,
        estimator_rows: None,
        curve: true,
        subsamples: 0,
        permute: false,
        baselines: true,
        seed: 0,
    };
    Ok(evaluate(data, &options, &mut Silent)?)
}

impl Example {
    fn data(&self) -> Result<Dataset> {
        Ok(input::builtin(self.data)?.into_dataset(TargetColumn::default(), Missing::Fill)?)
    }

    fn options(&self) -> SelectOptions {
        SelectOptions::new(self.method).size(self.size)
    }

    /// Returns how many selected features are informative; empty for real data.
    fn hits(&self, selection: &Selection) -> Result<String> {
        let Some(generator) = generate::find(self.data) else {
            return Ok("\n".to_owned());
        };
        let truth = generator.generate(None, None, 0)?.informative;
        let hits = selection.selected.iter().filter(|feature| truth.contains(feature)).count();
        Ok(format!("{hits} of {} selected features are informative\n\n", selection.selected.len()))
    }
}
