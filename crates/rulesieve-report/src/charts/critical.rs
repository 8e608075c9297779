//! Critical difference diagrams (Demsar 2006): methods along an axis of average ranks, with the critical difference.

use super::Chart;
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Axis, BOLD, Drawing, Scale, TEXT, listed, number, width};

const ROW: f64 = 24.0;

/// Which pairs of methods are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// With a control, given by its index (Bonferroni-Dunn): a bar of the critical difference to both sides of it.
    FromControl(usize),
    /// All pairs (Nemenyi): a bar joins methods without a significant difference.
    BetweenAny,
}

/// A critical difference diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct CriticalDifference {
    /// Methods with their average ranks; 1 is best.
    pub ranks: Vec<(String, f64)>,
    /// The critical difference.
    pub critical: f64,
    /// Which pairs of methods are compared.
    pub difference: Difference,
}

impl CriticalDifference {
    /// Indices of methods with a finite rank, by rank.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.ranks.len()).filter(|&at| self.ranks[at].1.is_finite()).collect();
        order.sort_by(|&a, &b| self.ranks[a].1.total_cmp(&self.ranks[b].1).then(a.cmp(&b)));
        order
    }

    /// Maximal groups of methods whose ranks differ by at most the critical difference.
    pub fn cliques(&self) -> Vec<Vec<usize>> {
        let order = self.order();
        let mut cliques: Vec<(usize, usize)> = Vec::new();
        for first in 0..order.len() {
            let rank = self.ranks[order[first]].1;
            let last = (first..order.len()).rev().find(|&at| self.ranks[order[at]].1 - rank <= self.critical);
            let last = last.unwrap_or(first);
            if last > first && cliques.last().is_none_or(|&(_, end)| last > end) {
                cliques.push((first, last));
            }
        }
        cliques.into_iter().map(|(first, last)| order[first..=last].to_vec()).collect()
    }

    /// Whether a method differs significantly from the control.
    fn differs(&self, at: usize) -> bool {
        let Difference::FromControl(control) = self.difference else { return false };
        let control = self.ranks.get(control).map_or(f64::NAN, |control| control.1);
        (self.ranks[at].1 - control).abs() > self.critical
    }

    fn bars(&self, drawing: &mut Drawing, axis: &Axis, line: f64) -> f64 {
        match self.difference {
            Difference::FromControl(control) => {
                let rank = self.ranks.get(control).map_or(f64::NAN, |control| control.1);
                if rank.is_finite() && self.critical.is_finite() {
                    let (low, high) = (axis.pixel(rank - self.critical), axis.pixel(rank + self.critical));
                    drawing.line((low, line + 12.0), (high, line + 12.0), "rs-thick rs-s1");
                }
                24.0
            }
            Difference::BetweenAny => {
                let cliques = self.cliques();
                for (at, clique) in cliques.iter().enumerate() {
                    let ranks = clique.iter().map(|&method| self.ranks[method].1);
                    let (low, high) =
                        ranks.fold((f64::MAX, -f64::MAX), |(low, high), rank| (low.min(rank), high.max(rank)));
                    let y = line + 12.0 + 9.0 * at as f64;
                    drawing.line((axis.pixel(low) - 3.0, y), (axis.pixel(high) + 3.0, y), "rs-thick");
                }
                15.0 + 9.0 * cliques.len() as f64
            }
        }
    }

    /// Draws the critical difference above the axis.
    fn measure(&self, drawing: &mut Drawing, axis: &Axis, start: f64) {
        if !self.critical.is_finite() || self.critical <= 0.0 {
            return;
        }
        let (from, to) = (axis.pixel(start), axis.pixel(start + self.critical));
        drawing.line((from, 22.0), (to, 22.0), "rs-ink");
        [from, to].iter().for_each(|&x| drawing.line((x, 18.0), (x, 26.0), "rs-ink"));
        let text = format!("critical difference {}", number(self.critical));
        drawing.text((from, 12.0), Anchor::Start, "rs-t rs-small", 240.0, &text);
        if let Difference::FromControl(control) = self.difference {
            let name = self.ranks.get(control).map_or("the control", |control| control.0.as_str());
            let note = format!("* differs from {name}");
            let position = (drawing.width, 12.0);
            drawing.text(position, Anchor::End, "rs-t rs-small rs-soft", drawing.width - from - 180.0, &note);
        }
    }

    fn label(&self, at: usize) -> String {
        let mark = match self.difference {
            Difference::FromControl(_) if self.differs(at) => " *",
            _ => "",
        };
        format!("{} ({}){mark}", self.ranks[at].0, number(self.ranks[at].1))
    }
}

impl Chart for CriticalDifference {
    fn draw(&self, wide: f64) -> Drawing {
        let order = self.order();
        let half = order.len().div_ceil(2);
        let labels: Vec<String> = order.iter().map(|&at| self.label(at)).collect();
        let side = labels.iter().map(|text| width(text, TEXT * BOLD)).fold(40.0, f64::max).min(wide * 0.3);
        let (left, right, line) = (side + 16.0, wide - side - 16.0, 62.0);
        let highest = self.ranks.len().max(2) as f64;
        let ends = order.iter().map(|&at| self.ranks[at].1).chain([1.0, highest]);
        let axis = Axis::over(ends, Scale::Linear, (left, right));
        let mut drawing = Drawing::new(wide, 100.0);
        self.measure(&mut drawing, &axis, 1.0);
        let step = order.len().div_ceil(12).max(1);
        for rank in (1..=highest as usize).step_by(step) {
            let x = axis.pixel(rank as f64);
            drawing.line((x, line - 6.0), (x, line), "rs-axis");
            drawing.text((x, line - 10.0), Anchor::Middle, "rs-t rs-small rs-soft", 40.0, &rank.to_string());
        }
        let first = line + self.bars(&mut drawing, &axis, line) + 12.0;
        drawing.line((left, line), (right, line), "rs-ink");
        for (rank, &at) in order.iter().enumerate() {
            // The better half on the left, the best on top; the other half on the right, the worst on top.
            let (on_left, row) = if rank < half { (true, rank) } else { (false, order.len() - 1 - rank) };
            let (x, y) = (axis.pixel(self.ranks[at].1), first + ROW * row as f64);
            let edge = if on_left { left - 8.0 } else { right + 8.0 };
            drawing.line((x, line), (x, y), "rs-axis");
            drawing.line((x, y), (edge, y), "rs-axis");
            drawing.mark((x, line), 0, &labels[rank]);
            let control = self.difference == Difference::FromControl(at);
            let class = if control { "rs-t rs-strong" } else { "rs-t" };
            let (anchor, x) = if on_left { (Anchor::End, edge - 5.0) } else { (Anchor::Start, edge + 5.0) };
            drawing.text((x, y + 4.5), anchor, class, side + 4.0, &labels[rank]);
        }
        drawing.height = first + ROW * half.max(1) as f64;
        drawing
    }

    /// The names on both sides leave too little width for the axis.
    fn shrinks(&self) -> bool {
        false
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["method", "average rank", "critical difference", "note"]);
        for at in self.order() {
            let note = match self.difference {
                Difference::FromControl(control) if control == at => "control",
                Difference::FromControl(_) if self.differs(at) => "differs",
                _ => "",
            };
            data.push([self.ranks[at].0.clone(), exact(self.ranks[at].1), exact(self.critical), note.to_owned()]);
        }
        data
    }

    fn alt(&self) -> String {
        let order = self.order();
        let items: Vec<String> =
            order.iter().map(|&at| format!("{} {}", self.ranks[at].0, number(self.ranks[at].1))).collect();
        let names = |methods: &[usize]| methods.iter().map(|&at| self.ranks[at].0.as_str()).collect::<Vec<_>>();
        let result = match self.difference {
            Difference::FromControl(control) => {
                let differ: Vec<usize> = order.iter().copied().filter(|&at| self.differs(at)).collect();
                let control = self.ranks.get(control).map_or("the control", |control| control.0.as_str());
                let who = if differ.is_empty() { "none".to_owned() } else { listed(&names(&differ)) };
                format!("significantly different from {control}: {who}")
            }
            Difference::BetweenAny => {
                let groups: Vec<String> = self.cliques().iter().map(|clique| names(clique).join(", ")).collect();
                if groups.is_empty() {
                    "all pairs differ significantly".to_owned()
                } else {
                    format!("no significant difference within: {}", groups.join("; "))
                }
            }
        };
        let critical = number(self.critical);
        format!("Average ranks, best first: {}. Critical difference {critical}; {result}.", items.join(", "))
    }
}
