//! The Gram matrix of the rows of a table.

use rulesieve::matrix::{Matrix, Plain, Transposed, add_product, write_outer_gram};

/// `X X^T` over all training and test rows; folds, costs C and gamma only select and transform its entries.
#[derive(Debug, Clone, Default)]
pub struct Gram {
    products: Matrix,
    /// The sum of each row of X, for the variance of its entries.
    sums: Vec<f64>,
    width: usize,
}

impl Gram {
    /// Computes the products of the rows of X (n x m, encoded and scaled).
    pub fn new(x: &Matrix) -> Self {
        Self::default().renewed(x)
    }

    /// Computes the products of other rows in the memory of this matrix, because allocation can take longer than the products.
    pub fn renewed(mut self, x: &Matrix) -> Self {
        write_outer_gram(&mut self.products, x);
        Self { sums: row_sums(x), width: x.cols(), ..self }
    }

    /// Adds the products of further features.
    ///
    /// # Panics
    /// Panics if the number of rows differs.
    pub fn extend(&mut self, x: &Matrix) {
        assert_eq!(x.rows(), self.rows(), "rows of the added features");
        add_product(&mut self.products, 1.0, 1.0, Plain(x), Transposed(x));
        self.sums.iter_mut().zip(row_sums(x)).for_each(|(sum, more)| *sum += more);
        self.width += x.cols();
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.sums.len()
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the inner products of a row with all rows.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        self.products.col(row)
    }

    /// Returns the squared length of a row.
    pub(crate) fn square(&self, row: usize) -> f64 {
        self.products[(row, row)]
    }

    /// Returns the variance of all entries of X in some rows.
    pub(super) fn variance(&self, rows: &[usize]) -> f64 {
        let cells = (rows.len() * self.width).max(1) as f64;
        let mean = rows.iter().map(|&row| self.sums[row]).sum::<f64>() / cells;
        (rows.iter().map(|&row| self.square(row)).sum::<f64>() / cells - mean * mean).max(0.0)
    }
}

fn row_sums(x: &Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; x.rows()];
    for col in 0..x.cols() {
        sums.iter_mut().zip(x.col(col)).for_each(|(sum, value)| *sum += value);
    }
    sums
}
