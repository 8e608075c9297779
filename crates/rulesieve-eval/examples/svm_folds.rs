//! Predictions and times of the SVM on given folds, for `benches/svm_against_sklearn.py`.
//!
//!     svm_folds FOLDER KERNEL C CAP
//!
//! FOLDER holds x.npy (scaled), y.csv (classes from 0) and folds.json (test rows); CAP is the maximum number of iterations or -1.

use anyhow::{Context, Result, bail};
use rulesieve::data::ColumnData;
use rulesieve::matrix::Matrix;
use rulesieve_eval::svm::{Gamma, Gram, Svc, SvmOptions};
use rulesieve_io::{ReadOptions, Source, read};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, kernel, c, cap] = words.as_slice() else { bail!("svm_folds FOLDER KERNEL C CAP") };
    let max_iter = usize::try_from(cap.parse::<i64>()?).ok();
    let (folder, c) = (Path::new(folder), c.parse::<f64>()?);
    let x = matrix(&folder.join("x.npy"))?;
    let codes: Vec<u32> = matrix(&folder.join("y.csv"))?.as_slice().iter().map(|&code| code as u32).collect();
    let folds: Vec<Vec<usize>> = serde_json::from_str(&std::fs::read_to_string(folder.join("folds.json"))?)?;
    let classes = codes.iter().max().map_or(0, |&most| most as usize + 1);

    let began = Instant::now();
    let gram = Gram::new(&x);
    let gram_seconds = began.elapsed().as_secs_f64();
    let (mut answers, mut converged) = (Vec::new(), true);
    for test in &folds {
        let mut held = vec![false; codes.len()];
        test.iter().for_each(|&row| held[row] = true);
        let train: Vec<usize> = (0..codes.len()).filter(|&row| !held[row]).collect();
        let options = match kernel.as_str() {
            "rbf" => SvmOptions::rbf(c, Gamma::Scale, &gram, &train),
            _ => SvmOptions::linear(c),
        };
        let options = SvmOptions { max_iter, ..options };
        let machine = Svc::fit(&gram, &train, &codes, classes, &options);
        converged &= machine.converged;
        answers.push(machine.predict(&gram, test));
    }
    let seconds = began.elapsed().as_secs_f64();
    let out = serde_json::json!({"seconds": seconds, "gram": gram_seconds, "converged": converged, "answers": answers});
    serde_json::to_writer(std::io::stdout().lock(), &out)?;
    Ok(())
}

fn matrix(path: &Path) -> Result<Matrix> {
    let table = read(&Source::parse(&path.to_string_lossy()), &ReadOptions::default())?;
    let rows = table.rows();
    let mut cells = Vec::new();
    for column in table.into_columns() {
        let ColumnData::Numeric(values) = column.data else { bail!("{}: not numbers", path.display()) };
        cells.extend(values);
    }
    let cols = cells.len() / rows.max(1);
    Matrix::from_column_major(rows, cols, cells).context("a column is too short")
}
