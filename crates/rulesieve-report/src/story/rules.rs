//! The rules in words, and one row explained.

use super::views::table;
use super::{Story, many, percent};
use crate::Data;
use crate::charts::{Bar, Bars, Chart};
use crate::page::{Section, name};
use crate::svg::number;
use maud::{Markup, html};
use rulesieve::data::{Missing, Task, Term};
use rulesieve::model::{Condition, Model, RowExplanation, RuleSentence};

/// Rules that are told.
const RULES: usize = 8;
/// Classes whose effect is told in a rule.
const EFFECTS: usize = 4;
/// Letters of a name that shares its line with a value.
const NAME: usize = 24;
/// A rule that fires less than this had no say.
const LEAST: f64 = 0.001;
/// Rules of a method itself that are told, and their conditions.
const RECOVERED: (usize, usize) = (4, 5);

impl Story<'_> {
    pub(super) fn rules(&self) -> Option<Section> {
        let predictor = self.model?;
        let (model, explanation) = (predictor.model(), predictor.explain());
        let more = explanation.rules.len().saturating_sub(RULES);
        let numbers = match model.task {
            Task::Classification => "Numbers behind THEN are log-odds against the mean of the classes.",
            Task::Regression => "The number behind THEN is what the rule says where it fires.",
        };
        let section = Section::new("The rules").with(html! {
            p { "The model answers with " (many(explanation.rules.len(), "rule", "rules")) ", each as strongly as its IF part holds. Low, "
                "medium and high are thirds of the values it learned from. " (numbers) }
            ol.rules { @for rule in explanation.rules.iter().take(RULES) { li { (sentence(model, rule)) } } }
            @if more > 0 { p.quiet { (many(more, "weaker rule is", "weaker rules are")) " left out; " code { "rulesieve explain" } " tells all." } }
        });
        Some(section)
    }

    /// The rules of the method itself, where its firing strengths were free.
    pub(super) fn recovered(&self) -> Option<Section> {
        let found = self.selection?.rules.as_ref().filter(|found| !found.rules.is_empty())?;
        let classes = self.about.data.target.classes();
        let mut data = Data::new(["rule", "IF, recovered afterwards", "weight", "rows that fire it"]);
        for (at, rule) in found.rules.iter().take(RECOVERED.0).enumerate() {
            let asked = rule.conditions.iter().filter(|condition| condition.term != Term::Any).take(RECOVERED.1);
            let asked: Vec<String> = asked
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
            let asked = if asked.is_empty() { "anything".to_owned() } else { asked.join(" and ") };
            data.push([(at + 1).to_string(), asked, number(rule.weight), shares.join(", ")]);
        }
        let trust = match found.r_squared > 0.0 {
            true => "approximate",
            false => "not to be relied on: these rules fire by row, not by place",
        };
        let text = format!(
            "The firing strengths of this method are free for every row; the IF part was found afterwards, with R squared {}, and is {trust}.",
            number(found.r_squared)
        );
        Some(Section::new("The rules of the method itself").text(&text).table("Its strongest rules", &data, &[2]))
    }

    pub(super) fn row(&self) -> Option<Section> {
        let predictor = self.model?;
        let model = predictor.model();
        let (table, target) = table(self.about.data, &model.features)?;
        let row = predictor.explain_row(&table, 0, 1).ok()?;
        let truth = target.cell(0);
        let bars = row.contributions.iter().map(|one| Bar {
            label: format!(
                "{} = {}",
                beginning(&one.feature),
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
            _ if self.about.data.samples() < self.about.rows => "the first row of the sample",
            Missing::DropRows => "the first complete row of the table",
            Missing::Error | Missing::Median => "the first row of the table",
        };
        let section = Section::new("One row explained").with(html! {
            p { "As an example, " (first) ": the model says " (name(&model.target)) " is " strong { (name(&rounded(&row.predicted))) }
                (probabilities(model, &row)) "; in the table it is " (name(&rounded(&truth))) ". "
                "A bar says by how much the answer would weaken if the value were the typical one (the median, the most frequent "
                "category). They need not add up, because columns act together." }
        });
        let section = section.figure(bars.figure("one-row", "What each column contributed"));
        let fired: Vec<_> = row.fired.iter().filter(|fired| fired.firing >= LEAST).take(3).collect();
        Some(section.with(html! {
            ol.rules { @for fired in fired { @if let Some(rule) = explanation.rules.get(fired.rule - 1) {
                li { p { "Rule " (fired.rule) " fires at " (percent(fired.firing)) " and says " (says(model, fired.says)) "." }
                    p { (conditions(rule)) } }
            } } }
        }))
    }
}

fn probabilities(model: &Model, row: &RowExplanation) -> Markup {
    let mut order: Vec<usize> = (0..row.probabilities.len()).collect();
    order.sort_by(|&a, &b| row.probabilities[b].total_cmp(&row.probabilities[a]).then(a.cmp(&b)));
    html! { @if !order.is_empty() {
        " (" @for (place, &at) in order.iter().take(EFFECTS).enumerate() {
            @if place > 0 { ", " } (name(&model.classes[at])) " " (percent(row.probabilities[at]))
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
    let asked: Vec<&Condition> = rule.conditions.iter().filter(|condition| condition.term != Term::Any).collect();
    html! {
        span.word { "IF" } " "
        @if asked.is_empty() { "anything" }
        @for (at, condition) in asked.into_iter().enumerate() {
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

/// What a rule says: what it speaks for most first.
fn effects(model: &Model, effects: &[f64]) -> Markup {
    if model.task == Task::Regression {
        let effect = effects.first().copied().unwrap_or(0.0);
        return html! { (name(&model.target)) " is " strong { (number(model.output.mean + effect)) } };
    }
    let mut order: Vec<usize> = (0..effects.len()).collect();
    order.sort_by(|&a, &b| effects[b].total_cmp(&effects[a]).then(a.cmp(&b)));
    html! {
        @for (place, &at) in order.iter().take(EFFECTS).enumerate() {
            @if place > 0 { ", " }
            @if place == 0 { strong { (name(&model.classes[at])) } } @else { (name(&model.classes[at])) }
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

/// What a rule says about the answer that was given.
fn says(model: &Model, value: f64) -> String {
    if model.task == Task::Regression { number(model.output.mean + value) } else { signed(value) }
}

/// A cell with a number in few digits; any other as it is.
fn rounded(cell: &str) -> String {
    cell.parse::<f64>().ok().filter(|value| value.is_finite() && cell.len() > 6).map_or(cell.to_owned(), number)
}

/// The beginning of a name that shares its line with a value.
fn beginning(name: &str) -> String {
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
