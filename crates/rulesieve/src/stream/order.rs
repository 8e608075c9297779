//! Detects rows sorted by the target, which bias a fit that reads them in order.

use super::column::{ColumnSurvey, Moments, Role};

/// Rows count as sorted above this homogeneity of pieces, from shuffled (0) to a single class or value per piece (1).
const SORTED: f64 = 0.3;
/// Minimum number of rows of an informative piece.
const MIN_PIECE_ROWS: usize = 100;

/// Variation of the target within pieces.
#[derive(Default)]
pub(super) struct RowOrder {
    /// Sum of rows times the probability that two of them differ in class, or of squared deviations from the piece's
    /// mean.
    apart: f64,
    rows: usize,
}

impl RowOrder {
    /// Adds the used rows of a piece; `cells` are classes in order of appearance, or numbers.
    pub(super) fn add(&mut self, role: Role, cells: &[f64], kept: &[usize]) {
        if kept.len() < MIN_PIECE_ROWS {
            return;
        }
        let present = kept.iter().map(|&row| cells[row]);
        self.rows += kept.len();
        if role == Role::Number {
            let mut piece = Moments::default();
            piece.add(present);
            self.apart += piece.squares;
            return;
        }
        let mut counts: Vec<usize> = Vec::new();
        for class in present.map(|cell| cell as usize) {
            counts.resize(counts.len().max(class + 1), 0);
            counts[class] += 1;
        }
        self.apart += kept.len() as f64 * difference(&counts);
    }

    /// Whether rows within a piece are much more alike than random rows.
    pub(super) fn is_sorted(&self, target: &ColumnSurvey) -> bool {
        let all = match target.role {
            Role::Number => target.moments.squares / target.moments.count.max(1) as f64,
            Role::Category | Role::Target => difference(&target.levels.counts),
        };
        self.rows > 0 && all > 0.0 && 1.0 - self.apart / self.rows as f64 / all > SORTED
    }
}

/// Probability that two rows, drawn with replacement, differ in class.
fn difference(counts: &[usize]) -> f64 {
    let sum = counts.iter().sum::<usize>().max(1) as f64;
    1.0 - counts.iter().map(|&count| (count as f64 / sum).powi(2)).sum::<f64>()
}
