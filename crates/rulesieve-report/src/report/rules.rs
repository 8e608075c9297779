//! Rules as sentences, and the explanation of one row.

use super::dataset::table;
use super::{Report, many, percent};
use crate::Data;
use crate::charts::{Bar, Bars, Chart};
use crate::page::{Section, name};
use crate::svg::number;
use maud::{Markup, html};
use rulesieve::data::{Missing, Task, Term};
use rulesieve::model::{Condition, Model, RowExplanation, RuleSentence};

/// Maximum number of rules shown.
const RULES: usize = 8;
/// Maximum number of classes shown per rule.
const EFFECTS: usize = 4;
/// Maximum characters of a name next to a value.
const NAME: usize = 24;
/// Minimum firing strength of a rule in the explanation of a row.
const LEAST: f64 = 0.001;
/// Maximum number of rules of the selection method, and of their conditions.
const RECOVERED: (usize, usize) = (4, 5);

impl Report<'_> {
    pub(super) fn rules(&self) -> Option<Section> {
        let predictor = self.model?;
        let (model, explanation) = (predictor.model(), predictor.explain());
        let more = explanation.rules.len().saturating_sub(RULES);
        let numbers = match model.task {
            Task::Classification => "The numbers after THEN are log-odds relative to the mean of the classes.",
            Task::Regression => "The number after THEN is the prediction of the rule.",
        };
        let section = Section::new("Rules").with(html! {
            p { "The model combines " (many(explanation.rules.len(), "rule", "rules")) ", each weighted by its firing strength. Low, "
                "medium and high are thirds of the range of the training values. " (numbers) }
            ol.rules { @for rule in explanation.rules.iter().take(RULES) { li { (sentence(model, rule)) } } }
            @if more > 0 { p.quiet { (many(more, "weaker rule is", "weaker rules are")) " not shown; " code { "rulesieve explain" } " prints all." } }
        });
        Some(section)
    }

    /// Approximate rules of a selection method with free firing strengths.
    pub(super) fn recovered(&self) -> Option<Section> {
        let found = self.selection?.rules.as_ref().filter(|found| !found.rules.is_empty())?;
        let classes = self.run.data.target.classes();
        let mut data = Data::new(["rule", "IF, recovered afterwards", "weight", "rows that fire it"]);
        for (at, rule) in found.rules.iter().take(RECOVERED.0).enumerate() {
            let conditions = rule.conditions.iter().filter(|condition| condition.term != Term::Any).take(RECOVERED.1);
            let conditions: Vec<String> = conditions
                .map(|one| match (&one.category, one.about) {
                    (Some(category), _) => format!("{} is {category}", one.feature),
                    (None, Some(about)) => format!("{} is {} (about {})", one.feature, one.term.word(), number(about)),
                    (None, None) => format!("{} is {}", one.feature, one.term.word()),
                })
                .collect();
            let mut shares: Vec<(usize, f64)> = rule.class_shares.iter().copied().enumerate().collect();
            shares.sort_by(|a, b| b.1.total_cmp(&a.1));
            let shares = shares.iter().take(EFFECTS).filter_map(|&(at, share)| Some((classes.get(at)?, share)));
            let shares: Vec<String> = shares.map(|(class, share)| format!("{class} {}", percent(share))).collect();
            let conditions = if conditions.is_empty() { "anything".to_owned() } else { conditions.join(" and ") };
            data.push([(at + 1).to_string(), conditions, number(rule.weight), shares.join(", ")]);
        }
        let quality = match found.r_squared > 0.0 {
            true => "The IF part is approximate.",
            false => "The IF part is unreliable: the firing strengths do not follow from the columns.",
        };
        let text = format!(
            "This method learns a separate firing strength for every row. The IF part was fitted to these strengths with R squared {}. {quality}",
            number(found.r_squared)
        );
        Some(Section::new("Rules of the selection method").text(&text).table("Strongest rules", &data, &[2]))
    }

    pub(super) fn example(&self) -> Option<Section> {
        let predictor = self.model?;
        let model = predictor.model();
        let (table, target) = table(self.run.data, &model.features)?;
        let row = predictor.explain_row(&table, 0, 1).ok()?;
        let truth = target.cell(0);
        let bars = row.contributions.iter().map(|one| Bar {
            label: format!(
                "{} = {}",
                shortened(&one.feature),
                if one.value.is_empty() { "missing".to_owned() } else { rounded(&one.value) }
            ),
            value: one.contribution,
            error: None,
            highlight: one.contribution > 0.0,
        });
        let unit = if model.task == Task::Regression { model.target.clone() } else { "log-odds".to_owned() };
        let bars = Bars { bars: bars.collect(), value_title: format!("contribution, {unit}"), ..Bars::default() };
        let explanation = predictor.explain();
        let first = match model.preprocessing.missing {
            _ if self.run.data.samples() < self.run.rows => "the first row of the sample",
            Missing::DropRows => "the first complete row of the table",
            Missing::Fill | Missing::Error | Missing::Median => "the first row of the table",
        };
        let section = Section::new("One row explained").with(html! {
            p { "Example: for " (first) " the model predicts " (name(&model.target)) " = " strong { (name(&rounded(&row.predicted))) }
                (probabilities(model, &row)) "; the true value is " (name(&rounded(&truth))) ". "
                "A bar shows by how much the output would decrease if the value were replaced by the median or the most frequent "
                "category. The bars need not add up, because columns interact." }
        });
        let section = section.figure(bars.figure("one-row", "Contribution of each column"));
        let fired: Vec<_> = row.fired.iter().filter(|fired| fired.firing >= LEAST).take(3).collect();
        Some(section.with(html! {
            ol.rules { @for fired in fired { @if let Some(rule) = explanation.rules.get(fired.rule - 1) {
                li { p { "Rule " (fired.rule) " fires at " (percent(fired.firing)) ", output " (output(model, fired.output)) "." }
                    p { (conditions(rule)) } }
            } } }
        }))
    }
}

fn probabilities(model: &Model, row: &RowExplanation) -> Markup {
    let mut order: Vec<usize> = (0..row.probabilities.len()).collect();
    order.sort_by(|&a, &b| row.probabilities[b].total_cmp(&row.probabilities[a]).then(a.cmp(&b)));
    html! { @if !order.is_empty() {
        " (" @for (rank, &at) in order.iter().take(EFFECTS).enumerate() {
            @if rank > 0 { ", " } (name(&model.classes[at])) " " (percent(row.probabilities[at]))
        } ")"
    } }
}

fn sentence(model: &Model, rule: &RuleSentence) -> Markup {
    html! {
        p { (conditions(rule)) }
        p { span.word { "THEN" } " " (effects(model, &rule.effects)) }
        p.quiet { "weight " (number(rule.weight)) ", fires most in " (percent(rule.coverage)) " of the rows" (slopes(model, rule)) }
    }
}

fn conditions(rule: &RuleSentence) -> Markup {
    let conditions: Vec<&Condition> = rule.conditions.iter().filter(|condition| condition.term != Term::Any).collect();
    html! {
        span.word { "IF" } " "
        @if conditions.is_empty() { "anything" }
        @for (at, condition) in conditions.into_iter().enumerate() {
            @if at > 0 { " " span.word { "AND" } " " }
            strong { (name(&condition.feature)) } " is " (phrase(condition))
        }
    }
}

fn phrase(condition: &Condition) -> Markup {
    html! {
        @if condition.term == Term::Categories {
            @for (at, category) in condition.categories.iter().enumerate() { @if at > 0 { " or " } (name(category)) }
        } @else {
            (condition.term.word()) @if let Some(about) = condition.about { " (about " (number(about)) ")" }
        }
    }
}

/// The effects of a rule, largest first.
fn effects(model: &Model, effects: &[f64]) -> Markup {
    if model.task == Task::Regression {
        let effect = effects.first().copied().unwrap_or(0.0);
        return html! { (name(&model.target)) " is " strong { (number(model.output.mean + effect)) } };
    }
    let mut order: Vec<usize> = (0..effects.len()).collect();
    order.sort_by(|&a, &b| effects[b].total_cmp(&effects[a]).then(a.cmp(&b)));
    html! {
        @for (rank, &at) in order.iter().take(EFFECTS).enumerate() {
            @if rank > 0 { ", " }
            @if rank == 0 { strong { (name(&model.classes[at])) } } @else { (name(&model.classes[at])) }
            " (" (signed(effects[at])) ")"
        }
        @if order.len() > EFFECTS { ", \u{2026}" }
    }
}

fn slopes(model: &Model, rule: &RuleSentence) -> Markup {
    html! { @if let Some(first) = rule.slopes.first() {
        "; there, " (name(model.classes.get(first.output).unwrap_or(&model.target))) " changes by "
        @for (at, slope) in rule.slopes.iter().enumerate() {
            @if at > 0 { ", " }
            (signed(slope.per_unit))
            @match &slope.category {
                Some(category) => { " if " (name(&slope.feature)) " is " (name(category)) }
                None => { " per unit of " (name(&slope.feature)) }
            }
        }
    } }
}

/// The output of a rule for the predicted class or value.
fn output(model: &Model, value: f64) -> String {
    if model.task == Task::Regression { number(model.output.mean + value) } else { signed(value) }
}

/// A cell with a long number shortened.
fn rounded(cell: &str) -> String {
    cell.parse::<f64>().ok().filter(|value| value.is_finite() && cell.len() > 6).map_or(cell.to_owned(), number)
}

/// A name shortened to [`NAME`] characters.
fn shortened(name: &str) -> String {
    if name.chars().count() > NAME {
        name.chars().take(NAME - 1).chain(['\u{2026}']).collect()
    } else {
        name.to_owned()
    }
}

/// A number with its sign.
fn signed(value: f64) -> String {
    let text = number(value);
    if value > 0.0 { format!("+{text}") } else { text }
}
