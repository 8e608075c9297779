//! Errors of files of saved runs.

use super::LAYOUT;
use rulesieve::Remedy;

/// Errors of a file of saved runs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    File { path: String, source: rusqlite::Error },
    /// Another kind of file.
    #[error("{path} is not a file of saved runs")]
    Foreign { path: String },
    /// Written by another version.
    #[error("{path} has layout {found}, and this version reads {LAYOUT}")]
    Layout { path: String, found: i32 },
    /// A run that does not exist.
    #[error("{path} has no run {run}")]
    NoRun { path: String, run: i64 },
    /// Inconsistent contents.
    #[error("{path}, run {run}: {fault}: the file is damaged")]
    Damaged { path: String, run: i64, fault: String },
}

impl RecordsError {
    /// Returns the remedy, if any.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Foreign { .. } => Some(Remedy::plain("choose another file, or one that does not exist yet")),
            Self::Layout { .. } => Some(Remedy::plain("use the version that wrote it")),
            Self::NoRun { path, .. } => Some(Remedy::ListRuns { path: path.clone() }),
            Self::File { .. } | Self::Damaged { .. } => None,
        }
    }
}
