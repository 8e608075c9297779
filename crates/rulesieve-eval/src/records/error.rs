//! Errors of files of saved runs.

use super::LAYOUT;

/// A file of saved runs that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: rusqlite::Error,
    },
    /// Another kind of file.
    #[error("{path} is not a file of saved runs; choose another, or one that does not exist yet")]
    Foreign {
        /// The file.
        path: String,
    },
    /// Written by another version.
    #[error("{path} has layout {found}, and this version reads {LAYOUT}; use the version that wrote it")]
    Layout {
        /// The file.
        path: String,
        /// Its layout.
        found: i32,
    },
    /// A run that does not exist.
    #[error("{path} has no run {run}; `rulesieve records {path}` lists its runs")]
    NoRun {
        /// The file.
        path: String,
        /// The number.
        run: i64,
    },
    /// Inconsistent contents.
    #[error("{path}, run {run}: {fault}; the file is damaged")]
    Damaged {
        /// The file.
        path: String,
        /// The run.
        run: i64,
        /// What is wrong.
        fault: String,
    },
}
