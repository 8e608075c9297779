//! The rules of a method whose firing strengths are free, in words.

use super::EFFECTS;
use crate::output;
use rulesieve::data::Term;
use rulesieve::model::{Model, rounded};
use rulesieve::select::{RecoveredCondition, RecoveredRules};

/// Conditions of a rule that are told.
const CONDITIONS: usize = 5;

/// The rules of the method itself, which fire freely and get their IF part afterwards.
pub(super) fn text(model: &Model, recovered: &RecoveredRules, top: usize) -> String {
    let mut text = format!(
        "{} rules of {} itself. Their firing strengths were free for every row; the IF part is recovered afterwards and approximate\n(R squared {}",
        recovered.rules.len(),
        output::shown(&model.method),
        output::number(recovered.r_squared)
    );
    if let Some(accuracy) = recovered.training_accuracy {
        text += &format!("; with consequents fitted anew, right on {:.1} % of the training rows", 100.0 * accuracy);
    }
    text += "). Predictions come from the rules above.\n";
    if recovered.r_squared <= 0.0 {
        text += "R squared is not above 0: these rules fire by row, not by place, and have no IF part to rely on.\n";
    }
    for (at, rule) in recovered.rules.iter().take(top).enumerate() {
        let conditions = rule.conditions.iter().filter(|condition| condition.term != Term::Any).take(CONDITIONS);
        let conditions: Vec<String> = conditions.map(phrase).collect();
        let conditions = if conditions.is_empty() { "anything".to_owned() } else { conditions.join(" AND ") };
        let mut order: Vec<usize> = (0..rule.class_shares.len()).collect();
        order.sort_by(|&a, &b| rule.class_shares[b].total_cmp(&rule.class_shares[a]).then(a.cmp(&b)));
        let share =
            |&at: &usize| format!("{} {:.1} %", output::shown(&model.classes[at]), 100.0 * rule.class_shares[at]);
        let shares: Vec<String> = order.iter().take(EFFECTS).map(share).collect();
        let more = if order.len() > EFFECTS { ", ..." } else { "" };
        text += &format!(
            "\n{:>2}. IF {conditions}\n    weight {:.3}; the rows that fire it are {}{more}\n",
            at + 1,
            rule.weight,
            shares.join(", ")
        );
    }
    if top < recovered.rules.len() {
        text += &format!("\n... and {} weaker ones\n", recovered.rules.len() - top);
    }
    text
}

fn phrase(condition: &RecoveredCondition) -> String {
    let feature = output::shown(&condition.feature);
    let number = |value: Option<f64>| value.map_or("?".to_owned(), rounded);
    match &condition.category {
        Some(category) => format!("{feature} is {}", output::shown(category)),
        None => format!(
            "{feature} is {} ({} +- {}, all rows {})",
            condition.term.word(),
            number(condition.about),
            number(condition.deviation),
            number(condition.overall)
        ),
    }
}
