//! Inner products of all rows of a table.

use rulesieve::linalg::{Matrix, Plain, Transposed, add_product, write_outer_gram};

/// `X X^T` over all rows, training and test alike: folds, costs C and widths gamma only select and transform its entries.
#[derive(Debug, Clone, Default)]
pub struct Gram {
    products: Matrix,
    /// The sum of every row of X, for the variance of its entries.
    sums: Vec<f64>,
    width: usize,
}

impl Gram {
    /// From rows of coded and scaled features, n x m.
    pub fn new(x: &Matrix) -> Self {
        Self::default().renewed(x)
    }

    /// The products of other rows, in the memory of this matrix: for thousands of rows, new memory costs more than the products.
    pub fn renewed(mut self, x: &Matrix) -> Self {
        write_outer_gram(&mut self.products, x);
        Self { sums: row_sums(x), width: x.cols(), ..self }
    }

    /// Adds features to the products without computing the others again.
    ///
    /// # Panics
    /// If there are not as many rows.
    pub fn extend(&mut self, x: &Matrix) {
        assert_eq!(x.rows(), self.rows(), "rows of the added features");
        add_product(&mut self.products, 1.0, 1.0, Plain(x), Transposed(x));
        self.sums.iter_mut().zip(row_sums(x)).for_each(|(sum, more)| *sum += more);
        self.width += x.cols();
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.sums.len()
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The inner products of a row with all rows.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        self.products.col(row)
    }

    /// The squared length of a row.
    pub(crate) fn square(&self, row: usize) -> f64 {
        self.products[(row, row)]
    }

    /// The variance of all entries of X in some rows.
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
