//! Reading a table like an earlier one, whose [`Reading`] a selection or a model has saved.

use rulesieve::Warning;
use rulesieve::data::{DateOrder, Reading};

use crate::{csv::Mark, delimiter::is_divided_otherwise, options::ReadOptions};

impl ReadOptions {
    /// The options with what was given for the earlier table where nothing is given now, and warnings about options that
    /// differ from it.
    pub(crate) fn resolved(&self) -> (Self, Vec<Warning>) {
        let (mut options, like, mut warnings) = (self.clone(), &self.like, Vec::new());
        let mut differ = |what: &str, here: String, training: String| {
            if here != training {
                warnings.push(Warning::ReadingDiffers { what: what.to_owned(), here, training });
            }
        };
        if let (Some(here), Some(training)) = (self.decimal, like.decimal) {
            differ("decimal mark", char::from(here).to_string(), training.to_string());
        }
        let list = |values: &[String]| if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        match (&self.na_values[..], &like.na_values[..]) {
            ([], saved) => options.na_values = saved.to_vec(),
            (_, []) if like.is_empty() => {}
            (here, saved) => {
                let sorted = |values: &[String]| {
                    let mut values = values.to_vec();
                    values.sort();
                    list(&values)
                };
                differ("values for missing cells", sorted(here), sorted(saved));
            }
        }
        for (what, here, saved) in
            [("comment", &self.comment, &like.comment), ("encoding", &self.encoding, &like.encoding)]
        {
            if let (Some(here), Some(saved)) = (here, saved) {
                differ(what, here.to_lowercase(), saved.to_lowercase());
            }
        }
        // The encoding of the earlier table is only used for texts that are not UTF-8.
        options.comment = options.comment.or_else(|| like.comment.clone());
        (options, warnings)
    }

    /// The order of day and month that is given, else that of the earlier table.
    pub(crate) fn date_order(&self, column: &str) -> Option<DateOrder> {
        let given = self.day_first.map(|day| if day { DateOrder::DayFirst } else { DateOrder::MonthFirst });
        given.or_else(|| self.like.dates.get(column).copied())
    }

    /// The warning about a column whose dates are in another order than in the earlier table.
    pub(crate) fn other_order(&self, column: &str, order: DateOrder) -> Option<Warning> {
        let name = |order| match order {
            DateOrder::DayFirst => "day first".to_owned(),
            DateOrder::MonthFirst => "month first".to_owned(),
        };
        let saved = *self.like.dates.get(column)?;
        (saved != order).then(|| Warning::ReadingDiffers {
            what: format!("order of dates in column '{}'", crate::shown(column)),
            here: name(order),
            training: name(saved),
        })
    }

    /// The decimal mark of the earlier table.
    pub(crate) fn mark_before(&self) -> Option<Mark> {
        match self.like.decimal {
            Some('.') => Some(Mark::Point),
            Some(',') => Some(Mark::Comma),
            _ => None,
        }
    }

    /// The delimiter of the earlier table, if the first row has it and no other one divides all rows alike.
    pub(crate) fn delimiter_before(&self, text: &str, first: &str) -> Option<u8> {
        let saved = self.like.delimiter.filter(|saved| saved.is_ascii() && *saved != ' ' && first.contains(*saved))?;
        (!is_divided_otherwise(text, saved as u8)).then_some(saved as u8)
    }

    /// Whether the first row has names as in the earlier table. Columns that were numbered then may have these names now.
    pub(crate) fn header_before(&self, first: &[String]) -> Option<bool> {
        let numbered = || first.iter().zip(1..).all(|(name, at)| *name == format!("c{at}"));
        self.like.header.filter(|&header| header || !numbered())
    }

    /// What these options say about the meaning of cells.
    pub(crate) fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        reading.na_values.clone_from(&self.na_values);
        reading.comment.clone_from(&self.comment);
        reading.encoding.clone_from(&self.encoding);
        reading.header = self.header;
        reading
    }
}
