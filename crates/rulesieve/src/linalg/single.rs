//! Dense linear algebra in single precision, for well conditioned systems that are solved thousands of times.
//!
//! Matrices are square or tall, stored column by column in plain slices; every call is sequential.

use super::LinalgError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Accum, MatMut, MatRef, Par, Spec};

/// A column-major matrix in single precision.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Matrix32 {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// The entries, column by column.
    pub data: Vec<f32>,
}

impl Matrix32 {
    /// All zeros.
    pub(crate) fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// One column.
    pub(crate) fn col(&self, col: usize) -> &[f32] {
        &self.data[col * self.rows..(col + 1) * self.rows]
    }

    fn view(&self) -> MatRef<'_, f32> {
        MatRef::from_column_major_slice(&self.data, self.rows, self.cols)
    }

    fn view_mut(&mut self) -> MatMut<'_, f32> {
        MatMut::from_column_major_slice_mut(&mut self.data, self.rows, self.cols)
    }
}

/// `A B`, with A optionally transposed.
pub(crate) fn product32(a: &Matrix32, transposed: bool, b: &Matrix32) -> Matrix32 {
    let left = if transposed { a.view().transpose() } else { a.view() };
    let mut out = Matrix32::zeros(left.nrows(), b.cols);
    matmul(out.view_mut(), Accum::Replace, left, b.view(), 1.0, Par::Seq);
    out
}

/// The lower triangle of `A B^T`; the upper one stays zero.
pub(crate) fn outer_lower32(a: &Matrix32, b: &Matrix32) -> Matrix32 {
    let mut out = Matrix32::zeros(a.rows, b.rows);
    triangular::matmul(
        out.view_mut(),
        BlockStructure::TriangularLower,
        Accum::Replace,
        a.view(),
        BlockStructure::Rectangular,
        b.view().transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
    out
}

/// Writes the inverse of the Cholesky factor of a symmetric positive definite matrix, of which the lower triangle is
/// read and overwritten, into the lower triangle of `inverse`; the upper one is set to zero.
///
/// # Errors
/// [`LinalgError::NotPositiveDefinite`].
pub(crate) fn inverse_factor32(a: &mut Matrix32, inverse: &mut Matrix32) -> Result<(), LinalgError> {
    let order = a.rows;
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f32>(order, Par::Seq, Spec::default()));
    let stack = MemStack::new(&mut memory);
    cholesky_in_place(a.view_mut(), LltRegularization::default(), Par::Seq, stack, Spec::default())
        .map_err(|_| LinalgError::NotPositiveDefinite { order })?;
    inverse.rows = order;
    inverse.cols = order;
    inverse.data.clear();
    inverse.data.resize(order * order, 0.0);
    invert_lower_triangular(inverse.view_mut(), a.view(), Par::Seq);
    Ok(())
}

/// `L B`, or `L^T B`, of a lower triangular matrix whose upper triangle is not read.
pub(crate) fn lower_product32(lower: &Matrix32, transposed: bool, b: &Matrix32) -> Matrix32 {
    let mut out = Matrix32::zeros(lower.rows, b.cols);
    let (left, structure) = match transposed {
        true => (lower.view().transpose(), BlockStructure::TriangularUpper),
        false => (lower.view(), BlockStructure::TriangularLower),
    };
    triangular::matmul(
        out.view_mut(),
        BlockStructure::Rectangular,
        Accum::Replace,
        left,
        structure,
        b.view(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
    out
}

/// `L^T L` of a lower triangular matrix, both triangles filled.
pub(crate) fn lower_gram32(lower: &Matrix32) -> Matrix32 {
    let mut out = Matrix32::zeros(lower.rows, lower.rows);
    triangular::matmul(
        out.view_mut(),
        BlockStructure::TriangularLower,
        Accum::Replace,
        lower.view().transpose(),
        BlockStructure::TriangularUpper,
        lower.view(),
        BlockStructure::TriangularLower,
        1.0,
        Par::Seq,
    );
    mirror32(&mut out);
    out
}

/// Copies the lower triangle of a square matrix to the upper one.
pub(crate) fn mirror32(a: &mut Matrix32) {
    let order = a.rows;
    for col in 0..order {
        for row in col + 1..order {
            a.data[row * order + col] = a.data[col * order + row];
        }
    }
}

/// `e^x` to a few units in the last place of single precision, for x between -87 and 88; x is clamped to this range.
#[inline(always)]
pub(crate) fn exp32(x: f32) -> f32 {
    const ROUNDER: f32 = 12_582_912.0;
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, the first with trailing zeros.
    let r = (x - whole * 0.693_359_4) - whole * -2.121_944_4e-4;
    let square = r * r;
    let low = 1.0 + r + square * (0.5 + r * (1.0 / 6.0));
    let high = (1.0 / 24.0 + r * (1.0 / 120.0)) + square * (1.0 / 720.0 + r * (1.0 / 5040.0));
    let value = low + square * square * high;
    value * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(order: usize) -> Matrix32 {
        let mut a = Matrix32::zeros(order, order);
        for col in 0..order {
            for row in 0..order {
                let gap = row.abs_diff(col) as f32;
                a.data[col * order + row] = exp32(-gap * gap / 50.0) + if row == col { 0.1 } else { 0.0 };
            }
        }
        a
    }

    #[test]
    fn the_inverse_factor_inverts() {
        let a = example(37);
        let mut inverse = Matrix32::default();
        inverse_factor32(&mut a.clone(), &mut inverse).unwrap();
        let product = product32(&a, false, &lower_gram32(&inverse));
        for col in 0..37 {
            for row in 0..37 {
                let expected = f32::from(u8::from(row == col));
                assert!((product.data[col * 37 + row] - expected).abs() < 1e-4, "{row} {col}");
            }
        }
        let mut bad = a;
        bad.data[0] = -1.0;
        assert!(inverse_factor32(&mut bad, &mut inverse).is_err());
    }

    #[test]
    fn triangular_products_agree_with_plain_ones() {
        let (a, mut lower) = (example(20), Matrix32::default());
        inverse_factor32(&mut a.clone(), &mut lower).unwrap();
        for transposed in [false, true] {
            let (fast, plain) = (lower_product32(&lower, transposed, &a), product32(&lower, transposed, &a));
            fast.data.iter().zip(&plain.data).for_each(|(fast, plain)| assert!((fast - plain).abs() < 1e-4));
        }
        let mut outer = outer_lower32(&a, &lower);
        mirror32(&mut outer);
        assert_eq!(outer.data[3], outer.data[3 * 20]);
        let direct: f32 = (0..20).map(|k| a.data[k * 20 + 7] * lower.data[k * 20 + 4]).sum();
        assert!((outer.data[4 * 20 + 7] - direct).abs() < 1e-4);
    }

    #[test]
    fn exponentials_agree_with_the_system() {
        for at in -8700..880 {
            let x = at as f32 * 0.01;
            assert!((exp32(x) / x.exp() - 1.0).abs() < 3e-6, "{x}");
        }
        assert!(exp32(-1e9) < 1e-37 && exp32(1e9).is_finite());
    }
}
