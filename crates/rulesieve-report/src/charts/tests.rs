//! All chart types with ordinary, hostile and degenerate content.

use super::*;
use crate::svg::STYLE;
use proptest::prelude::*;

const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"&'><svg onload=alert(1)>",
    "a\u{0}b\u{1b}[31m\u{7f}\u{9b}",
    "=cmd|' /C calc'!A0",
    "\u{202e}txt.exe",
    "שלום עולם",
    "]]>&lt;",
    "",
];

/// All chart types with the same names and values.
fn all(names: &[String], values: &[f64]) -> Vec<Box<dyn Chart>> {
    let name = |at: usize| names.get(at % names.len().max(1)).cloned().unwrap_or_default();
    let pairs: Vec<(f64, f64)> = values.iter().enumerate().map(|(at, &value)| (at as f64, value)).collect();
    let bars = values.iter().enumerate().map(|(at, &value)| Bar {
        label: name(at),
        value,
        error: (at % 2 == 0).then_some(value / 2.0),
        highlight: at % 3 == 0,
    });
    let dots = values.iter().enumerate().map(|(at, &value)| Dot {
        label: name(at),
        value,
        interval: (at % 3 > 0).then_some((value - 1.0, value * 2.0)),
        highlight: at == 0,
    });
    let groups = |part: usize| -> Vec<(String, Vec<f64>)> {
        values.chunks(part.max(1)).enumerate().map(|(at, chunk)| (name(at), chunk.to_vec())).collect()
    };
    let lines = |scale, band| Lines {
        series: groups(3)
            .into_iter()
            .map(|(name, ys)| Series {
                name,
                points: ys.iter().enumerate().map(|(at, &y)| (at as f64 + 1.0, y)).collect(),
                spread: ys.clone(),
                band,
            })
            .collect(),
        x_title: name(0),
        y_title: name(1),
        x_scale: scale,
        y_scale: scale,
        marks: true,
        annotation: Some((2.0, name(2))),
        ..Lines::default()
    };
    let heat = |shading, digits| Heat {
        rows: values.iter().enumerate().map(|(at, _)| name(at)).collect(),
        columns: names.to_vec(),
        values: groups(2).into_iter().map(|(_, values)| values).collect(),
        shading,
        digits,
        row_title: name(0),
        column_title: name(1),
        value_title: name(2),
        ..Heat::default()
    };
    let ranks: Vec<(String, f64)> = values.iter().enumerate().map(|(at, &value)| (name(at), value)).collect();
    let picture = Picture { height: 3, width: 2, pixels: values.to_vec(), mask: Some(vec![true; values.len()]) };
    let critical = values.first().copied().unwrap_or(1.0);
    vec![
        Box::new(Bars { bars: bars.collect(), value_title: name(0), highlight: name(1), range: None }),
        Box::new(Dots { dots: dots.collect(), value_title: name(0), range: Some((0.0, 1.0)) }),
        Box::new(lines(Scale::Linear, false)),
        Box::new(lines(Scale::Log, true)),
        Box::new(heat(Shading::Sequential, Some(2))),
        Box::new(heat(Shading::Diverging, None)),
        Box::new(Scatter { groups: vec![(name(0), pairs), (name(1), vec![])], square: true, ..Scatter::default() }),
        Box::new(Densities { groups: groups(4), value_title: name(0), hide_legend: false }),
        Box::new(Shares { levels: names.to_vec(), groups: groups(2), value_title: name(0), hide_legend: false }),
        Box::new(Panels {
            panels: vec![
                (name(0), Box::new(Densities { groups: groups(4), ..Densities::default() })),
                (name(1), Box::new(Shares { levels: names.to_vec(), groups: groups(2), ..Shares::default() })),
            ],
            columns: 2,
            legend: names.to_vec(),
            lines: true,
        }),
        Box::new(Pictures { columns: names.to_vec(), rows: vec![(name(0), vec![picture, Picture::default()])] }),
        Box::new(CriticalDifference { ranks: ranks.clone(), critical, difference: Difference::FromControl(0) }),
        Box::new(CriticalDifference { ranks, critical, difference: Difference::BetweenAny }),
    ]
}

/// Panics unless a figure is well-formed, of finite size and without non-finite numbers.
fn check(figure: &Figure) {
    let tree = roxmltree::Document::parse(&figure.svg).unwrap_or_else(|error| panic!("{error}\n{}", figure.svg));
    let root = tree.root_element();
    let side = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
    assert!((1.0..1e5).contains(&side("width")) && (1.0..1e6).contains(&side("height")), "{}", figure.name);
    assert_eq!(root.attribute("role"), Some("img"));
    let child = |name: &str| root.children().any(|node| node.has_tag_name(name) && node.text().is_some());
    assert!(child("title") && child("desc"));
    for node in root.descendants() {
        assert!(!node.has_tag_name("script") && !node.has_tag_name("a"), "{}", figure.svg);
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!attribute.name().starts_with("on") && !value.contains("NaN"), "{value}");
            assert!(!value.split(['M', 'L', ' ']).any(|part| part == "inf" || part == "-inf"), "{value}");
            if let Some(class) = (attribute.name() == "class").then_some(value) {
                assert!(class.split(' ').all(|class| class.starts_with("rs-")), "{class}");
            }
            assert!(attribute.name() != "id", "ids would clash in a page");
            assert!(attribute.name() != "href" || value.starts_with("data:image/png"), "{value}");
        }
    }
    assert!(!figure.alt.contains("NaN") && !figure.alt.is_empty());
    let width = figure.data.header.len();
    assert!(figure.data.rows.iter().all(|row| row.len() == width), "{}", figure.name);
    assert!(!figure.data.rows.iter().flatten().any(|cell| cell == "NaN" || cell == "inf"));
    let (wide, narrow) = figure.inline();
    assert!(!wide.contains("<style>"));
    if let Some(narrow) = narrow {
        assert!(!narrow.contains("<style>") && roxmltree::Document::parse(&narrow).is_ok());
    }
}

#[test]
fn hostile_names_are_escaped() {
    let mut names: Vec<String> = HOSTILE.iter().map(|name| (*name).to_owned()).collect();
    names.push("long ".repeat(200));
    let values: Vec<f64> = (0..names.len()).map(|at| 1.0 + at as f64).collect();
    for (at, chart) in all(&names, &values).iter().enumerate() {
        let figure = chart.figure(&format!("chart {at}"), "<b>Title</b> & \"more\"");
        check(&figure);
        assert!(figure.svg.contains("&lt;b&gt;Title"));
        assert!(!figure.data.to_csv().lines().any(|line| line.starts_with('=')));
    }
    let bars = all(&names, &values)[0].figure("bars", "t").svg;
    assert!(bars.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && bars.contains("שלום"));
}

#[test]
fn degenerate_values_are_drawn() {
    let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    let cases: [&[f64]; 9] = [
        &[],
        &[f64::NAN],
        &[f64::INFINITY, f64::NEG_INFINITY, f64::NAN],
        &[1.0],
        &[0.0; 6],
        &[5.0; 6],
        &[f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 0.0, -0.0],
        &[1e-300, 2e-300, 1e300],
        &[f64::NAN, 1.0, 2.0, f64::INFINITY, 3.0],
    ];
    for values in cases {
        for names in [&names[..], &[]] {
            all(names, values).iter().for_each(|chart| check(&chart.figure("degenerate", "t")));
        }
    }
}

#[test]
fn long_series_are_thinned() {
    let points: Vec<(f64, f64)> = (0..100_000).map(|at| (f64::from(at), f64::from(at).sin())).collect();
    let lines = Lines { series: vec![Series { name: "s".into(), points, ..Series::default() }], ..Lines::default() };
    assert!(lines.figure("long", "t").svg.len() < 60_000);
}

#[test]
fn a_file_contains_the_style_and_inline_svg_does_not() {
    let figure = Bars::default().figure("Empty bars", "t");
    assert!(figure.svg.contains(STYLE) && !figure.inline().0.contains(STYLE));
    assert_eq!(figure.name, "empty-bars");
}

#[test]
fn cliques_are_maximal() {
    let ranks = [("d", 4.0), ("a", 1.0), ("b", 1.5), ("c", 2.4)].map(|(name, rank)| (name.to_owned(), rank)).to_vec();
    let mut found = CriticalDifference { ranks, critical: 1.0, difference: Difference::BetweenAny };
    assert_eq!(found.cliques(), [vec![1, 2], vec![2, 3]]);
    assert!(found.alt().contains("no significant difference within: a, b; b, c."), "{}", found.alt());
    found.difference = Difference::FromControl(1);
    assert!(found.alt().contains("different from a: c, d."), "{}", found.alt());
}

#[test]
fn a_density_integrates_to_one() {
    let values: Vec<f64> = (0..500).map(|at| f64::from(at % 37)).collect();
    let data = Densities { groups: vec![("g".into(), values)], ..Densities::default() }.data();
    let cells: Vec<(f64, f64)> =
        data.rows.iter().map(|row| (row[1].parse().unwrap(), row[2].parse().unwrap())).collect();
    let mass: f64 = cells.windows(2).map(|two| (two[1].0 - two[0].0) * (two[0].1 + two[1].1) / 2.0).sum();
    assert!((mass - 1.0).abs() < 0.05, "{mass}");
}

#[test]
fn marked_pixels_are_recorded() {
    let picture = Picture { height: 1, width: 3, pixels: vec![1.0, 0.0, 0.5], mask: Some(vec![false, true, false]) };
    let figure = Pictures { columns: vec![], rows: vec![("face".into(), vec![picture])] }.figure("faces", "t");
    assert!(figure.svg.contains("data:image/png;base64,iVBORw0KGgo"), "{}", figure.svg);
    assert_eq!(figure.data.rows[1], ["face", "1", "0", "1", "0", "yes"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_data_can_be_drawn(
        names in proptest::collection::vec(any::<String>(), 0..5),
        values in proptest::collection::vec(any::<f64>(), 0..8),
    ) {
        all(&names, &values).iter().for_each(|chart| check(&chart.figure("any", "t")));
    }
}
