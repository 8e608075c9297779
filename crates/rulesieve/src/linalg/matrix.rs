//! A dense column-major matrix of `f64`.

use super::{sum_of_squares, widest};
use std::ops::{Index, IndexMut};

/// A dense matrix, stored column by column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Entry (row, column) from a function, called column by column.
    pub fn from_fn(rows: usize, cols: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for col in 0..cols {
            data.extend((0..rows).map(|row| entry(row, col)));
        }
        Self { rows, cols, data }
    }

    /// From column-major entries. Returns `None` when their number is not `rows * cols`.
    pub fn from_column_major(rows: usize, cols: usize, data: Vec<f64>) -> Option<Self> {
        (rows.checked_mul(cols) == Some(data.len())).then_some(Self { rows, cols, data })
    }

    /// Changes the shape and reuses the memory; the entries are unspecified.
    pub fn resize(&mut self, rows: usize, cols: usize) {
        self.data.resize(rows * cols, 0.0);
        (self.rows, self.cols) = (rows, cols);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// One column.
    pub fn col(&self, col: usize) -> &[f64] {
        &self.data[col * self.rows..(col + 1) * self.rows]
    }

    /// One column, mutable.
    pub fn col_mut(&mut self, col: usize) -> &mut [f64] {
        &mut self.data[col * self.rows..(col + 1) * self.rows]
    }

    /// All entries, column by column.
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// All entries, column by column, mutable.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// Adds `value` to every diagonal entry.
    pub fn shift_diagonal(&mut self, value: f64) {
        for at in 0..self.rows.min(self.cols) {
            self[(at, at)] += value;
        }
    }

    /// Sum of the squares of all entries.
    pub fn norm_squared(&self) -> f64 {
        sum_of_squares(&self.data)
    }

    /// Sum of squares of each column.
    pub fn col_norms_squared(&self) -> Vec<f64> {
        (0..self.cols).map(|col| sum_of_squares(self.col(col))).collect()
    }

    /// Sum of squares of each row.
    pub fn row_norms_squared(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.rows];
        widest!(|| for col in 0..self.cols {
            sums.iter_mut().zip(self.col(col)).for_each(|(sum, value)| *sum += value * value);
        });
        sums
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, col): (usize, usize)) -> &f64 {
        &self.data[col * self.rows + row]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, col): (usize, usize)) -> &mut f64 {
        &mut self.data[col * self.rows + row]
    }
}
