//! The parameters of `sieve`.

use crate::methods::settings::{AUTO, Settings, params};

params! { pub(super) SPECS:
    BINS = "bins", W(4), Whole(2, 8), "bins of equal count of a numeric column in the scan; fewer for few rows";
    PAIRS = "pairs", N(2e10), Number(0.0, 1e15), "most 64-bit operations of the scan of pairs; fewer columns beyond";
    PARITY = "parity", N(7.5e8), Number(0.0, 1e15),
        "most 64-bit operations of the scan of three columns, and a tenth of that of four; fewer columns beyond";
    LEVEL = "level", N(0.01), Number(0.0, 1.0), "largest corrected p-value of a column of the path 'significant'";
    SCANS = "scans", W(2), Whole(1, 2),
        "2: scan pairs again in the predicted class with the largest error of the significant columns";
    SIGNIFICANT = "significant", W(24), Whole(0, 256),
        "columns of the path 'significant' ahead of those of 'wide', by p-value";
    ROWS = "rows", W(400), Whole(20, 4000), "most rows, stratified, of a sample from which an order is learned";
    CLASS_ROWS = "class_rows", W(20), Whole(0, 1000),
        "rows of every class in a sample on average, if there are as many for all samples and few classes; they count as their share";
    RIDGE = "ridge", N(0.1), Number(1e-4, 1e3), "ridge of the kernel regression";
    WIDTH = "width", N(1.0), Number(0.01, 100.0), "squared width of the kernel, in units of the number of columns";
    SCALE = "scale", Word(AUTO), OneOf(&["auto", "standard", "normal"]),
        "numeric columns: standardised, by normal scores, or by normal scores where tails are heavy";
    COLUMNS = "columns", W(10_000), Whole(1, 1_000_000), "most columns, by the scan, at which elimination starts";
    SHARE = "share", N(0.1), Number(0.001, 0.9), "share of the columns that one step of elimination drops";
    CANDIDATES = "candidates", W(64), Whole(1, 1000),
        "columns left for elimination by the error itself, beside those of the scan";
    SCANNED = "scanned", W(16), Whole(0, 1000), "columns that the scan adds to elimination by the error itself";
    SAMPLES = "samples", W(5), Whole(1, 100),
        "most samples of so many rows from which the final order is learned; folds take one";
    FOLDS = "folds", Word(AUTO), WholeOrAuto(2, 20), "folds that choose path and size; auto: 3, or 5 to 8 for few rows";
    FOLD_ROWS = "fold_rows", W(300), Whole(20, 4000), "most rows from which a fold learns an order";
    FOLD_SHARE = "fold_share", N(0.2), Number(0.001, 0.9), "share of the columns that one step drops in a fold";
    MARGIN = "margin", N(1.0), Number(0.0, 100.0),
        "standard errors of the held-out error by which the path 'wide' must win";
    PATH = "path", Word(AUTO), OneOf(&["auto", "wide", "significant"]),
        "order: chosen by held-out rows, by elimination from all columns, or among significant columns first";
    WEIGHTS = "weights", Word("equal"), OneOf(&["equal", "balanced"]),
        "whether all rows count the same, or all classes";
}

/// How numeric columns become coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Auto,
    Standard,
    Normal,
}

/// How features are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathChoice {
    Auto,
    Wide,
    Significant,
}

/// Parameters of one fit, within their ranges.
#[derive(Debug, Clone)]
pub(super) struct Params {
    pub(super) bins: usize,
    pub(super) pair_budget: f64,
    pub(super) parity_budget: f64,
    pub(super) level: f64,
    pub(super) scan_twice: bool,
    pub(super) significant: usize,
    pub(super) rows: usize,
    pub(super) class_rows: usize,
    pub(super) ridge: f32,
    pub(super) width: f32,
    pub(super) scale: Scale,
    pub(super) columns: usize,
    pub(super) share: f64,
    pub(super) candidates: usize,
    pub(super) scanned: usize,
    pub(super) samples: usize,
    /// None: decided by the number of rows.
    pub(super) folds: Option<usize>,
    pub(super) fold_rows: usize,
    pub(super) fold_share: f64,
    pub(super) margin: f64,
    pub(super) path: PathChoice,
    pub(super) balanced: bool,
}

impl Params {
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            bins: settings.whole(&BINS),
            pair_budget: settings.number(&PAIRS),
            parity_budget: settings.number(&PARITY),
            level: settings.number(&LEVEL),
            scan_twice: settings.whole(&SCANS) > 1,
            significant: settings.whole(&SIGNIFICANT),
            rows: settings.whole(&ROWS),
            class_rows: settings.whole(&CLASS_ROWS),
            ridge: settings.number(&RIDGE) as f32,
            width: settings.number(&WIDTH) as f32,
            scale: match settings.word(&SCALE) {
                "standard" => Scale::Standard,
                "normal" => Scale::Normal,
                _ => Scale::Auto,
            },
            columns: settings.whole(&COLUMNS),
            share: settings.number(&SHARE),
            candidates: settings.whole(&CANDIDATES),
            scanned: settings.whole(&SCANNED),
            samples: settings.whole(&SAMPLES),
            folds: settings.auto_whole(&FOLDS),
            fold_rows: settings.whole(&FOLD_ROWS),
            fold_share: settings.number(&FOLD_SHARE),
            margin: settings.number(&MARGIN),
            path: match settings.word(&PATH) {
                "wide" => PathChoice::Wide,
                "significant" => PathChoice::Significant,
                _ => PathChoice::Auto,
            },
            balanced: settings.word(&WEIGHTS) == "balanced",
        }
    }

    /// Folds for some rows: more where rows are few, because every fold then loses a smaller share of them.
    pub(super) fn folds_for(&self, rows: usize) -> usize {
        let usual = match rows {
            0..100 => 8,
            100..300 => 5,
            _ => 3,
        };
        self.folds.unwrap_or(usual).min(rows)
    }
}
