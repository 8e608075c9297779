//! `compare`: test whether the scores of several methods on several data sets differ.

use crate::args::CompareArgs;
use crate::output::{Cell, Document, Head, exact};
use crate::{input, output};
use anyhow::{Context, Result, anyhow, bail};
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve_eval::statistics::{CompareOptions, Comparison, Scores, compare};
use std::process::ExitCode;

pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode> {
    let named = || output::shown(&args.input.input);
    let scores = scores(input::table(&args.input)?).with_context(named)?;
    let options =
        CompareOptions { control: args.control.clone(), alpha: args.alpha, higher_is_better: !args.lower_is_better };
    let comparison = compare(&scores, &options).with_context(named)?;
    document(&comparison, &args.input.input).print(args.format.format(), &comparison)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads scores: the first column names the data sets, the others are methods.
fn scores(table: Table) -> Result<Scores> {
    let rows = table.rows();
    let mut columns = table.into_columns().into_iter();
    let names: Vec<String> = match columns.next() {
        Some(first) => (0..rows).map(|row| first.cell(row)).collect(),
        None => bail!("the table is empty"),
    };
    let (mut methods, mut values) = (Vec::new(), vec![Vec::new(); rows]);
    for column in columns {
        let scores = numbers(&column, &names)?;
        values.iter_mut().zip(scores).for_each(|(row, score)| row.push(score));
        methods.push(column.name);
    }
    Ok(Scores::new(names, methods, values)?)
}

fn numbers(column: &Column, names: &[String]) -> Result<Vec<f64>> {
    if let ColumnData::Numeric(scores) = &column.data {
        return Ok(scores.clone());
    }
    let number = |(row, name): (usize, &String)| {
        let cell = column.cell(row);
        cell.trim().parse::<f64>().map_err(|_| {
            let (method, dataset) = (output::shown(&column.name), output::shown(name));
            anyhow!("the score of {method} on data set '{dataset}' is '{}', not a number", output::shown(&cell))
        })
    };
    names.iter().enumerate().map(number).collect()
}

fn document(comparison: &Comparison, input: &str) -> Document {
    let Comparison { friedman, bonferroni_dunn: dunn, nemenyi, alpha, .. } = comparison;
    let direction = if comparison.higher_is_better { "higher" } else { "lower" };
    let mut document = Document::new();
    document.text(format!(
        "{} methods on {} data sets of {}, {direction} scores are better\n\n",
        comparison.methods.len(),
        comparison.datasets,
        output::shown(input)
    ));
    document.table(table(comparison));
    let f = friedman.f.map_or("infinite".to_owned(), |f| format!("{f:.4}"));
    let conclusion = if friedman.differs(*alpha) { "some methods differ" } else { "no significant difference" };
    let mut text = format!(
        "\nFriedman         chi2 {:.4}, F {f} (critical {:.4} at alpha {alpha}, p {}): {conclusion}\n",
        friedman.chi2,
        friedman.critical,
        probability(friedman.p)
    );
    let control = output::shown(&dunn.control);
    text += &format!("Bonferroni-Dunn  q {:.3}, critical difference {:.4} from {control}: ", dunn.q, dunn.cd);
    text += &list(dunn.different.iter().map(|name| output::shown(name)).collect(), "differ", "none differs");
    text += &format!("Nemenyi          q {:.3}, critical difference {:.4} between any two: ", nemenyi.q, nemenyi.cd);
    let pairs = nemenyi.different.iter().map(|(a, b)| format!("{} > {}", output::shown(a), output::shown(b)));
    text += &list(pairs.collect(), "", "none differ");
    let significant = comparison.wilcoxon_holm.iter().filter(|test| test.different);
    text += "Wilcoxon-Holm    ";
    text += &list(significant.map(|test| output::shown(&test.method)).collect(), "differ", "none differs");
    if comparison.control_chosen {
        text += &format!(
            "\n{control} was chosen as control because it has the best average rank, so tests against it are too liberal; \
             name a control beforehand with --control, or use Nemenyi's test\n"
        );
    }
    document.text(text);
    document
}

fn list(names: Vec<String>, verb: &str, none: &str) -> String {
    if names.is_empty() {
        format!("{none}\n")
    } else {
        format!("{} {verb}", names.join(", ")).trim_end().to_owned() + "\n"
    }
}

fn table(comparison: &Comparison) -> output::Table {
    let dunn = &comparison.bonferroni_dunn;
    let control = comparison.average_ranks.get(&dunn.control).copied().unwrap_or(f64::NAN);
    let mut table = output::Table::new([
        Head::left("method"),
        Head::right("average rank").fields(&["average_rank"]),
        Head::right("difference"),
        Head::right("better/equal/worse").fields(&["better", "equal", "worse"]),
        Head::right("Wilcoxon p").fields(&["wilcoxon_p"]),
        Head::right("Holm").fields(&["holm_p"]),
    ]);
    let p_value = |p: f64| Cell::precise(probability(p), p);
    for method in &comparison.methods {
        let rank = comparison.average_ranks.get(method).copied().unwrap_or(f64::NAN);
        let mut line = vec![Cell::name(method), Cell::precise(format!("{rank:.4}"), rank)];
        match comparison.wilcoxon_holm.iter().find(|test| test.method == *method) {
            Some(test) => {
                let counts = [test.better, test.equal, test.worse].map(|count| count.to_string());
                line.extend([
                    Cell::precise(format!("{:+.4}", rank - control), rank - control),
                    Cell::new(counts.join("/"), counts),
                    p_value(test.p),
                    p_value(test.p_holm),
                ]);
            }
            None => line.push(Cell::new("control", [exact(0.0)])),
        }
        table.push(line);
    }
    table
}

fn probability(p: f64) -> String {
    if p == 0.0 || p >= 1e-4 { format!("{p:.4}") } else { format!("{p:.1e}") }
}
