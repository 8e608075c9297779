//! `demo`: the main job on embedded data, three times: a real table, a known answer, and the paper's problem.

use super::select::describe;
use crate::args::DemoArgs;
use crate::{input, output};
use anyhow::{Context, Result};
use rulesieve::data::{Dataset, DatasetOptions, MissingPolicy};
use rulesieve::generate;
use rulesieve::methods;
use rulesieve::optim::Silent;
use rulesieve::select::{SelectOptions, Selection, Size, select};
use std::process::ExitCode;

/// Rows of each ranking that are shown.
const SHOWN: usize = 12;

/// A table and what to say about it.
struct Story {
    data: &'static str,
    method: &'static str,
    size: Size,
    question: &'static str,
}

const STORIES: [Story; 3] = [
    Story {
        data: "penguins",
        method: "ldr-tsk",
        size: Size::Top(3),
        question: "A real table: which measurements tell three species of penguins apart?",
    },
    Story {
        data: "waveform",
        method: "ldr-tsk",
        size: Size::Top(10),
        question: "A known answer: of 40 columns, x2 to x20 carry signal and the others are noise.",
    },
    Story {
        data: "double-circle",
        method: "ldr-tsk-inductive",
        size: Size::Top(2),
        question: "The paper's problem: the classes are two circles in x and y, the other columns are noise. No column\n   \
                   shows anything alone.",
    },
];

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot create the folder {}", args.output.display()))?;
    for (number, story) in STORIES.iter().enumerate() {
        let selection = story.run()?;
        let path = args.output.join(format!("{}-{}-{}.json", number + 1, story.data, story.method));
        output::write_json(&path, &selection)?;
        output::print(&format!("{}. {}\n\n", number + 1, story.question))?;
        output::print(&describe(&selection, &format!("builtin:{}", story.data), SHOWN))?;
        output::print(&story.verdict(&selection)?)?;
        output::note(&format!("fitted in {}, record in {}\n", output::seconds(selection.seconds), path.display()));
    }
    output::print("Next: rulesieve select YOUR.csv --target COLUMN, and rulesieve --help\n")?;
    Ok(ExitCode::SUCCESS)
}

impl Story {
    fn run(&self) -> Result<Selection> {
        let missing = MissingPolicy::Median;
        let data = Dataset::new(input::builtin(self.data)?, &DatasetOptions { missing, ..Default::default() })?;
        let method = methods::find(self.method).context("a method of the demo is not in the registry")?;
        let options = SelectOptions {
            method,
            settings: method.settings(&[])?,
            size: self.size,
            coding: Default::default(),
            weights: None,
            tune: false,
            seed: 0,
        };
        Ok(select(&data, &options, &mut Silent)?)
    }

    /// How many of the selected features carry signal, where that is known.
    fn verdict(&self, selection: &Selection) -> Result<String> {
        let Some(generator) = generate::find(self.data) else {
            return Ok("\n".to_owned());
        };
        let truth = generator.generate(None, None, 0)?.informative;
        let hits = selection.selected.iter().filter(|feature| truth.contains(feature)).count();
        Ok(format!("{hits} of {} selected features carry signal\n\n", selection.selected.len()))
    }
}
