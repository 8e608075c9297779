//! Rules as text.

use super::explain::{Explanation, RuleSentence};
use super::terms::Condition;
use crate::data::{Task, Term};
use std::fmt;

/// Maximum number of classes whose effect is listed.
const EFFECTS: usize = 4;

/// Formats names of columns and classes, for example by escaping control characters.
pub type NameStyle<'a> = &'a dyn Fn(&str) -> String;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(usize::MAX, &str::to_owned))
    }
}

impl Explanation {
    /// The strongest rules as text.
    pub fn text(&self, top: usize, name: NameStyle) -> String {
        let count = self.rules.len();
        let shown = top.min(count);
        let by = crate::methods::title(&self.method);
        let by = if by.is_empty() { String::new() } else { format!(" selected by {}", name(by)) };
        let mut text = format!("{count} rules for {} on {} features{by}\n", name(&self.target), self.features);
        for rule in &self.rules[..shown] {
            text += &format!("\n{}", self.sentence(rule, name));
        }
        if shown < count {
            text += &format!("\n... and {} weaker rules\n", count - shown);
        }
        text
    }

    fn sentence(&self, rule: &RuleSentence, name: NameStyle) -> String {
        let mut text =
            format!("{:>2}. {}\n    {}\n", rule.rule, rule.conditions_text(name), self.effects_text(rule, name));
        text += &format!("    weight {:.3}, fires most in {:.1} % of the rows\n", rule.weight, 100.0 * rule.coverage);
        let slopes = rule.slopes.iter().map(|slope| {
            let (feature, change) = (name(&slope.feature), signed(slope.per_unit));
            match &slope.category {
                Some(category) => format!("{change} if {feature} is {}", name(category)),
                None => format!("{change} per unit of {feature}"),
            }
        });
        let slopes: Vec<String> = slopes.collect();
        if let Some(first) = rule.slopes.first() {
            let about = self.classes.get(first.output).unwrap_or(&self.target);
            text += &format!("    there, {} changes by {}\n", name(about), slopes.join(", "));
        }
        text
    }

    /// `THEN a (+1.2), b (-0.3)`: the largest effect first.
    pub fn effects_text(&self, rule: &RuleSentence, name: NameStyle) -> String {
        let effects = &rule.effects;
        if self.task == Task::Regression {
            let effect = effects.first().copied().unwrap_or(0.0);
            return format!("THEN {} is {}", name(&self.target), rounded(self.mean + effect));
        }
        let mut order: Vec<usize> = (0..effects.len()).collect();
        order.sort_by(|&a, &b| effects[b].total_cmp(&effects[a]).then(a.cmp(&b)));
        let listed = order.iter().take(EFFECTS);
        let listed: Vec<String> =
            listed.map(|&at| format!("{} ({})", name(&self.classes[at]), signed(effects[at]))).collect();
        let more = if order.len() > EFFECTS { ", ..." } else { "" };
        format!("THEN {}{more}", listed.join(", "))
    }
}

impl RuleSentence {
    /// `IF a is high AND b is x or y`.
    pub fn conditions_text(&self, name: NameStyle) -> String {
        let conditions = self.conditions.iter().filter(|condition| condition.term != Term::Any);
        let conditions: Vec<String> = conditions.map(|condition| phrase(condition, name)).collect();
        if conditions.is_empty() { "IF anything".to_owned() } else { format!("IF {}", conditions.join(" AND ")) }
    }
}

fn phrase(condition: &Condition, name: NameStyle) -> String {
    let feature = name(&condition.feature);
    match (condition.term, condition.about) {
        (Term::Categories, _) => {
            let categories: Vec<String> = condition.categories.iter().map(|category| name(category)).collect();
            format!("{feature} is {}", categories.join(" or "))
        }
        (term, Some(about)) => format!("{feature} is {} (about {})", term.word(), rounded(about)),
        (term, None) => format!("{feature} is {}", term.word()),
    }
}

/// Two decimals with a sign; scientific notation for small values.
pub fn signed(value: f64) -> String {
    if value == 0.0 || value.abs() >= 0.01 { format!("{value:+.2}") } else { format!("{value:+.1e}") }
}

/// Three to four significant digits.
pub fn rounded(value: f64) -> String {
    let magnitude = value.abs();
    match magnitude {
        _ if value == 0.0 => "0".to_owned(),
        _ if !(1e-3..1e7).contains(&magnitude) => format!("{value:.2e}"),
        _ if magnitude >= 1000.0 => format!("{value:.0}"),
        _ if magnitude >= 10.0 => format!("{value:.1}"),
        _ if magnitude >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
