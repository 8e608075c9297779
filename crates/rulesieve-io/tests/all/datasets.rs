//! The benchmark tables, if present, have the shapes in their manifest.

use std::path::Path;

use rulesieve::data::ColumnData;
use rulesieve_io::{ReadOptions, Source, read};

/// File, rows, columns including the class, missing cells.
const EXPECTED: [(&str, usize, usize, usize); 8] = [
    ("arrhythmia.csv.gz", 452, 280, 408),
    ("colon.csv.gz", 62, 2001, 0),
    ("german.csv", 1000, 21, 0),
    ("isolet.csv.gz", 1560, 618, 0),
    ("madelon.csv.gz", 2600, 501, 0),
    ("spambase.csv.gz", 4601, 58, 0),
    ("vote.csv", 435, 17, 392),
    ("wdbc.csv", 569, 32, 0),
];

#[test]
fn shapes_agree_with_the_manifest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} does not exist", folder.display());
        return;
    };
    let mut checked = 0;
    for path in
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end != "md"))
    {
        let table = read(&Source::Path(path.clone()), &ReadOptions::default()).unwrap();
        assert_eq!(crate::common::names(&table).last(), Some(&"class"), "{}", path.display());
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(&(_, rows, columns, missing)) = EXPECTED.iter().find(|stated| stated.0 == name) else { continue };
        assert_eq!((table.rows(), table.columns().len()), (rows, columns), "{name}");
        let found: usize = table.columns().iter().map(|column| count_missing(&column.data)).sum();
        assert_eq!(found, missing, "{name}");
        checked += 1;
    }
    assert_eq!(checked, EXPECTED.len());
}

fn count_missing(data: &ColumnData) -> usize {
    match data {
        ColumnData::Numeric(values) | ColumnData::Dates(values) => values.iter().filter(|value| value.is_nan()).count(),
        ColumnData::Text(text) => text.codes().iter().filter(|&&code| text.levels()[code as usize].is_empty()).count(),
    }
}
