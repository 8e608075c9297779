//! `|Q^T Q - I|_F` of the implicit Q, in n x n products.
//!
//! With the factor `1 / (beta z_i + lambda_j)` interpolated between nodes a, `Q = sum_a D_a^-1 X^T V_a`, where V_a is V
//! with its columns times their weights (the poles `- beta z_i` lie beyond the nearest one). Stacked over the nodes this is `Q = C W`, hence
//! `|Q^T Q - I|^2 = tr (K H)^2 - 2 tr K H + d` with `K = C^T C` and `H = W W^T`: Gram matrices of order n a pair of
//! nodes. Worth it where d is well above n; then the result is at least `sqrt(d - n)`, and nothing cancels.

use super::nodes::Quantity;
use super::wide::WideQ;
use crate::linalg::{Matrix, Plain, product, weighted_grams};

/// `|Q^T Q - I|_F`, or nothing where forming Q in blocks is cheaper.
pub(super) fn implicit_gap(q: &WideQ, x: &Matrix) -> Option<f64> {
    let (n, m, d) = (x.rows(), x.cols(), q.lambda.len());
    let intervals = q.intervals(Quantity::Solutions);
    let [interval] = intervals.as_slice() else { return None };
    let nodes = interval.nodes.len();
    if nodes * nodes * n * n * (m + d) / 2 + (nodes * n).pow(3) > m * d * (n + d / 2) || d < 2 * n {
        return None;
    }
    let inverses: Vec<Vec<f64>> = interval.nodes.iter().map(|&lambda| q.inverse_weights(lambda)).collect();
    let k = stacked(x, &inverses);
    // One interval holds all columns, in their order.
    let h = stacked(&q.v, &interval.weights);
    let product = product(Plain(&k), Plain(&h));
    let order = product.rows();
    let trace: f64 = (0..order).map(|i| product[(i, i)]).sum();
    let square = |i: usize| (0..order).map(|j| product[(i, j)] * product[(j, i)]).sum::<f64>();
    let squares: f64 = (0..order).map(square).sum();
    Some((squares - 2.0 * trace + d as f64).max(0.0).sqrt())
}

/// The matrix whose block (a, b) is `X diag(w_a w_b) X^T`.
fn stacked(x: &Matrix, weights: &[Vec<f64>]) -> Matrix {
    let (order, count) = (x.rows(), weights.len());
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (0..=a).map(move |b| (a, b))).collect();
    let products: Vec<Vec<f64>> =
        pairs.iter().map(|&(a, b)| weights[a].iter().zip(&weights[b]).map(|(a, b)| a * b).collect()).collect();
    let grams = weighted_grams(x, &products);
    Matrix::from_fn(count * order, count * order, |row, col| {
        let (a, b) = (row / order, col / order);
        grams[a.max(b) * (a.max(b) + 1) / 2 + a.min(b)][(row % order, col % order)]
    })
}
