//! Why a file of records cannot be used.

use super::LAYOUT;

/// A file of records that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error("records {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: rusqlite::Error,
    },
    /// Something else.
    #[error("{path} is not a file of records of this program; name another, or one that does not exist yet")]
    Foreign {
        /// The file.
        path: String,
    },
    /// Written by another version.
    #[error("records {path} are of layout {found}, and this version knows {LAYOUT}; use the version that wrote them")]
    Layout {
        /// The file.
        path: String,
        /// Its layout.
        found: i32,
    },
    /// There is no such run.
    #[error("records {path} hold no run {run}; list them with `rulesieve records {path}`")]
    NoRun {
        /// The file.
        path: String,
        /// The number.
        run: i64,
    },
    /// What is kept contradicts itself.
    #[error("records {path}, run {run}: {fault}; the file is damaged")]
    Damaged {
        /// The file.
        path: String,
        /// The run.
        run: i64,
        /// What is wrong.
        fault: String,
    },
}
