//! A matrix in single precision, without the means of its columns: `X = 1 m^T + C`. In columns that have one sign, products with
//! C are by far the smaller part of products with X, and lose as much less by rounding; those with m are cheap.

use super::strips::{BLOCK, Strips};
use super::{Matrix, dot, sum, widest};
use faer::{MatMut, MatRef};

/// The means and the rest of a matrix.
#[derive(Debug, Clone)]
pub struct Centred {
    pub(super) means: Vec<f64>,
    pub(super) strips: Strips<f32>,
}

/// A small right factor.
#[derive(Debug, Clone)]
pub struct Small {
    /// Column by column.
    entries: Vec<f32>,
    /// `m^T` times it.
    of_means: Vec<f64>,
    norm_squared: f64,
}

impl Small {
    /// Sum of squares of its entries.
    pub fn norm_squared(&self) -> f64 {
        self.norm_squared
    }
}

impl Centred {
    /// Takes the means off, and lays out the rest.
    pub fn new(x: &Matrix) -> Self {
        let means: Vec<f64> = (0..x.cols()).map(|col| sum(x.col(col)) / x.rows() as f64).collect();
        let strips = Strips::from_fn(x.rows(), x.cols(), |row, col| x[(row, col)] - means[col]);
        Self { means, strips }
    }

    /// A right factor of that many columns from its entries, column by column.
    pub fn right(&self, cols: usize, entries: impl Iterator<Item = f64>) -> Small {
        let inner = self.means.len();
        let mut column = vec![0.0; inner];
        let entries: Vec<f32> = entries.map(|value| value as f32).collect();
        assert_eq!(entries.len(), inner * cols, "entries of a right factor");
        let (mut of_means, mut norm_squared) = (vec![0.0; cols], 0.0);
        widest!(|| for (of_means, entries) in of_means.iter_mut().zip(entries.chunks_exact(inner.max(1))) {
            column.iter_mut().zip(entries).for_each(|(to, &from)| *to = f64::from(from));
            *of_means = dot(&self.means, &column);
            norm_squared += dot(&column, &column);
        });
        Small { entries, of_means, norm_squared }
    }

    /// Subtracts a block of rows, from `first` on, of the product with `small`, column by column.
    pub fn subtract_block(&self, first: usize, out: &mut [f64], small: &Small) {
        let (inner, cols) = (self.means.len(), small.of_means.len());
        let rows = BLOCK.min(self.strips.rows() - first);
        assert!(first.is_multiple_of(BLOCK) && inner * cols == small.entries.len(), "a block of a product");
        assert_eq!(out.len(), rows * cols, "entries of a block");
        let mut product = vec![0.0; rows * cols];
        let place = MatMut::from_column_major_slice_mut(&mut product, rows, cols);
        self.strips.multiply_from(first, place, 1.0, MatRef::from_column_major_slice(&small.entries, inner, cols));
        widest!(|| {
            let columns = out.chunks_exact_mut(rows).zip(product.chunks_exact(rows)).zip(&small.of_means);
            for ((out, product), of_means) in columns {
                out.iter_mut().zip(product).for_each(|(out, &product)| *out -= f64::from(product) + of_means);
            }
        });
    }
}
