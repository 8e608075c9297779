//! The public surface of the library crates, as a file: a change of it is a change of `docs/public-api.txt`.
//!
//! `UPDATE_PUBLIC_API=1 cargo test -p rulesieve-cli --test all public_api` writes the file. The lint `unreachable_pub` makes sure that
//! what is declared `pub` can be reached.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 4] = ["rulesieve", "rulesieve-eval", "rulesieve-io", "rulesieve-report"];

/// Rust files of a folder, without tests, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let is_test = |path: &PathBuf| ["tests", "testing"].contains(&path.file_stem().unwrap().to_str().unwrap());
    let files = entries.into_iter().filter(|path| !is_test(path)).flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Every declaration that begins with `pub`, in one line and without its body.
fn declarations(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut lines = code.lines().map(str::trim);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !line.starts_with("pub ") {
            continue;
        }
        let mut text = line.to_owned();
        let open = |text: &str| {
            text.matches(['(', '<']).count() > text.replace("->", "").matches([')', '>']).count()
                || !text.contains(['{', ';']) && !text.ends_with(',')
                || text.starts_with("pub use ") && !text.ends_with(';')
        };
        while open(&text) {
            let Some(next) = lines.next() else { break };
            text = format!("{text} {next}");
        }
        let cut = if text.starts_with("pub use ") { text.len() } else { text.find([';', '{']).unwrap_or(text.len()) };
        found
            .push(text[..cut].split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches([',', ';']).to_owned());
    }
    found
}

#[test]
fn the_public_surface_is_the_one_in_the_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut surface = String::new();
    for name in CRATES {
        let folder = root.join("crates").join(name).join("src");
        for path in sources(&folder) {
            let module = path.strip_prefix(&folder).unwrap().display().to_string();
            for declaration in declarations(&fs::read_to_string(&path).unwrap()) {
                surface += &format!("{name} {module}: {declaration}\n");
            }
        }
    }
    let file = root.join("docs/public-api.txt");
    if std::env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&file, &surface).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    let differs = surface.lines().zip(kept.lines()).find(|(now, kept)| now != kept);
    assert!(surface == kept, "the public surface changed: {differs:?}; set UPDATE_PUBLIC_API=1 to accept it");
}
