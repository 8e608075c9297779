//! Factorisations: symmetric eigenvalues, Cholesky, and least squares through a pseudo-inverse.

use super::product::{Plain, Transposed, add_product, product, scale_columns, view};
use super::symmetric::fill_upper;
use super::{LinalgError, Matrix, inner_gram};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::inverse::{inverse as invert, inverse_scratch};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::{MatMut, Par, Side, Spec};

/// `A = U diag(values) U^T` of a symmetric matrix, values ascending.
#[derive(Debug, Clone)]
pub(crate) struct SymmetricEigen {
    /// The eigenvalues, ascending.
    pub values: Vec<f64>,
    /// The eigenvectors, one a column.
    pub vectors: Matrix,
}

impl SymmetricEigen {
    /// Decomposes a symmetric matrix (both triangles filled).
    ///
    /// The underlying solver fails on rare matrices that are mostly zero and loses digits on tiny ones, so zero rows
    /// are removed, the rest is scaled to a largest entry of one, and a failed decomposition is retried in reversed
    /// order.
    pub(crate) fn new(a: &Matrix) -> Result<Self, LinalgError> {
        let order = a.rows();
        if a.as_slice().iter().any(|v| !v.is_finite()) {
            return Err(LinalgError::NotFinite);
        }
        let scale = a.as_slice().iter().fold(0.0_f64, |max, v| max.max(v.abs()));
        let nonzero: Vec<usize> = (0..order).filter(|&i| a.col(i).iter().any(|&v| v != 0.0)).collect();
        let (nonzero_values, nonzero_vectors) = decompose(a, &nonzero, scale)?;
        Ok(with_null_space(order, &nonzero, nonzero_values, &nonzero_vectors, scale))
    }

    /// `U diag(f(value)) U^T`.
    pub(crate) fn apply(&self, f: impl Fn(f64) -> f64) -> Matrix {
        let weights: Vec<f64> = self.values.iter().map(|&value| f(value)).collect();
        product(Plain(&scale_columns(&self.vectors, &weights)), Transposed(&self.vectors))
    }
}

/// The eigenvalues of a symmetric matrix (both triangles filled), ascending, cheaper than with the vectors.
pub(crate) fn symmetric_eigenvalues(a: &Matrix) -> Result<Vec<f64>, LinalgError> {
    let scale = a.as_slice().iter().fold(0.0_f64, |max, v| max.max(v.abs()));
    let scaled = faer::Mat::from_fn(a.rows(), a.rows(), |i, j| a[(i, j)] / scale);
    if scale > 0.0
        && scale.is_finite()
        && let Ok(values) = scaled.self_adjoint_eigenvalues(Side::Lower)
    {
        return Ok(values.iter().map(|value| value * scale).collect());
    }
    Ok(SymmetricEigen::new(a)?.values)
}

type Eigenpairs = (Vec<f64>, faer::Mat<f64>);

fn decompose(a: &Matrix, nonzero: &[usize], scale: f64) -> Result<Eigenpairs, LinalgError> {
    let order = nonzero.len();
    if order == 0 {
        return Ok((Vec::new(), faer::Mat::new()));
    }
    let forward = faer::Mat::from_fn(order, order, |i, j| a[(nonzero[i], nonzero[j])] / scale);
    if let Ok(eigen) = forward.self_adjoint_eigen(Side::Lower) {
        return Ok((eigen.S().column_vector().iter().copied().collect(), eigen.U().to_owned()));
    }
    let reversed = faer::Mat::from_fn(order, order, |i, j| forward[(order - 1 - i, order - 1 - j)]);
    let eigen = reversed.self_adjoint_eigen(Side::Lower).map_err(|_| LinalgError::NoConvergence { order })?;
    let vectors = faer::Mat::from_fn(order, order, |i, j| eigen.U()[(order - 1 - i, j)]);
    Ok((eigen.S().column_vector().iter().copied().collect(), vectors))
}

/// Inserts the removed zero rows: each is an eigenvector of its own with eigenvalue zero.
fn with_null_space(
    order: usize,
    nonzero: &[usize],
    values: Vec<f64>,
    vectors: &faer::Mat<f64>,
    scale: f64,
) -> SymmetricEigen {
    let mut is_nonzero = vec![false; order];
    nonzero.iter().for_each(|&i| is_nonzero[i] = true);
    let mut pairs: Vec<(f64, Vec<f64>)> = Vec::with_capacity(order);
    for (at, value) in values.iter().enumerate() {
        let mut vector = vec![0.0; order];
        for (row, &i) in nonzero.iter().enumerate() {
            vector[i] = vectors[(row, at)];
        }
        pairs.push((value * scale, vector));
    }
    for zero in (0..order).filter(|&i| !is_nonzero[i]) {
        let mut vector = vec![0.0; order];
        vector[zero] = 1.0;
        pairs.push((0.0, vector));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let values = pairs.iter().map(|pair| pair.0).collect();
    let vectors = Matrix::from_fn(order, order, |row, col| pairs[col].1[row]);
    SymmetricEigen { values, vectors }
}

/// The Cholesky factor of a symmetric positive definite matrix, stored in its lower triangle (the other triangle keeps
/// its entries).
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// Factorises; only the lower triangle of `a` is read.
    pub(crate) fn new(mut a: Matrix) -> Result<Self, LinalgError> {
        let order = a.rows();
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(order, Par::Seq, Spec::default()));
        let place = MatMut::from_column_major_slice_mut(a.as_mut_slice(), order, order);
        let stack = MemStack::new(&mut memory);
        match cholesky_in_place(place, LltRegularization::default(), Par::Seq, stack, Spec::default()) {
            Ok(_) => Ok(Self(a)),
            Err(_) => Err(LinalgError::NotPositiveDefinite { order }),
        }
    }

    /// The factor, in the lower triangle.
    pub(super) fn lower(&self) -> &Matrix {
        &self.0
    }

    /// Overwrites `B` by `A^-1 B`.
    pub(crate) fn solve_in_place(&self, b: &mut Matrix) {
        let (rows, cols) = (b.rows(), b.cols());
        let place = MatMut::from_column_major_slice_mut(b.as_mut_slice(), rows, cols);
        solve_in_place(view(&self.0), place, Par::Seq, MemStack::new(&mut []));
    }

    /// `A^-1`.
    pub(crate) fn inverse(&self) -> Matrix {
        let order = self.0.rows();
        let mut inverse = Matrix::zeros(order, order);
        let mut memory = MemBuffer::new(inverse_scratch::<f64>(order, Par::Seq));
        let place = MatMut::from_column_major_slice_mut(inverse.as_mut_slice(), order, order);
        invert(place, view(&self.0), Par::Seq, MemStack::new(&mut memory));
        fill_upper(&mut inverse);
        inverse
    }
}

/// The minimum-norm least-squares solution of `A x = b` for every column of `b`: `pinv(A) b`.
///
/// `A` must have at least as many rows as columns. Well conditioned systems use the normal equations with one step of
/// refinement, others QR and the singular values of its factor.
pub(crate) fn pseudo_solve(a: &Matrix, b: &Matrix) -> Result<Matrix, LinalgError> {
    let eigen = SymmetricEigen::new(&inner_gram(a))?;
    let (smallest, largest) = (eigen.values.first(), eigen.values.last());
    match (smallest, largest) {
        (Some(&smallest), Some(&largest)) if smallest > WELL_CONDITIONED * largest => {
            let inverse = eigen.apply(|value| 1.0 / value);
            let mut solution = product(Plain(&inverse), Plain(&product(Transposed(a), Plain(b))));
            let mut residual = b.clone();
            add_product(&mut residual, 1.0, -1.0, Plain(a), Plain(&solution));
            let correction = product(Transposed(a), Plain(&residual));
            add_product(&mut solution, 1.0, 1.0, Plain(&inverse), Plain(&correction));
            Ok(solution)
        }
        _ => orthogonal_solve(a, b),
    }
}

/// Minimum ratio of the smallest to the largest eigenvalue of `A^T A` for the normal equations.
const WELL_CONDITIONED: f64 = 1e-8;

/// [`pseudo_solve`] for any conditioning; singular values up to 1e-15 of the largest count as zero.
pub(super) fn orthogonal_solve(a: &Matrix, b: &Matrix) -> Result<Matrix, LinalgError> {
    let order = a.cols();
    let qr = view(a).qr();
    let projected = qr.compute_thin_Q().transpose() * view(b);
    let svd = qr.thin_R().thin_svd().map_err(|_| LinalgError::NoConvergence { order })?;
    let singular: Vec<f64> = svd.S().column_vector().iter().copied().collect();
    let cutoff = 1e-15 * singular.first().copied().unwrap_or(0.0);
    let mut rotated = svd.U().transpose() * projected;
    for (row, &value) in singular.iter().enumerate() {
        let inverse = if value > cutoff { 1.0 / value } else { 0.0 };
        for col in 0..rotated.ncols() {
            rotated[(row, col)] *= inverse;
        }
    }
    let solution = svd.V() * rotated;
    Ok(Matrix::from_fn(order, b.cols(), |row, col| solution[(row, col)]))
}

/// The polar factor of `M`: the nearest matrix with orthonormal columns, which is not unique for `M` of lower rank.
///
/// `M` must have at least as many rows as columns. Computed by QR and the singular vectors of the small factor.
pub(crate) fn polar(m: &Matrix) -> Result<Matrix, LinalgError> {
    if m.as_slice().iter().any(|v| !v.is_finite()) {
        return Err(LinalgError::NotFinite);
    }
    let order = m.cols();
    let scale = m.as_slice().iter().fold(0.0_f64, |max, v| max.max(v.abs()));
    let factor = if scale > 0.0 { 1.0 / scale } else { 1.0 };
    let scaled = faer::Mat::from_fn(m.rows(), order, |row, col| m[(row, col)] * factor);
    let qr = scaled.qr();
    let svd = qr.thin_R().thin_svd().map_err(|_| LinalgError::NoConvergence { order })?;
    let rotation =
        Matrix::from_fn(order, order, |row, col| (0..order).map(|at| svd.U()[(row, at)] * svd.V()[(col, at)]).sum());
    let thin = qr.compute_thin_Q();
    let q = Matrix::from_fn(m.rows(), order, |row, col| thin[(row, col)]);
    Ok(product(Plain(&q), Plain(&rotation)))
}
