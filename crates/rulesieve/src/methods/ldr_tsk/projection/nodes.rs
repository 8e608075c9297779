//! One linear system for every multiplier at the price of a few.
//!
//! Column j of Q solves `(A + lambda_j I) q_j = b_j`, and the lambda_j lie close together. The solution is analytic in
//! lambda, with poles only at minus the eigenvalues of A, so it is interpolated between Chebyshev nodes: factorise at
//! each node, combine the inverses with Lagrange weights. For poles at a distance of `reach` or more from the interval of
//! half width h, polynomials through p nodes have a relative error of at most `2 (h / (2 reach))^p`.
//!
//! Polynomials waste that the poles lie on one side, and that far ones hardly matter. A numerator of degree p - 1 over
//! `prod (lambda + c_k)`, with p - 1 poles of its own, leaves of the component of the eigenvalue mu, with
//! `t = reach / (distance to the pole -mu)` and `t_k` likewise for the pole `-c_k`, at most
//! `2 (h / (2 reach))^p t prod |t - t_k|`. The t_k are Chebyshev nodes between 0 and 1, hence at most `16 (h / (8 reach))^p`
//! is left of any component. Q is made of `v = alpha (x_hat - X q)`, as `D^-1 X^T v`, where errors of components with a far pole
//! come in times the distance to it over that to the nearest: the factor t is what makes up for that. (Where Z varies,
//! twice the bound may be left; the tests hold Q to 1e-9.) Constants, like x_hat, are met exactly. Three nodes give nine digits
//! where the multipliers lie within half a hundredth of each other.
//!
//! The nearest pole may matter little or not at all: for large alpha the components that are there have far ones. What p - 1 nodes
//! leave of the inverse at another tells what they would leave of it all, and where that is little enough, the next iterations
//! take p - 1 of them ([`Seen`]).
//!
//! Row lengths of Q interpolate a double pole, by polynomials: at most `(p + 1) (h / (2 reach))^p`. Wide intervals are halved
//! first.

use super::groups::{Group, split};
use super::some_columns;
use crate::linalg::{
    LinalgError, Matrix, Plain, product, sum_of_squares, symmetric_eigenvalues, weighted_product_sum_along,
};
use std::f64::consts::PI;

/// Bound on the relative interpolation error.
const TOLERANCE: f64 = 1e-9;
/// More nodes than this, and the interval is halved instead.
const MAX_NODES: usize = 12;

/// Columns whose multipliers share a set of nodes.
#[derive(Debug, Clone)]
pub(super) struct Interval {
    /// The columns.
    pub(super) columns: Vec<usize>,
    /// The values of lambda at which systems are solved.
    pub(super) nodes: Vec<f64>,
    /// For every node, its weight in every column of this interval.
    pub(super) weights: Vec<Vec<f64>>,
    /// Half its width over twice the distance to the nearest pole.
    ratio: f64,
}

/// What is interpolated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// The solutions themselves, by rational functions.
    Solutions,
    /// The squares of their entries, by polynomials.
    Squares,
}

impl Quantity {
    /// Bound on the relative error.
    fn error(self, ratio: f64, nodes: usize) -> f64 {
        match (self, nodes) {
            (Self::Solutions, 1) => 2.0 * ratio,
            (Self::Solutions, _) => 16.0 * (ratio / 4.0).powi(nodes as i32),
            (Self::Squares, _) => (nodes + 1) as f64 * ratio.powi(nodes as i32),
        }
    }
}

/// Covers all multipliers by intervals. `pole` is a lower bound of the eigenvalues of A.
pub(super) fn cover(quantity: Quantity, lambda: &[f64], pole: f64) -> Vec<Interval> {
    let ratio = |low: f64, high: f64| (high - low) / (4.0 * (low + pole));
    let count =
        |low: f64, high: f64| (1..=MAX_NODES).find(|&nodes| quantity.error(ratio(low, high), nodes) <= TOLERANCE);
    let interval = |Group { columns, low, high, plan }| {
        let (centre, half) = (low + (high - low) / 2.0, (high - low) / 2.0);
        let nodes = chebyshev_nodes(plan).map(|node| centre + half * node).collect();
        let poles = match quantity {
            Quantity::Solutions => {
                chebyshev_nodes(plan - 1).map(|node| low - (low + pole) * 2.0 / (1.0 + node)).collect()
            }
            Quantity::Squares => Vec::new(),
        };
        between(nodes, &poles, columns, lambda, ratio(low, high))
    };
    split(lambda, count).into_iter().map(interval).collect()
}

/// What the nodes of an iteration say about fewer nodes: the bound knows the nearest pole, but not how little it may matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// So many nodes,
    nodes: usize,
    /// in an interval of this half width,
    half: f64,
    /// would have left that share of the solutions, if they were polynomials.
    left: f64,
    /// Iterations since.
    age: usize,
}

impl Seen {
    /// Looks after so many iterations again: until then the share is taken to change with the interval alone.
    const OLD: usize = 8;
    /// By how much the share may be larger than it was seen to be.
    const MARGIN: f64 = 4.0;

    fn suffices(&self, half: f64) -> bool {
        Self::MARGIN * self.left * (half / self.half).powi(self.nodes as i32) <= TOLERANCE
    }

    /// The latest that is of use: what has just been seen, or what was seen before and is not too old.
    pub(super) fn latest(now: Option<Self>, before: Option<Self>) -> Option<Self> {
        let older = before.map(|seen| Self { age: seen.age + 1, ..seen }).filter(|seen| seen.age < Self::OLD);
        now.or(older)
    }
}

/// The same columns with fewer nodes, where an iteration before has seen that these suffice.
pub(super) fn fewer(intervals: Vec<Interval>, lambda: &[f64], seen: Option<Seen>) -> Vec<Interval> {
    let ([all], Some(seen)) = (intervals.as_slice(), seen) else { return intervals };
    let (low, high) = extremes(lambda);
    if seen.nodes >= all.nodes.len() || !seen.suffices((high - low) / 2.0) {
        return intervals;
    }
    let nodes = chebyshev_nodes(seen.nodes).map(|node| low + (high - low) * (1.0 + node) / 2.0).collect();
    vec![between(nodes, &[], all.columns.clone(), lambda, all.ratio)]
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}

/// The zeros of the Chebyshev polynomial of that degree.
fn chebyshev_nodes(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |k| (PI * (2 * k + 1) as f64 / (2 * count) as f64).cos())
}

/// The same columns with fewer nodes, two or three, for a sum over all rows of Q: the nodes of the Gauss rule of these
/// multipliers. The interpolation errors then sum to zero over the columns, also times lambda (and its square, for
/// three); what is left is their chance correlation with the entries of Q, which falls with the columns and with the rank
/// of Q: about `0.1 ratio^nodes / sqrt(columns rank)`. Where that is not small, the interval stays as it is.
pub(super) fn for_sums(interval: &Interval, lambda: &[f64], rank: usize) -> Interval {
    let samples = ((interval.columns.len() * rank) as f64).sqrt();
    let exact = |&count: &usize| 0.1 * interval.ratio.powi(count as i32) / samples <= 0.2 * TOLERANCE;
    let points: Vec<f64> = interval.columns.iter().map(|&column| lambda[column]).collect();
    match (2..interval.nodes.len()).take(2).find(exact).and_then(|count| gauss_nodes(&points, count)) {
        Some(nodes) => between(nodes, &[], interval.columns.clone(), lambda, interval.ratio),
        None => interval.clone(),
    }
}

/// The nodes of the Gauss rule whose weight is a point mass at every one of the points: the eigenvalues of the matrix of
/// the three-term recurrence of their orthogonal polynomials. Nothing where the points are too few or too close.
fn gauss_nodes(points: &[f64], count: usize) -> Option<Vec<f64>> {
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    let spread = points.iter().fold(0.0_f64, |most, point| most.max((point - mean).abs()));
    let scaled: Vec<f64> = points.iter().map(|point| (point - mean) / spread).collect();
    let mut jacobi = Matrix::zeros(count, count);
    let (mut before, mut now) = (vec![0.0; points.len()], vec![(points.len() as f64).sqrt().recip(); points.len()]);
    for at in 0..count {
        let middle: f64 = now.iter().zip(&scaled).map(|(value, point)| point * value * value).sum();
        jacobi[(at, at)] = middle;
        if at + 1 == count {
            break;
        }
        let side = if at > 0 { jacobi[(at - 1, at)] } else { 0.0 };
        let next: Vec<f64> = (0..now.len()).map(|i| (scaled[i] - middle) * now[i] - side * before[i]).collect();
        let length = sum_of_squares(&next).sqrt();
        if length.is_nan() || length < 1e-6 {
            return None;
        }
        (jacobi[(at, at + 1)], jacobi[(at + 1, at)]) = (length, length);
        before = std::mem::replace(&mut now, next.into_iter().map(|value| value / length).collect());
    }
    let nodes = symmetric_eigenvalues(&jacobi).ok()?;
    Some(nodes.into_iter().map(|node| mean + spread * node).collect())
}

/// A linear system at a node.
pub(super) struct System {
    pub(super) matrix: Matrix,
    pub(super) inverse: Matrix,
}

impl Interval {
    /// What the others leave of the inverse at one of its nodes, nothing where that is too much anyway. It counts relative to the
    /// inverse in every direction: in those that X does not have, the inverse is large and Q zero.
    fn seen(&self, at: usize, rest: &Matrix, System { matrix, inverse }: &System) -> Option<Seen> {
        let nodes = self.nodes.len() - 1;
        let (low, high) = extremes(&self.nodes);
        // The nodes are the zeros of a Chebyshev polynomial: the outermost lie so far from the ends of the interval.
        let half = (high - low) / 2.0 / (PI / (2 * nodes + 2) as f64).cos();
        let others = self.nodes.iter().enumerate().filter(|&(other, _)| other != at);
        let distance: f64 = others.map(|(_, other)| (self.nodes[at] - other).abs()).product();
        let share = |rest: f64, whole: f64| {
            let left = (rest / whole).sqrt() * 2.0 * (half / 2.0).powi(nodes as i32) / distance;
            Some(Seen { nodes, half, left, age: 0 }).filter(|seen| seen.suffices(half))
        };
        share(rest.norm_squared(), inverse.norm_squared())?;
        share(product(Plain(matrix), Plain(rest)).norm_squared(), rest.rows() as f64)
    }
}

/// Interpolation between the given nodes, by functions with the given poles.
fn between(nodes: Vec<f64>, poles: &[f64], columns: Vec<usize>, lambda: &[f64], ratio: f64) -> Interval {
    let weight = |node: usize, at: f64| -> f64 {
        let others = nodes.iter().enumerate().filter(|&(other, _)| other != node);
        let numerator: f64 = others.map(|(_, &other)| (at - other) / (nodes[node] - other)).product();
        numerator * poles.iter().map(|pole| (nodes[node] - pole) / (at - pole)).product::<f64>()
    };
    let weights =
        (0..nodes.len()).map(|node| columns.iter().map(|&column| weight(node, lambda[column])).collect()).collect();
    Interval { columns, nodes, weights, ratio }
}

/// The solution for every column of `right`, where `systems(nodes)` gives the system at every node, and what the nodes of a
/// single interval say about fewer.
pub(super) fn interpolate<F>(
    intervals: &[Interval],
    right: &Matrix,
    systems: F,
) -> Result<(Matrix, Option<Seen>), LinalgError>
where
    F: Fn(&[f64]) -> Result<Vec<System>, LinalgError>,
{
    let solved = |interval: &Interval| {
        let (right, systems) = (some_columns(right, &interval.columns), systems(&interval.nodes)?);
        let inverses: Vec<&Matrix> = systems.iter().map(|system| &system.inverse).collect();
        let (part, rest) = weighted_product_sum_along(&interval.nodes, &inverses, &right, &interval.weights);
        Ok((part, rest.and_then(|(at, rest)| interval.seen(at, &rest, &systems[at]))))
    };
    if let [all] = intervals {
        return solved(all);
    }
    let mut solution = Matrix::zeros(right.rows(), right.cols());
    for interval in intervals {
        let (part, _) = solved(interval)?;
        for (at, &column) in interval.columns.iter().enumerate() {
            solution.col_mut(column).copy_from_slice(part.col(at));
        }
    }
    Ok((solution, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(inverse: f64) -> System {
        let one_by_one = |value: f64| Matrix::from_fn(1, 1, |_, _| value);
        System { matrix: one_by_one(1.0 / inverse), inverse: one_by_one(inverse) }
    }

    /// The number of nodes and the largest relative error, for scalars with any pole from the nearest one on: of
    /// `1 / (lambda + pole)` and of what that leaves of one, or of the root of its square, the worst case of row lengths.
    fn error(quantity: Quantity, lambda: &[f64], nearest: f64) -> (usize, f64) {
        let intervals = cover(quantity, lambda, nearest);
        let ones = Matrix::from_fn(1, lambda.len(), |_, _| 1.0);
        let worst = |pole: f64| {
            let function: &dyn Fn(f64) -> f64 = match quantity {
                Quantity::Solutions => &|at| 1.0 / (at + pole),
                Quantity::Squares => &|at| (at + pole).powi(-2),
            };
            let at_nodes = |nodes: &[f64]| Ok(nodes.iter().map(|&at| system(function(at))).collect());
            let (found, _) = interpolate(&intervals, &ones, at_nodes).unwrap();
            let of_column = |(j, l): (usize, &f64)| match quantity {
                Quantity::Solutions => {
                    let error = (found[(0, j)] * (l + pole) - 1.0).abs();
                    // For `a / (lambda + pole)` and `a = pole - nearest` the rest of one is `(lambda + nearest) / (lambda + pole)`.
                    let of_rest = error * (pole - nearest) / (l + nearest);
                    error.max(if pole < 1e3 * (l + nearest) { of_rest } else { 0.0 })
                }
                Quantity::Squares => (found[(0, j)].sqrt() * (l + pole) - 1.0).abs(),
            };
            lambda.iter().enumerate().map(of_column).fold(0.0, f64::max)
        };
        let poles = (0..80).map(|k| nearest + 0.03 * (lambda[0] + nearest) * (1.25_f64.powi(k) - 1.0));
        (intervals.iter().map(|i| i.nodes.len()).sum(), poles.map(worst).fold(0.0, f64::max))
    }

    #[test]
    fn close_multipliers_need_few_nodes() {
        for (quantity, spread) in [(Quantity::Solutions, 9e-3), (Quantity::Squares, 2e-3)] {
            let lambda: Vec<f64> = (0..200).map(|j| 0.99 + spread * f64::from(j) / 199.0).collect();
            let (nodes, error) = error(quantity, &lambda, 0.5);
            assert!(nodes <= 3 && error < 1e-9, "{nodes} nodes, error {error}");
        }
    }

    #[test]
    fn the_bound_of_solutions_is_tight() {
        for spread in [2.5e-5, 4e-3, 9e-3, 4e-2, 0.13] {
            let lambda: Vec<f64> = (0..200).map(|j| 0.99 + spread * f64::from(j) / 199.0).collect();
            let (nodes, error) = error(Quantity::Solutions, &lambda, 0.5);
            let bound = Quantity::Solutions.error(spread / 4.0 / 1.49, nodes);
            assert!(
                error < 1.01 * bound + 1e-12 && error > 0.3 * bound - 1e-12,
                "{spread}, {nodes} nodes: {error} {bound}"
            );
        }
    }

    /// All poles lie far beyond the nearest one that the bound has to count with.
    #[test]
    fn fewer_nodes_are_taken_where_they_were_seen_to_suffice() {
        let spread = |by: f64| -> Vec<f64> { (0..200).map(|j| 0.99 + by * f64::from(j) / 199.0).collect() };
        let solve = |lambda: &[f64], pole: f64, seen: Option<Seen>| {
            let intervals = fewer(cover(Quantity::Solutions, lambda, 0.0), lambda, seen);
            let inverses = |nodes: &[f64]| Ok(nodes.iter().map(|at| system(1.0 / (at + pole))).collect());
            let ones = Matrix::from_fn(1, lambda.len(), |_, _| 1.0);
            let (found, now) = interpolate(&intervals, &ones, inverses).unwrap();
            let error = lambda.iter().enumerate().map(|(j, l)| (found[(0, j)] * (l + pole) - 1.0).abs());
            (intervals[0].nodes.len(), error.fold(0.0, f64::max), Seen::latest(now, seen))
        };
        let (nodes, _, seen) = solve(&spread(0.02), 30.0, None);
        assert_eq!(nodes, 4);
        let (nodes, error, seen) = solve(&spread(0.02), 30.0, seen);
        let left = seen.unwrap().left;
        assert!(nodes == 3 && error < 1e-9, "{nodes} nodes, error {error}");
        assert!(seen.unwrap().age == 1, "two nodes would leave too much: {left}");
        assert_eq!(solve(&spread(0.2), 30.0, seen).0, solve(&spread(0.2), 30.0, None).0, "too wide for what was seen");
        assert_eq!(
            solve(&spread(0.02), 30.0, Seen::latest(None, seen.map(|seen| Seen { age: Seen::OLD - 1, ..seen }))).0,
            4,
            "too old"
        );
        assert!(solve(&spread(0.02), 0.01, None).2.is_none(), "a near pole needs them all");
        let estimate = solve(&spread(0.02), 30.0, None).2.unwrap().left;
        assert!(estimate > 0.9 * error && estimate < 3.0 * error + 1e-13, "{estimate} {error}");
    }

    #[test]
    fn wide_spreads_are_cut_and_stay_exact() {
        for (low, high) in [(1.25, 1.6), (1e-6, 1.0), (1.0, 1e6)] {
            let lambda: Vec<f64> = (0..300).map(|j| low + (high - low) * (f64::from(j) / 299.0).powi(3)).collect();
            for quantity in [Quantity::Solutions, Quantity::Squares] {
                let (_, error) = error(quantity, &lambda, 0.0);
                assert!(error < 1e-9, "{quantity:?} {low}..{high}: {error}");
            }
        }
    }

    #[test]
    fn gauss_nodes_integrate_polynomials_of_twice_their_number() {
        let points: Vec<f64> = (0..40).map(|j| 0.99 + 1e-3 * (f64::from(j) / 39.0).powi(2)).collect();
        for count in [2, 3] {
            let nodes = gauss_nodes(&points, count).unwrap();
            let fitted = between(nodes.clone(), &[], (0..40).collect(), &points, 0.0);
            let shares: Vec<f64> = fitted.weights.iter().map(|weights| weights.iter().sum::<f64>() / 40.0).collect();
            for power in 0..2 * count as i32 {
                let moment = |at: &f64| ((at - 0.99) * 1e3).powi(power);
                let exact = points.iter().map(moment).sum::<f64>() / 40.0;
                let found: f64 = nodes.iter().map(moment).zip(&shares).map(|(value, share)| value * share).sum();
                assert!((found - exact).abs() < 1e-10, "{count} nodes, power {power}: {found} {exact}");
            }
        }
        assert_eq!(gauss_nodes(&[1.0; 5], 2), None);
        assert_eq!(gauss_nodes(&[1.0, 1.0, 2.0], 3), None);
    }

    #[test]
    fn every_column_belongs_to_one_interval() {
        let lambda = [5.0, 1.0, 1.0, 1000.0, 1e-6];
        let mut columns: Vec<usize> =
            cover(Quantity::Solutions, &lambda, 0.0).into_iter().flat_map(|i| i.columns).collect();
        columns.sort_unstable();
        assert_eq!(columns, [0, 1, 2, 3, 4]);
        assert_eq!(cover(Quantity::Solutions, &[0.99; 4], 0.0)[0].nodes, [0.99]);
    }
}
