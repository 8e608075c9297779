//! The types of columns, decided from all cells of a file.

use std::collections::BTreeMap;

use rulesieve::Warning;
use rulesieve::data::{DateOrder, Reading, table::is_missing};

use super::{
    layout::Layout,
    number::{Mark, plain, written},
    survey::{ColumnSurvey, Place},
};
use crate::{options::ReadOptions, text::shown};

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellType {
    /// Numbers as [`str::parse`] reads them.
    Number,
    /// Numbers as people write them, with this decimal mark.
    Written(Mark),
    Dates(DateOrder),
    Text,
    /// Not read: the empty last column of a file whose rows end with a delimiter.
    Skip,
}

/// The types of all columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) types: Vec<CellType>,
    /// The decimal mark, if it matters.
    pub(super) decimal: Option<Mark>,
    /// The order of dates in which it matters, by column.
    pub(super) dates: BTreeMap<String, DateOrder>,
    pub(crate) warnings: Vec<Warning>,
}

impl CellType {
    /// The number or time in a cell, NaN if missing; `None` if it is none.
    pub(crate) fn value(self, cell: &str) -> Option<f64> {
        let found = match self {
            Self::Dates(order) => order.parse(cell),
            Self::Written(Mark::Comma) => match written(cell) {
                Some(written) => written.value(Mark::Comma),
                None => plain(cell).map(|found| found.0),
            },
            Self::Written(Mark::Point) => {
                plain(cell).map(|found| found.0).or_else(|| written(cell)?.value(Mark::Point))
            }
            Self::Number | Self::Text | Self::Skip => plain(cell).map(|found| found.0),
        };
        found.or_else(|| is_missing(cell).then_some(f64::NAN))
    }
}

/// Collects the columns of a warning.
#[derive(Default)]
struct Kinds {
    commas: Vec<String>,
    grouped: Vec<(String, String)>,
    percent: Vec<String>,
    currency: Vec<String>,
    parentheses: Vec<String>,
    units: Vec<String>,
    contradicting: Vec<String>,
    open_dates: Vec<(String, String)>,
    /// The order of dates in which it matters, by column.
    orders: BTreeMap<String, DateOrder>,
    /// Warnings about dates that are not as in an earlier table.
    differences: Vec<Warning>,
}

impl Plan {
    /// Decides from the surveys of all columns.
    pub(crate) fn new(layout: &Layout, surveys: &[ColumnSurvey], options: &ReadOptions) -> Self {
        let mut warnings = Vec::new();
        let (decimal, contradiction) = decimal_mark(layout, surveys, options);
        let mut kinds = Kinds::default();
        let last = surveys.len() - 1;
        let types = surveys.iter().enumerate().map(|(at, survey)| {
            if at == last && layout.ends_with_delimiter && !survey.present && at > 0 {
                return CellType::Skip;
            }
            kinds.decide(&layout.names[at], survey, decimal, options)
        });
        let types: Vec<CellType> = types.collect();
        if types[last] == CellType::Skip {
            warnings.push(Warning::EmptyLastColumn { column: layout.names[last].clone() });
        }
        let is_number = |cell_type: &CellType| matches!(cell_type, CellType::Number | CellType::Written(_));
        let marked = |survey: &ColumnSurvey| survey.has(Mark::Point) || survey.has(Mark::Comma);
        let matters = options.decimal.is_some()
            || types.iter().zip(surveys).any(|(cell_type, survey)| is_number(cell_type) && marked(survey));
        let dates = std::mem::take(&mut kinds.orders);
        warnings.append(&mut kinds.differences);
        if let Some(training) = options.mark_before().filter(|saved| matters && *saved != decimal)
            && options.decimal.is_none()
        {
            let [here, training] = [decimal, training].map(|mark| mark.character().to_string());
            warnings.push(Warning::ReadingDiffers { what: "decimal mark".to_owned(), here, training });
        }
        let open = open_points(layout, surveys, options);
        if let Some((_, place)) = open.first() {
            let (example, columns) = (place.text.clone(), open.iter().map(|(name, _)| shown(name)).collect());
            warnings.push(Warning::PointsAmbiguous { columns, example });
        }
        kinds.warn(&mut warnings, contradiction);
        Self { types, decimal: matters.then_some(decimal), dates, warnings }
    }

    /// How the cells are read, as saved with results.
    pub(crate) fn reading(&self, layout: &Layout, options: &ReadOptions) -> Reading {
        let mut reading = options.reading();
        reading.decimal = self.decimal.map(Mark::character);
        reading.dates.clone_from(&self.dates);
        reading.delimiter = Some(char::from(layout.delimiter)).filter(|delimiter| *delimiter != ',');
        reading
    }

    /// The columns that are read.
    pub(crate) fn used(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.types.len()).filter(|&at| self.types[at] != CellType::Skip)
    }
}

/// The cells that contradict each other about the decimal mark: column, data row and text of a point and of a comma.
type Contradiction = [(String, usize, String); 2];

/// The decimal mark of the file.
fn decimal_mark(layout: &Layout, surveys: &[ColumnSurvey], options: &ReadOptions) -> (Mark, Option<Contradiction>) {
    let first = |of: fn(&ColumnSurvey, Mark) -> &Option<Place>, mark: Mark| {
        let numeric = surveys.iter().zip(&layout.names).filter(|(survey, _)| survey.written && survey.has_one_unit());
        numeric.filter_map(|(survey, name)| Some((name, of(survey, mark).as_ref()?))).next()
    };
    let decimal = |mark| first(|survey, mark| &survey.decimal[mark as usize], mark);
    if let Some(given) = options.decimal {
        return (if given == b',' { Mark::Comma } else { Mark::Point }, None);
    }
    let before = options.mark_before();
    match (decimal(Mark::Point), decimal(Mark::Comma)) {
        (Some(_), Some(_)) | (None, None) if before.is_some() => (before.unwrap_or(Mark::Point), None),
        (Some(point), Some(comma)) => {
            let cell = |(name, place): (&String, &Place)| (shown(name), place.row + 1, place.text.clone());
            (Mark::Point, Some([cell(point), cell(comma)]))
        }
        (Some(_), None) => (Mark::Point, None),
        (None, Some(_)) => (Mark::Comma, None),
        // Nothing but numbers such as 5,914: files of semicolons come from where the comma is the decimal mark.
        (None, None) => {
            let commas = first(|survey, mark| &survey.either[mark as usize], Mark::Comma).is_some();
            (if commas && layout.delimiter == b';' { Mark::Comma } else { Mark::Point }, None)
        }
    }
}

/// The numeric columns with points that may separate thousands, in a file that shows no decimal mark although its delimiter is that
/// of countries with decimal commas.
fn open_points<'a>(
    layout: &'a Layout,
    surveys: &'a [ColumnSurvey],
    options: &ReadOptions,
) -> Vec<(&'a String, &'a Place)> {
    let is_decided = options.decimal.is_some() || options.mark_before().is_some() || layout.delimiter != b';';
    let numeric = || surveys.iter().zip(&layout.names).filter(|(survey, _)| survey.written && survey.has_one_unit());
    if is_decided || numeric().any(|(survey, _)| survey.decimal.iter().any(Option::is_some) || survey.has(Mark::Comma))
    {
        return Vec::new();
    }
    numeric().filter_map(|(survey, name)| Some((name, survey.either[Mark::Point as usize].as_ref()?))).collect()
}

impl Kinds {
    fn decide(&mut self, name: &str, survey: &ColumnSurvey, decimal: Mark, options: &ReadOptions) -> CellType {
        if survey.is_long() {
            return CellType::Text;
        }
        if survey.plain && (decimal == Mark::Point || !survey.has(Mark::Point)) {
            return CellType::Number;
        }
        if let Some(guess) = survey.dates() {
            return match guess.order_or(options.date_order(name)) {
                Some(order) => {
                    if guess.depends_on_order() || options.day_first.is_some() {
                        self.orders.insert(name.to_owned(), order);
                        self.differences.extend(options.other_order(name, order));
                    }
                    CellType::Dates(order)
                }
                None => {
                    self.open_dates.push((shown(name), String::new()));
                    CellType::Text
                }
            };
        }
        if !survey.written {
            self.differences.extend(survey.mixed_dates(name));
            return CellType::Text;
        }
        let other = if decimal == Mark::Point { Mark::Comma } else { Mark::Point };
        if survey.decimal[other as usize].is_some() {
            self.contradicting.push(shown(name));
            return if survey.plain { CellType::Number } else { CellType::Text };
        }
        if !survey.has_one_unit() {
            self.units.push(shown(name));
            return CellType::Text;
        }
        if decimal == Mark::Comma && survey.has(Mark::Comma) {
            self.commas.push(shown(name));
        }
        let example = survey.grouped.as_ref().or(survey.either[other as usize].as_ref());
        self.grouped.extend(example.map(|place| (shown(name), place.text.clone())));
        for (applies, columns) in [
            (survey.is_percent(), &mut self.percent),
            (survey.currency.is_some(), &mut self.currency),
            (survey.parentheses, &mut self.parentheses),
        ] {
            if applies {
                columns.push(shown(name));
            }
        }
        CellType::Written(decimal)
    }

    fn warn(self, warnings: &mut Vec<Warning>, contradiction: Option<Contradiction>) {
        if let (Some([point, comma]), false) = (contradiction, self.contradicting.is_empty()) {
            warnings.push(Warning::DecimalMarksMixed { columns: self.contradicting, point, comma });
        } else if !self.contradicting.is_empty() {
            warnings.push(Warning::OtherDecimalMark { columns: self.contradicting });
        }
        let names = |columns: &[(String, String)]| columns.iter().map(|(name, _)| name.clone()).collect();
        let example = |columns: &[(String, String)]| columns.first().map(|(_, text)| text.clone());
        if let Some(example) = example(&self.grouped) {
            warnings.push(Warning::ThousandsSeparated { columns: names(&self.grouped), example });
        }
        if !self.open_dates.is_empty() {
            warnings.push(Warning::DatesAmbiguous { columns: names(&self.open_dates) });
        }
        let mut add = |columns: Vec<String>, warning: fn(Vec<String>) -> Warning| {
            if !columns.is_empty() {
                warnings.push(warning(columns));
            }
        };
        add(self.commas, |columns| Warning::DecimalCommas { columns });
        add(self.percent, |columns| Warning::PercentRead { columns });
        add(self.currency, |columns| Warning::CurrencyRemoved { columns });
        add(self.parentheses, |columns| Warning::ParenthesesNegative { columns });
        add(self.units, |columns| Warning::UnitsMixed { columns });
    }
}
