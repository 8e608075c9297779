//! The columns of a source that are used, with the parts of dates.

use super::{Pieces, RowSource, SourceError, StreamError};
use crate::data::{DataError, DatasetOptions, DateColumn, Dates, Roles};

/// A source reduced to the target and the features.
pub(super) struct PreparedRows<'a> {
    source: &'a dyn RowSource,
    roles: Roles,
    dates: Dates,
}

impl<'a> PreparedRows<'a> {
    /// Finds the columns that the options name. Reads all rows if there are dates, to find the first.
    pub(super) fn new(source: &'a dyn RowSource, options: &DatasetOptions) -> Result<Self, StreamError> {
        let mut pieces = source.pieces(&[]).map_err(StreamError::Source)?;
        let first = pieces.next().ok_or(DataError::NoRows)?.map_err(StreamError::Source)?;
        let roles = Roles::new(&first, options)?;
        let mut ranges = Vec::new();
        if !roles.date_columns(&first).is_empty() {
            Dates::add(&mut ranges, &roles, &first);
            for piece in pieces {
                Dates::add(&mut ranges, &roles, &piece.map_err(StreamError::Source)?);
            }
        }
        Ok(Self { source, roles, dates: Dates::finish(&ranges) })
    }

    /// The options, with the names of the columns of this source.
    pub(super) fn options(&self) -> &DatasetOptions {
        &self.roles.options
    }

    /// Whether the target holds dates.
    pub(super) fn has_dated_target(&self) -> bool {
        self.roles.dated
    }

    /// The date columns, whose parts are features.
    pub(super) fn date_columns(&self) -> Vec<DateColumn> {
        self.dates.columns()
    }
}

impl RowSource for PreparedRows<'_> {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let pieces = self.source.pieces(texts)?;
        Ok(Box::new(pieces.map(|piece| Ok(self.roles.apply(piece?, &self.dates)?))))
    }
}
