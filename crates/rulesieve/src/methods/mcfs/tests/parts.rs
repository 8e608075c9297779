//! The fast forms compared with the formulas in plain loops.

use super::*;
use crate::linalg::{Plain, SymmetricEigen, Transposed, dot, inner_gram, product, symmetric_eigenvalues};

fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| rng.random())
}

/// A small random problem, with the scatters as m x m matrices.
struct Case {
    x: Matrix,
    classes: Vec<Vec<usize>>,
    blocks: Vec<Range<usize>>,
    graph: Graph,
    coordinates: Option<Matrix>,
    fixed: Fixed,
    rho: f64,
}

fn case(rows: usize, cols: usize) -> Case {
    let x = centred(&random(rows, cols, 1));
    let classes: Vec<Vec<usize>> = (0..2).map(|class| (class..rows).step_by(2).collect()).collect();
    let blocks = std::iter::once(0..2).chain((2..cols).map(|at| at..at + 1)).collect();
    let graph = graph::within_classes(&x, &classes, 2);
    let coordinates = subspace::coordinates(&x).unwrap();
    assert_eq!(coordinates.is_some(), rows < cols);
    let fixed = Fixed::new(coordinates.as_ref().unwrap_or(&x), &graph);
    Case { x, classes, blocks, graph, coordinates, fixed, rho: 0.7 }
}

impl Case {
    fn scatters(&self) -> (Scatters<'_>, Centres) {
        let centres = Centres::start(&self.x, &self.classes, 2, &mut ChaCha8Rng::seed_from_u64(3));
        (Scatters::new(&self.x, &self.graph, centres.clone(), self.rho), centres)
    }

    fn space(&self, s: usize, d: usize) -> Subspace<'_> {
        let coordinates = self.coordinates.as_ref().unwrap_or(&self.x);
        Subspace { x: &self.x, coordinates, fixed: &self.fixed, blocks: &self.blocks, s, d }
    }

    /// S_t and the denominator, by their sums over rows, centres and edges.
    fn plain(&self, centres: &Centres) -> (Matrix, Matrix) {
        let (x, n, m) = (&self.x, self.x.rows(), self.x.cols());
        let mean = |row: usize, col: usize| {
            let own: Vec<usize> = (0..n).filter(|&other| centres.of_row[other] == centres.of_row[row]).collect();
            own.iter().map(|&other| x[(other, col)]).sum::<f64>() / own.len() as f64
        };
        let away = Matrix::from_fn(n, m, |row, col| x[(row, col)] - mean(row, col));
        let (total, about) = (inner_gram(x), inner_gram(&away));
        let mut local = Matrix::zeros(m, m);
        for row in 0..n {
            for &other in self.graph[row].iter().filter(|&&other| other > row) {
                let step: Vec<f64> = (0..m).map(|col| x[(row, col)] - x[(other, col)]).collect();
                (0..m * m).for_each(|at| local.as_mut_slice()[at] += step[at % m] * step[at / m]);
            }
        }
        let trace = |a: &Matrix| (0..m).map(|at| a[(at, at)]).sum::<f64>();
        let (weight, delta) = (self.rho * trace(&about) / trace(&local), 1e-8 * trace(&total) / m as f64);
        let within = Matrix::from_fn(m, m, |row, col| {
            about[(row, col)] + weight * local[(row, col)] + if row == col { delta } else { 0.0 }
        });
        (total, within)
    }
}

fn trace_of(a: &Matrix, w: &Matrix) -> f64 {
    dot(product(Plain(a), Plain(w)).as_slice(), w.as_slice())
}

#[test]
fn scatters_and_ratio_are_their_sums() {
    for (rows, cols) in [(20, 7), (8, 15)] {
        let case = case(rows, cols);
        let (scatters, centres) = case.scatters();
        let (total, within) = case.plain(&centres);
        let (found_total, found_within) = scatters.diagonals();
        for at in 0..cols {
            assert!(
                (found_total[at] - total[(at, at)]).abs() < 1e-12
                    && (found_within[at] - within[(at, at)]).abs() < 1e-12
            );
        }
        let w = random(cols, 3, 5);
        let ratio = trace_of(&total, &w) / trace_of(&within, &w);
        assert!((scatters.ratio(&w) / ratio - 1.0).abs() < 1e-12);
    }
}

/// The product with A, its shift, the shares of the proxy, and the eigenvectors within some columns.
#[test]
fn projections_agree_with_the_plain_difference() {
    for (rows, cols) in [(20, 7), (8, 15), (5, 30)] {
        let case = case(rows, cols);
        let (scatters, centres) = case.scatters();
        let (total, within) = case.plain(&centres);
        let ratio = 0.9;
        let mut a = Matrix::from_fn(cols, cols, |row, col| total[(row, col)] - ratio * within[(row, col)]);
        a.shift_diagonal((-symmetric_eigenvalues(&a).unwrap()[0]).max(0.0));
        let space = case.space(cols - 2, 2);
        let difference = space.difference(&scatters, ratio).unwrap();
        let w = random_orthonormal(cols, 2, &mut ChaCha8Rng::seed_from_u64(4)).unwrap();
        let (image, wanted) = (difference.times(&w), product(Plain(&a), Plain(&w)));
        assert!(image.as_slice().iter().zip(wanted.as_slice()).all(|(x, y)| (x - y).abs() < 1e-9), "{rows} x {cols}");

        let inverse = SymmetricEigen::new(&product(Transposed(&w), Plain(&wanted))).unwrap().apply(|value| 1.0 / value);
        let proxy = product(Plain(&product(Plain(&wanted), Plain(&inverse))), Transposed(&wanted));
        let found = space.proxies_of(&scatters, ratio, &w).unwrap();
        for (feature, block) in case.blocks.iter().enumerate() {
            let share: f64 = block.clone().map(|at| proxy[(at, at)]).sum();
            assert!((found[feature] - share).abs() < 1e-8 * share.abs().max(1.0), "{} {share}", found[feature]);
        }

        for columns in [(0..4).collect::<Vec<usize>>(), (0..cols - 1).step_by(2).collect(), (1..cols).collect()] {
            let part = Matrix::from_fn(columns.len(), columns.len(), |row, col| a[(columns[row], columns[col])]);
            let values = SymmetricEigen::new(&part).unwrap().values;
            for d in 1..=columns.len() {
                let found = difference.leading(&columns, d).unwrap();
                let gram = inner_gram(&found);
                let square = |at: usize| f64::from(u8::from(at.is_multiple_of(d + 1)));
                assert!((0..d * d).all(|at| (gram.as_slice()[at] - square(at)).abs() < 1e-9), "orthonormal");
                let most: f64 = values[columns.len() - d..].iter().sum();
                assert!((trace_of(&part, &found) - most).abs() < 1e-8, "{rows} x {cols}, {columns:?}, {d}");
            }
        }
    }
}

#[test]
fn rounds_raise_the_trace_and_keep_the_number_of_features() {
    for (rows, cols) in [(20, 7), (8, 15), (5, 30)] {
        let case = case(rows, cols);
        let (scatters, centres) = case.scatters();
        let (total, within) = case.plain(&centres);
        let space = case.space(4, 2);
        for seed in 0..5 {
            let part = random_orthonormal(5, 2, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
            let w = subspace::spread(&part, &subspace::columns_of(&[0, 2, 3, 4], &case.blocks), cols);
            let ratio = scatters.ratio(&w);
            let next = space.improved(&scatters, ratio, &w).unwrap();
            let gain = trace_of(&total, &next) - ratio * trace_of(&within, &next);
            assert!(gain > 0.0 && scatters.ratio(&next) > ratio, "{gain}");
            assert_eq!(block_lengths(&next, &case.blocks).iter().filter(|length| **length > 0.0).count(), 4);
        }
    }
}

#[test]
fn neighbours_are_of_the_same_class_and_the_graph_is_symmetric() {
    let x = Matrix::from_fn(6, 1, |row, _| [0.0, 1.0, 0.1, 5.0, 2.5, 0.2][row]);
    let graph = graph::within_classes(&x, &[vec![0, 1, 3, 4], vec![2, 5]], 1);
    // 0 and 1 are each other's nearest, 4 is slightly nearer to 1 than to 3, 3 is nearest to 4.
    assert_eq!(graph, [vec![1], vec![0, 4], vec![5], vec![4], vec![1, 3], vec![2]]);
    let all = graph::within_classes(&x, &[vec![0, 1, 3, 4], vec![2, 5], vec![]], 9);
    assert_eq!((all[0].clone(), all[2].clone()), (vec![1, 3, 4], vec![5]));
}

#[test]
fn a_step_of_k_means_never_widens_and_leaves_no_centre_empty() {
    let x = random(31, 3, 6);
    let classes = vec![(0..20).collect::<Vec<usize>>(), (20..29).collect(), vec![29, 30]];
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut centres = Centres::start(&x, &classes, 4, &mut rng);
    assert_eq!(centres.count(), 4 + 4 + 2, "no more centres than rows");
    let graph = graph::within_classes(&x, &classes, 1);
    for seed in 0..10 {
        let z = random(31, 2, 100 + seed);
        let spread = |centres: &Centres| 1.0 / Scatters::new(&z, &graph, centres.clone(), 0.0).ratio(&identity(2));
        for _ in 0..5 {
            let before = spread(&centres);
            centres.step(&z, &mut rng);
            assert!(spread(&centres) <= before * (1.0 + 1e-12));
            assert!(centres.sizes().iter().all(|size| *size > 0));
            assert!(
                centres.of_row[..20].iter().all(|centre| *centre < 4) && centres.of_row[29..].iter().all(|c| *c >= 8)
            );
        }
    }
    // Equal rows give empty centres, which then get a row.
    let still = Centres::start(&Matrix::zeros(31, 3), &classes, 4, &mut rng);
    assert!(still.sizes().iter().all(|size| *size > 0));
}

fn identity(order: usize) -> Matrix {
    let mut identity = Matrix::zeros(order, order);
    identity.shift_diagonal(1.0);
    identity
}
