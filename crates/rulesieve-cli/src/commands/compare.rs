//! `compare`: whether the scores of several methods on several data sets differ by more than chance.

use crate::args::CompareArgs;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::{Column, ColumnData, Table};
use rulesieve_eval::statistics::{Comparison, Scores, Wishes, compare};
use std::process::ExitCode;

pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode> {
    let named = || output::shown(&args.input.input);
    let scores = scores(input::table(&args.input)?).with_context(named)?;
    let wishes = Wishes { control: args.control.clone(), alpha: args.alpha, higher_is_better: !args.lower_is_better };
    let comparison = compare(&scores, &wishes).with_context(named)?;
    if args.json {
        output::print_json(&comparison)?;
    } else {
        output::print(&text(&comparison, &args.input.input))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The first column, if it is text, names the data sets; all others are methods.
fn scores(table: Table) -> Result<Scores> {
    let rows = table.rows();
    let mut columns = table.into_columns();
    let names = match columns.first() {
        Some(Column { data: ColumnData::Text(text), .. }) => {
            let names = (0..rows).map(|row| text.get(row).to_owned()).collect();
            columns.remove(0);
            names
        }
        _ => (1..=rows).map(|row| format!("row {row}")).collect::<Vec<String>>(),
    };
    let mut values = vec![Vec::with_capacity(columns.len()); rows];
    for column in &columns {
        let ColumnData::Numeric(scores) = &column.data else {
            let (row, cell) = (0..rows)
                .map(|row| (row, column.cell(row)))
                .find(|(_, cell)| cell.trim().parse::<f64>().is_err())
                .unwrap_or_default();
            let (method, dataset) = (output::shown(&column.name), output::shown(&names[row]));
            bail!("the score of {method} on data set '{dataset}' is '{}', not a number", output::shown(&cell));
        };
        values.iter_mut().zip(scores).for_each(|(row, score)| row.push(*score));
    }
    Ok(Scores::new(names, columns.into_iter().map(|column| column.name).collect(), values)?)
}

fn text(comparison: &Comparison, input: &str) -> String {
    let Comparison { friedman, bonferroni_dunn: dunn, nemenyi, alpha, .. } = comparison;
    let direction = if comparison.higher_is_better { "higher" } else { "lower" };
    let mut text = format!(
        "{} methods on {} data sets of {}, {direction} scores are better\n\n",
        comparison.methods.len(),
        comparison.datasets,
        output::shown(input)
    );
    text += &table(comparison);
    let f = friedman.f.map_or("infinite".to_owned(), |f| format!("{f:.4}"));
    let verdict = if friedman.differs() { "some methods differ" } else { "no difference is shown" };
    text += &format!(
        "\nFriedman         chi2 {:.4}, F {f} (critical {:.4} at alpha {alpha}, p {}): {verdict}\n",
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
    let found = comparison.wilcoxon_holm.iter().filter(|test| test.different);
    text += "Wilcoxon-Holm    ";
    text += &list(found.map(|test| output::shown(&test.method)).collect(), "differ", "none differs");
    text
}

fn list(names: Vec<String>, verb: &str, none: &str) -> String {
    if names.is_empty() {
        format!("{none}\n")
    } else {
        format!("{} {verb}", names.join(", ")).trim_end().to_owned() + "\n"
    }
}

fn table(comparison: &Comparison) -> String {
    let dunn = &comparison.bonferroni_dunn;
    let control = comparison.average_ranks.get(&dunn.control).copied().unwrap_or(f64::NAN);
    let head = ["method", "average rank", "difference", "better/equal/worse", "Wilcoxon p", "Holm"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for method in &comparison.methods {
        let rank = comparison.average_ranks.get(method).copied().unwrap_or(f64::NAN);
        let mut line = vec![output::shown(method), format!("{rank:.4}")];
        match comparison.wilcoxon_holm.iter().find(|test| test.method == *method) {
            Some(test) => line.extend([
                format!("{:+.4}", rank - control),
                format!("{}/{}/{}", test.better, test.equal, test.worse),
                probability(test.p),
                probability(test.p_holm),
            ]),
            None => line.push("control".to_owned()),
        }
        lines.push(line);
    }
    output::aligned(&lines, &[1, 2, 3, 4, 5])
}

fn probability(p: f64) -> String {
    if p == 0.0 || p >= 1e-4 { format!("{p:.4}") } else { format!("{p:.1e}") }
}
