//! Rules recovered from a method with free firing strengths, as text.

use super::MAX_CLASSES;
use crate::output;
use rulesieve::data::Term;
use rulesieve::model::{Model, rounded};
use rulesieve::select::{RecoveredCondition, RecoveredRules};

/// Maximum number of conditions printed per rule.
const CONDITIONS: usize = 5;

/// Formats the rules of the method itself, whose IF parts are approximations.
pub(super) fn text(model: &Model, recovered: &RecoveredRules, top: usize) -> String {
    let mut text = format!(
        "{} rules of {} itself. Their firing strengths are free parameters of each row; the IF parts are approximate\n(R squared {}",
        recovered.rules.len(),
        output::shown(&model.method),
        output::number(recovered.r_squared)
    );
    if let Some(accuracy) = recovered.training_accuracy {
        text += &format!("; with refitted consequents, training accuracy {:.1} %", 100.0 * accuracy);
    }
    text += "). Predictions come from the rules above.\n";
    if recovered.r_squared <= 0.0 {
        text += "R squared is not above 0: the IF parts do not describe when these rules fire.\n";
    }
    for (at, rule) in recovered.rules.iter().take(top).enumerate() {
        let conditions = rule.conditions.iter().filter(|condition| condition.term != Term::Any).take(CONDITIONS);
        let conditions: Vec<String> = conditions.map(phrase).collect();
        let conditions = if conditions.is_empty() { "anything".to_owned() } else { conditions.join(" AND ") };
        let mut order: Vec<usize> = (0..rule.class_shares.len()).collect();
        order.sort_by(|&a, &b| rule.class_shares[b].total_cmp(&rule.class_shares[a]).then(a.cmp(&b)));
        let share =
            |&at: &usize| format!("{} {:.1} %", output::shown(&model.classes[at]), 100.0 * rule.class_shares[at]);
        let shares: Vec<String> = order.iter().take(MAX_CLASSES).map(share).collect();
        let more = if order.len() > MAX_CLASSES { ", ..." } else { "" };
        text += &format!(
            "\n{:>2}. IF {conditions}\n    weight {:.3}; classes of the rows that fire it: {}{more}\n",
            at + 1,
            rule.weight,
            shares.join(", ")
        );
    }
    if top < recovered.rules.len() {
        text += &format!("\n... and {} weaker rules\n", recovered.rules.len() - top);
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
