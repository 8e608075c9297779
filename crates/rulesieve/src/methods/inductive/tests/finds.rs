use crate::data::{Column, ColumnData, Dataset, DatasetOptions, Table, Target, TargetColumn};
use crate::generate;
use crate::methods::{Method, settings::Settings};
use crate::model::{TrainOptions, train};
use crate::optim::Silent;
use crate::select::{SelectOptions, Selection, Size, select};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn found(name: &str, samples: usize, features: usize, seed: u64) -> (Selection, Vec<String>) {
    let generated = generate::find(name).unwrap().generate(Some(samples), Some(features), seed).unwrap();
    let data = Dataset::new(generated.table, &DatasetOptions::default()).unwrap();
    (run(&data, seed), generated.informative)
}

fn run(data: &Dataset, seed: u64) -> Selection {
    let method = Method::LdrTskInductive;
    run_with(data, method.settings(&[]).unwrap(), None, seed)
}

fn run_with(data: &Dataset, settings: Settings, weights: Option<Vec<f64>>, seed: u64) -> Selection {
    let options =
        SelectOptions { settings, size: Size::Top(4), weights, seed, ..SelectOptions::new(Method::LdrTskInductive) };
    select(data, &options, &mut Silent).unwrap()
}

/// Structure that no single column shows. The experiment `experiments/synthetic` uses more seeds.
#[test]
fn finds_circles_and_parity_among_noise() {
    for (name, samples, features) in [("double-circle", 400, 10), ("xor", 500, 20), ("parity3", 1000, 10)] {
        for seed in [0, 1] {
            let (selection, truth) = found(name, samples, features, seed);
            let first: Vec<&str> = selection.ranking[..truth.len()].iter().map(|r| r.feature.as_str()).collect();
            assert!(truth.iter().all(|feature| first.contains(&feature.as_str())), "{name}, seed {seed}: {first:?}");
            assert!(selection.diagnostics["validation_loss"] < 0.9 * selection.diagnostics["chance_loss"]);
        }
    }
}

#[test]
fn the_fewest_steps_give_a_ranking() {
    let method = Method::LdrTskInductive;
    let table = generate::find("waveform").unwrap().generate(Some(80), Some(21), 3).unwrap().table;
    let data = Dataset::new(table, &DatasetOptions::default()).unwrap();
    for steps in ["1", "2", "3"] {
        let set = [("steps", steps), ("starts", "2"), ("stages", "2")];
        let settings = method.settings(&set.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
        let found = run_with(&data, settings, None, 0);
        assert!(found.diagnostics["validation_loss"].is_finite(), "{steps} steps");
    }
}

/// Only the ratios of weights matter.
#[test]
fn only_ratios_of_weights_matter() {
    let method = Method::LdrTskInductive;
    let table = generate::find("waveform").unwrap().generate(Some(80), Some(21), 3).unwrap().table;
    let data = Dataset::new(table, &DatasetOptions::default()).unwrap();
    let set = [("steps", "20"), ("starts", "1"), ("stages", "1")];
    let settings = method.settings(&set.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
    let with = |scale: f64| {
        let weights = (0..80).map(|row| scale * f64::from(1 + row % 4)).collect();
        run_with(&data, settings.clone(), Some(weights), 0)
    };
    let plain = with(1.0);
    for scale in [4e307, 1e306, 5e-324] {
        let found = with(scale);
        assert_eq!(found.selected, plain.selected, "{scale:e}");
        let (a, b) = (found.diagnostics["validation_loss"], plain.diagnostics["validation_loss"]);
        assert!((a - b).abs() < 1e-6, "{scale:e}: {a} {b}");
    }
}

#[test]
fn shuffled_labels_give_a_warning() {
    let table = generate::find("waveform").unwrap().generate(Some(400), Some(21), 3).unwrap().table;
    let mut data = Dataset::new(table, &DatasetOptions::default()).unwrap();
    crate::methods::tests::shuffle(&mut data.target, 8);
    let selection = run(&data, 0);
    let (found, chance) = (selection.diagnostics["validation_loss"], selection.diagnostics["chance_loss"]);
    assert!(found > 0.93 * chance, "{found} against {chance} by chance");
    assert!(
        selection.warnings.iter().any(|warning| warning.to_string().contains("no better than chance")),
        "{:?}",
        selection.warnings
    );
}

#[test]
fn the_same_bits_for_any_position_of_repeated_rows() {
    let table = generate::find("waveform").unwrap().generate(Some(150), Some(21), 3).unwrap().table;
    let target = Some(table.columns()[table.target_position(None).unwrap()].name.clone());
    let taken = |rows: &[usize]| {
        let columns = table.columns().iter().map(|column| match &column.data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) => {
                Column::numeric(&column.name, rows.iter().map(|&row| values[row]).collect())
            }
            ColumnData::Text(text) => Column::text(&column.name, rows.iter().map(|&row| text.get(row))),
        });
        Table::new(columns.collect()).unwrap()
    };
    // Every third row twice, its copies adjacent or anywhere.
    let mut rows: Vec<usize> = (0..150).flat_map(|row| vec![row; 1 + usize::from(row % 3 == 0)]).collect();
    let beside = taken(&rows);
    rows.shuffle(&mut ChaCha8Rng::seed_from_u64(4));
    let [given, mixed] = [beside, taken(&rows)].map(|table| {
        let options = DatasetOptions::new(TargetColumn { column: target.clone(), ..Default::default() });
        let data = Dataset::new(table, &options).unwrap();
        let selection = run(&data, 1);
        let options = TrainOptions::new().set([("steps", "50")]).unwrap().seed(2);
        let model = train(&data, &selection, &options, &mut Silent).unwrap().0.model().clone();
        (selection.ranking, selection.trace, model.network, model.rules, model.preprocessing)
    });
    assert_eq!(given, mixed);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| found("xor", 300, 30, 2).0)
    };
    let one = on(1);
    for threads in [2, 8] {
        assert_eq!(on(threads).ranking, one.ranking);
    }
}

/// Two columns that determine the class, one of three categories that depends on it, and a random one of some
/// categories.
fn with_random_categories(levels: usize, seed: u64) -> Dataset {
    let rows = 600;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = |_| rng.random_range(-1.0..1.0);
    let [a, b, noise]: [Vec<f64>; 3] = [0, 1, 2].map(|_| (0..rows).map(&mut uniform).collect());
    let classes: Vec<&str> = a.iter().zip(&b).map(|(a, b)| if a + 0.7 * b > 0.0 { "p" } else { "q" }).collect();
    let kind = |row: usize| {
        if noise[row].abs() < 0.6 {
            ["x", "y"][row % 2]
        } else if classes[row] == "p" {
            "y"
        } else {
            "z"
        }
    };
    let kinds: Vec<&str> = (0..rows).map(kind).collect();
    let random: Vec<String> = (0..rows).map(|_| format!("l{}", rng.random_range(0..levels))).collect();
    let columns = vec![
        Column::numeric("a", a),
        Column::numeric("b", b),
        Column::text("kind", &kinds),
        Column::text("random", &random),
        Column::text("t", &classes),
    ];
    let options = DatasetOptions::new(Target::named("t"));
    Dataset::new(Table::new(columns).unwrap(), &options).unwrap()
}

#[test]
fn random_categories_have_low_scores() {
    let set = [("steps", "200"), ("starts", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Method::LdrTskInductive.settings(&set).unwrap();
    let mut shares = Vec::new();
    for (seed, levels) in [2, 3, 10, 30, 50, 100, 200, 400].into_iter().enumerate() {
        let data = with_random_categories(levels, seed as u64);
        let selection = run_with(&data, settings.clone(), None, seed as u64);
        let order: Vec<&str> = selection.ranking.iter().map(|ranked| ranked.feature.as_str()).collect();
        assert_eq!(order[3], "random", "{levels} levels: {:?}", selection.ranking);
        shares.push(selection.ranking[3].score / selection.ranking[0].score);
    }
    // A shuffled copy has a similar score, which is subtracted.
    assert!(shares.iter().sum::<f64>() / (shares.len() as f64) < 0.05, "{shares:?}");
    assert!(shares.iter().all(|&share| share < 0.2), "{shares:?}");
}

/// Neither the names nor the order of columns change the scores.
#[test]
fn names_and_order_of_columns_change_nothing() {
    let table = |prefix: &str| {
        let made = generate::find("waveform").unwrap().generate(Some(80), Some(24), 3).unwrap();
        let renamed = |column: &Column| match column.name.as_str() {
            "class" => column.clone(),
            name => Column { name: format!("{prefix}{}", name.chars().rev().collect::<String>()), ..column.clone() },
        };
        let columns = made.table.columns().iter();
        Table::new(if prefix.is_empty() { columns.cloned().collect() } else { columns.rev().map(renamed).collect() })
    };
    let method = Method::LdrTskInductive;
    let settings = method.settings(&[("steps".to_owned(), "40".to_owned())]).unwrap();
    let ranking = |prefix: &str| {
        let data = Dataset::new(table(prefix).unwrap(), &DatasetOptions::new(Target::named("class"))).unwrap();
        let found = run_with(&data, settings.clone(), None, 1).ranking;
        found.into_iter().map(|ranked| (ranked.feature, ranked.score.to_bits())).collect::<Vec<_>>()
    };
    let named = |(name, score): (String, u64)| (format!("z{}", name.chars().rev().collect::<String>()), score);
    assert_eq!(ranking("").into_iter().map(named).collect::<Vec<_>>(), ranking("z"));
}
