//! Whether the rows are sorted by the target: a fit that reads them in order is misled by that.

use super::column::{ColumnSurvey, Moments, Role};

/// How far pieces are from mixed (0) to of one class or number each (1) when the rows count as sorted.
const SORTED: f64 = 0.3;
/// Pieces of fewer rows than this tell nothing about that.
const TELLING_ROWS: usize = 100;

/// How much the rows of a piece differ in the target, over all pieces.
#[derive(Default)]
pub(super) struct RowOrder {
    /// Sum of rows times the chance that two of them differ in class, or of squared distances from the piece's mean.
    apart: f64,
    rows: usize,
}

impl RowOrder {
    /// Takes note of the rows of a piece that count; `cells` are classes by their order of appearance, or numbers.
    pub(super) fn add(&mut self, role: Role, cells: &[f64], kept: &[usize]) {
        if kept.len() < TELLING_ROWS {
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

    /// Whether neighbours are much more alike than any two rows.
    pub(super) fn is_sorted(&self, target: &ColumnSurvey) -> bool {
        let all = match target.role {
            Role::Number => target.moments.squares / target.moments.count.max(1) as f64,
            Role::Category | Role::Target => difference(&target.levels.counts),
        };
        self.rows > 0 && all > 0.0 && 1.0 - self.apart / self.rows as f64 / all > SORTED
    }
}

/// The chance that two rows, drawn with replacement, differ in class.
fn difference(counts: &[usize]) -> f64 {
    let sum = counts.iter().sum::<usize>().max(1) as f64;
    1.0 - counts.iter().map(|&count| (count as f64 / sum).powi(2)).sum::<f64>()
}
