//! The nearest-neighbour estimator for two numbers (Kraskov, Stögbauer and Grassberger 2004, the first one).
//!
//! For every sample, r is the distance in the plane to its k-th nearest neighbour (the larger difference of the two
//! coordinates), and a and b are the numbers of samples nearer than r in each coordinate, including itself; `I = psi(n) +
//! psi(k) - mean psi(a) - mean psi(b)`.

use super::classes::nearer;

/// A regression target.
pub(super) struct Numbers<'a> {
    values: Vec<f64>,
    sorted: Vec<f64>,
    digamma: &'a [f64],
}

impl<'a> Numbers<'a> {
    pub(super) fn new(values: Vec<f64>, digamma: &'a [f64]) -> Self {
        Self { sorted: sorted(&values), values, digamma }
    }

    /// With a number whose values are distinct.
    pub(super) fn with_numbers(&self, column: Vec<f64>, k: usize) -> f64 {
        let (rows, k) = (column.len(), k.min(column.len().saturating_sub(1)));
        if k == 0 {
            return 0.0;
        }
        let ascending = sorted(&column);
        let points: Vec<[f64; 2]> = column.into_iter().zip(&self.values).map(|(x, &y)| [x, y]).collect();
        let tree = Tree::new(&points);
        let mut nearest = Vec::with_capacity(k + 1);
        let mean = points.iter().map(|point| {
            let radius = tree.radius(point, k, &mut nearest);
            let [a, b] = [nearer(&ascending, point[0], radius), nearer(&self.sorted, point[1], radius)];
            self.digamma[a] + self.digamma[b]
        });
        let mean = mean.sum::<f64>() / rows as f64;
        (self.digamma[rows] + self.digamma[k] - mean).max(0.0)
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Number of points of a leaf.
const LEAF: usize = 12;

/// A k-d tree of points in the plane: the median of every range divides it, by the wider coordinate.
pub(super) struct Tree {
    points: Vec<[f64; 2]>,
    /// For the middle of every range the coordinate that divides it.
    axes: Vec<u8>,
}

impl Tree {
    pub(super) fn new(points: &[[f64; 2]]) -> Self {
        let mut tree = Self { points: points.to_vec(), axes: vec![0; points.len()] };
        divide(&mut tree.points, &mut tree.axes);
        tree
    }

    /// The distance of one of the points to its k-th nearest neighbour. `nearest` is reused memory.
    pub(super) fn radius(&self, point: &[f64; 2], k: usize, nearest: &mut Vec<f64>) -> f64 {
        nearest.clear();
        // The point itself is the nearest.
        self.search(0, self.points.len(), point, k + 1, nearest);
        nearest.last().copied().unwrap_or(0.0)
    }

    /// Adds the distances of a range to the `count` smallest, which ascend.
    fn search(&self, from: usize, to: usize, point: &[f64; 2], count: usize, nearest: &mut Vec<f64>) {
        if to - from <= LEAF {
            self.points[from..to].iter().for_each(|other| insert(distance(point, other), count, nearest));
            return;
        }
        let middle = from + (to - from) / 2;
        let axis = usize::from(self.axes[middle]);
        let apart = point[axis] - self.points[middle][axis];
        insert(distance(point, &self.points[middle]), count, nearest);
        let (near, far) = ((from, middle), (middle + 1, to));
        let (near, far) = if apart < 0.0 { (near, far) } else { (far, near) };
        self.search(near.0, near.1, point, count, nearest);
        if nearest.len() < count || nearest.last().is_some_and(|last| apart.abs() < *last) {
            self.search(far.0, far.1, point, count, nearest);
        }
    }
}

fn divide(points: &mut [[f64; 2]], axes: &mut [u8]) {
    if points.len() <= LEAF {
        return;
    }
    let width = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |r, v| (r.0.min(v), r.1.max(v)));
        high - low
    };
    let axis = usize::from(width(1) > width(0));
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    axes[middle] = axis as u8;
    let (below, above) = points.split_at_mut(middle);
    let (axes_below, axes_above) = axes.split_at_mut(middle);
    divide(below, axes_below);
    divide(&mut above[1..], &mut axes_above[1..]);
}

pub(super) fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

fn insert(distance: f64, count: usize, nearest: &mut Vec<f64>) {
    if nearest.len() == count && nearest.last().is_some_and(|last| distance >= *last) {
        return;
    }
    let at = nearest.partition_point(|other| *other < distance);
    nearest.truncate(count - 1);
    nearest.insert(at, distance);
}
