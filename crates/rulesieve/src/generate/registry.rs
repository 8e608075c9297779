//! Registry of the generators.
//!
//! A new generator is a file with a `build` function and an entry here. Its stream number must be unique and must never
//! change: that would change the data behind published results.

use super::{Generator, control, double_circle, friedman, madelon, parity, waveform};

/// All generators, in the order in which they are listed to users.
pub fn all() -> &'static [Generator] {
    &GENERATORS
}

/// The generator called `name`.
pub fn find(name: &str) -> Option<&'static Generator> {
    all().iter().find(|generator| generator.name == name)
}

static GENERATORS: [Generator; 8] = [
    Generator {
        name: "double-circle",
        summary: "two concentric circles in x and y, uniform noise beside them",
        source: "the toy problem of the LDR-TSK paper",
        target: "class",
        classes: 2,
        default_samples: 400,
        default_features: 10,
        minimum_samples: 2,
        minimum_features: 2,
        stream: 1,
        build: double_circle::build,
    },
    Generator {
        name: "xor",
        summary: "uniform columns; the class is whether exactly one of x1, x2 exceeds 0.5",
        default_samples: 500,
        default_features: 20,
        minimum_features: 2,
        stream: 2,
        build: |samples, features, rng| parity::build(2, samples, features, rng),
        ..PARITY
    },
    Generator {
        name: "parity3",
        summary: "uniform columns; the class is the parity of x1, x2, x3 above 0.5",
        default_samples: 1000,
        default_features: 10,
        minimum_features: 3,
        stream: 3,
        build: |samples, features, rng| parity::build(3, samples, features, rng),
        ..PARITY
    },
    Generator {
        name: "parity4",
        summary: "uniform columns; the class is the parity of x1, x2, x3, x4 above 0.5",
        default_samples: 4000,
        default_features: 20,
        minimum_features: 4,
        stream: 4,
        build: |samples, features, rng| parity::build(4, samples, features, rng),
        ..PARITY
    },
    Generator {
        name: "madelon",
        summary: "32 clusters on a 5-dimensional hypercube, 15 linear combinations, noise, shuffled columns",
        source: "Guyon 2003, Design of experiments for the NIPS 2003 variable selection benchmark",
        target: "class",
        classes: 2,
        default_samples: 2600,
        default_features: 500,
        minimum_samples: madelon::CLUSTERS,
        minimum_features: madelon::SIGNAL,
        stream: 5,
        build: madelon::build,
    },
    Generator {
        name: "waveform",
        summary: "three classes of mixed triangular waves over x1 to x21, normal noise beside them",
        source: "Breiman, Friedman, Olshen and Stone 1984, Classification and Regression Trees",
        target: "class",
        classes: 3,
        default_samples: 5000,
        default_features: 40,
        minimum_samples: 3,
        minimum_features: waveform::LENGTH,
        stream: 6,
        build: waveform::build,
    },
    Generator {
        name: "control",
        summary: "control charts: normal, cyclic, with a trend or with a shift, one column per point in time",
        source: "Alcock and Manolopoulos 1999, Time-series similarity queries employing a feature-based approach",
        target: "class",
        classes: control::CLASSES.len(),
        default_samples: 600,
        default_features: 60,
        minimum_samples: control::CLASSES.len(),
        minimum_features: control::LAST_SHIFT,
        stream: 7,
        build: control::build,
    },
    Generator {
        name: "friedman",
        summary: "a numeric label that depends on x1 to x5 of uniform columns, with noise of variance 1",
        source: "Friedman 1991, Multivariate adaptive regression splines",
        target: "y",
        classes: 0,
        default_samples: 500,
        default_features: 10,
        minimum_samples: 2,
        minimum_features: 5,
        stream: 8,
        build: friedman::build,
    },
];

/// Common fields of the parity problems.
const PARITY: Generator = Generator {
    name: "",
    summary: "",
    source: "folklore; Minsky and Papert 1969, Perceptrons, on why no single column shows it",
    target: "class",
    classes: 2,
    default_samples: 0,
    default_features: 0,
    minimum_samples: 2,
    minimum_features: 0,
    stream: 0,
    build: |samples, features, rng| parity::build(1, samples, features, rng),
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::testing::{make, numbers};
    use super::super::{GenerateError, MAXIMUM_CELLS};
    use super::*;

    #[test]
    fn names_and_streams_are_distinct_and_found() {
        assert_eq!(all().iter().map(|g| g.name).collect::<HashSet<_>>().len(), all().len());
        assert_eq!(all().iter().map(|g| g.stream).collect::<HashSet<_>>().len(), all().len());
        for generator in all() {
            assert_eq!(find(generator.name).unwrap().stream, generator.stream);
        }
        assert!(find("moons").is_none());
    }

    #[test]
    fn default_and_smallest_tables_have_the_stated_shape() {
        for generator in all() {
            let smallest = (Some(generator.minimum_samples), Some(generator.minimum_features));
            for (samples, features) in [(None, None), smallest] {
                let made = generator.generate(samples, features, 3).unwrap();
                assert_eq!(made.table.rows(), samples.unwrap_or(generator.default_samples), "{}", generator.name);
                let columns = features.unwrap_or(generator.default_features) + 1;
                assert_eq!(made.table.columns().len(), columns, "{}", generator.name);
                assert_eq!(made.table.target_hint.as_deref(), Some(generator.target));
                assert_eq!(made.table.position(generator.target), Some(columns - 1), "{}", generator.name);
                for name in made.informative.iter().chain(&made.redundant) {
                    assert!(made.table.position(name).is_some(), "{}: {name}", generator.name);
                }
            }
        }
    }

    #[test]
    fn default_tables_hold_every_class() {
        for generator in all().iter().filter(|generator| generator.classes > 0) {
            let made = generator.generate(None, None, 1).unwrap();
            let label = made.table.columns().last().unwrap();
            let seen: HashSet<String> = (0..label.len()).map(|row| label.cell(row)).collect();
            assert_eq!(seen.len(), generator.classes, "{}", generator.name);
        }
    }

    #[test]
    fn a_seed_gives_the_same_bits_and_another_seed_others() {
        for generator in all() {
            let (samples, features) = (Some(generator.minimum_samples + 20), Some(generator.minimum_features + 3));
            let made = generator.generate(samples, features, 11).unwrap();
            assert_eq!(made, generator.generate(samples, features, 11).unwrap(), "{}", generator.name);
            let other = generator.generate(samples, features, 12).unwrap();
            assert_ne!(made.table, other.table, "{}", generator.name);
        }
    }

    #[test]
    fn published_data_do_not_change() {
        // Generators without transcendental functions only: those may differ in the last bit between platforms.
        let xor = make("xor", 10, 3, 0);
        assert_eq!(numbers(&xor, "x1")[0].to_bits(), 4603621094223156588);
        assert_eq!(numbers(&xor, "x3")[9], 0.7325397468116618);
        let madelon = make("madelon", 32, 20, 0);
        assert_eq!(numbers(&madelon, "f001")[..6], [523.0, 210.0, 498.0, 550.0, 509.0, 523.0]);
        assert_eq!(madelon.informative, ["f002", "f003", "f016", "f019", "f020"]);
    }

    #[test]
    fn two_generators_share_no_numbers_under_one_seed() {
        let two_bits = find("xor").unwrap().generate(Some(50), Some(4), 5).unwrap();
        let four_bits = find("parity4").unwrap().generate(Some(50), Some(4), 5).unwrap();
        assert_ne!(two_bits.table.columns()[0], four_bits.table.columns()[0]);
    }

    #[test]
    fn sizes_out_of_range_are_named() {
        let error = |name: &str, samples, features| {
            find(name).unwrap().generate(Some(samples), Some(features), 0).unwrap_err().to_string()
        };
        assert_eq!(
            error("control", 5, 60),
            "'control' cannot make 5 samples: its classes and clusters need at least 6"
        );
        assert_eq!(error("madelon", 100, 19), "'madelon' cannot make 19 features: its construction needs at least 20");
        let large = find("xor").unwrap().generate(Some(usize::MAX), Some(2), 0).unwrap_err();
        assert!(large.remedy().is_some_and(|remedy| remedy.to_string().contains("use fewer samples or features")));
        assert!(matches!(large, GenerateError::TooLarge { samples: usize::MAX, features: 2, .. }));
        assert_eq!(
            error("friedman", MAXIMUM_CELLS / 8 + 1, 8),
            "'friedman' cannot make 33554433 samples of 8 features: at most 268435456 cells (samples times features) \
             are allowed"
        );
        for generator in all() {
            let few = generator.generate(Some(generator.minimum_samples - 1), None, 0);
            assert!(matches!(few, Err(GenerateError::TooFewSamples { .. })), "{}", generator.name);
            let narrow = generator.generate(None, Some(generator.minimum_features - 1), 0);
            assert!(matches!(narrow, Err(GenerateError::TooFewFeatures { .. })), "{}", generator.name);
        }
    }
}
