//! Writes every chart type into a folder for inspection: `cargo run -p rulesieve-report --example gallery -- DIR`.

use rulesieve_report::Figure;
use rulesieve_report::charts::*;
use std::path::PathBuf;

/// Oscillating values around `about`.
fn wave(count: usize, about: f64, spread: f64) -> Vec<f64> {
    (0..count).map(|at| about + spread * ((at * at) as f64 * 0.7).sin() * (at as f64 * 0.3).cos()).collect()
}

fn named<T>(names: &[&str], make: impl Fn(usize) -> T) -> Vec<(String, T)> {
    names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), make(at))).collect()
}

const CLASSES: [&str; 3] = ["Adelie", "Chinstrap", "Gentoo"];

fn bars() -> Figure {
    let names =
        ["bill_length_mm", "island", "bill_depth_mm", "sex", "a very long name of a column that goes on and on"];
    let bar = |(at, name): (usize, &&str)| Bar {
        label: (*name).to_owned(),
        value: 0.69 / (at as f64 + 1.0),
        error: (at < 2).then_some(0.05),
        highlight: at < 3,
    };
    let bars = names.iter().enumerate().map(bar).collect();
    Bars { bars, value_title: "score".into(), highlight: "selected".into(), range: None }.figure("bars", "Scores")
}

fn dots() -> Figure {
    let dots = named(&["ldr-tsk-inductive", "anova", "random"], |at| 0.9 - 0.4 * at as f64);
    let dot = |(label, value): (String, f64)| Dot {
        highlight: value > 0.8,
        interval: Some((value - 0.1, value + 0.07)),
        label,
        value,
    };
    let dots = dots.into_iter().map(dot).collect();
    Dots { dots, value_title: "stability".into(), range: Some((0.0, 1.0)) }.figure("dots", "Stability")
}

fn lines() -> Lines {
    let curve = |at: usize| [1.0, 2.0, 3.0, 5.0, 8.0, 13.0].map(|x: f64| (x, 0.95 - 0.4 / (x + at as f64))).to_vec();
    let series = named(&["ldr-tsk", "anova", "random features"], curve).into_iter();
    let series = series.map(|(name, points)| Series { name, points, spread: vec![0.02; 6], band: true }).collect();
    Lines {
        series,
        x_title: "features".into(),
        y_title: "accuracy".into(),
        marks: true,
        annotation: Some((3.0, "chosen: 3".into())),
        ..Lines::default()
    }
}

fn losses() -> Lines {
    let points = (1..200).map(|at| (f64::from(at), 300.0 * (-f64::from(at) / 30.0).exp() + 0.5)).collect();
    let series = vec![Series { name: "objective".into(), points, ..Series::default() }];
    Lines { series, x_title: "iteration".into(), y_title: "objective".into(), y_scale: Scale::Log, ..Lines::default() }
}

fn heat(shading: Shading, columns: usize, digits: Option<usize>) -> Heat {
    let name = |at| format!("column_{at}_mm");
    let value = |row: usize, column: usize| if row == column { 1.0 } else { ((row * 7 + column * 3) as f64).sin() };
    Heat {
        rows: (0..columns).map(name).collect(),
        columns: (0..columns).map(name).collect(),
        values: (0..columns).map(|row| (0..columns).map(|column| value(row, column)).collect()).collect(),
        shading,
        digits,
        range: Some((-1.0, 1.0)),
        value_title: "correlation".into(),
        ..Heat::default()
    }
}

fn confusion() -> Figure {
    Heat {
        rows: CLASSES.map(str::to_owned).to_vec(),
        columns: CLASSES.map(str::to_owned).to_vec(),
        values: vec![vec![145.0, 7.0, 0.0], vec![3.0, 65.0, 0.0], vec![0.0, 1.0, 123.0]],
        digits: Some(0),
        row_title: "true".into(),
        column_title: "predicted".into(),
        value_title: "rows".into(),
        ..Heat::default()
    }
    .figure("confusion", "Confusion")
}

fn distributions() -> Figure {
    let numbers = |hide_legend| Densities {
        groups: named(&CLASSES, |at| wave(80, 38.0 + 5.0 * at as f64, 4.0)),
        value_title: "bill_length_mm".into(),
        hide_legend,
    };
    let islands = |hide_legend| Shares {
        levels: ["Biscoe", "Dream", "Torgersen"].map(str::to_owned).to_vec(),
        groups: named(&CLASSES, |at| [[0.3, 0.4, 0.3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]][at].to_vec()),
        value_title: "island".into(),
        hide_legend,
    };
    Panels {
        panels: vec![
            ("1. bill_length_mm".into(), Box::new(numbers(true))),
            ("2. island".into(), Box::new(islands(true))),
        ],
        columns: 2,
        legend: CLASSES.map(str::to_owned).to_vec(),
        lines: true,
    }
    .figure("distributions", "Distributions")
}

fn scatter() -> Figure {
    let circle = |at: usize| {
        let radius = 1.0 + at as f64 + 0.1;
        (0..60).map(|step| (f64::from(step) * 0.105).sin_cos()).map(|(y, x)| (radius * x, radius * y)).collect()
    };
    let groups = named(&["inside", "outside"], circle);
    Scatter { groups, x_title: "x".into(), y_title: "y".into(), square: true, ..Scatter::default() }
        .figure("scatter", "Circles")
}

fn pictures() -> Figure {
    let face = |mark: usize| {
        let position = |at: usize| ((at / 32) as f64 - 15.5, (at % 32) as f64 - 15.5);
        let bright = |at| 1.0 - (position(at).0.powi(2) + position(at).1.powi(2)).sqrt() / 24.0;
        let mask = (mark > 0).then(|| (0..1024).map(|at| at % (mark + 2) == 0 && at / 32 > 10).collect());
        Picture { height: 32, width: 32, pixels: (0..1024).map(bright).collect(), mask }
    };
    let rows = named(&["person 1", "person 2"], |_| (0..5).map(face).collect());
    let columns = ["original", "ldr-tsk", "anova", "mcfs", "erfs"].map(str::to_owned).to_vec();
    Pictures { columns, rows }.figure("pictures", "Selected pixels")
}

fn ranks(difference: Difference) -> CriticalDifference {
    let names = ["Ours", "RJFWLF", "FSOR", "FRSE-TSK", "DG-TSK", "MCFS", "DG-ALETSK"];
    let ranks = [1.4167, 2.5, 2.8056, 4.5833, 5.0278, 5.4444, 6.2222];
    CriticalDifference { ranks: named(&names, |at| ranks[at]), critical: 1.8996, difference }
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/gallery".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let figures = [
        bars(),
        dots(),
        lines().figure("lines", "Score by size"),
        losses().figure("losses", "Convergence"),
        heat(Shading::Diverging, 5, Some(2)).figure("correlation", "Correlation"),
        heat(Shading::Sequential, 24, None).figure("wide-heat", "Many columns"),
        confusion(),
        distributions(),
        scatter(),
        pictures(),
        ranks(Difference::FromControl(0)).figure("bonferroni-dunn", "Bonferroni-Dunn"),
        ranks(Difference::BetweenAny).figure("nemenyi", "Nemenyi"),
    ];
    for figure in figures {
        std::fs::write(folder.join(&figure.name).with_extension("svg"), &figure.svg)?;
        std::fs::write(folder.join(&figure.name).with_extension("csv"), figure.data.to_csv())?;
        if let Some(narrow) = &figure.narrow {
            std::fs::write(folder.join(format!("{}-narrow.svg", figure.name)), narrow)?;
        }
    }
    Ok(())
}
