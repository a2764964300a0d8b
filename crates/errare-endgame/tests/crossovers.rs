//! Which move is best against whom: Figures 4 to 7 of Haworth (2003).

use crate::support::{number, oracle, position, rows};
use errare_endgame::{Habits, Model, Scope, Sweep, Sweeper};
use errare_tables::Metric;
use errare_work::Silent;
use shakmaty::san::SanPlus;

/// The sweep of a position over c from 0 to 50, and the moves by name.
fn sweep(fen: &str, kappa: &str, scope: Scope) -> (Sweep, Vec<String>) {
    let oracle = oracle("KQKR", Metric::Dtc);
    let kappa = kappa.parse().expect("a kappa");
    let model = Model::power_law(kappa, Habits::holding_value());
    let options = oracle.options(&position(fen)).expect("options");
    let sweeper = Sweeper { oracle, model, plies: 2, scope };
    let sweep = sweeper.sweep(&options, &[0.0, 25.0, 50.0], &Silent).expect("a sweep");
    let names = options
        .candidates
        .iter()
        .map(|candidate| SanPlus::from_move(options.position.clone(), candidate.choice().mv).to_string());
    (sweep, names.collect())
}

#[test]
fn crossovers_as_another_program_has_them() {
    let facts = rows(include_str!("data/crossovers.csv"));
    let mut checked = 0;
    let mut groups: Vec<(&str, &str)> = facts.iter().map(|row| (row[1], row[2])).collect();
    groups.dedup();
    for (fen, kappa) in groups {
        let speculative = facts.iter().any(|row| row[1] == fen && row[0] == "J1-1b");
        let (sweep, names) = sweep(fen, kappa, if speculative { Scope::All } else { Scope::Optimal });
        let expected = facts.iter().filter(|row| row[1] == fen && row[2] == kappa);
        for row in expected.clone() {
            let found = sweep.crossovers.iter().filter(|c| names[c.below] == row[3] && names[c.above] == row[4]);
            let near = found.map(|c| (c.competence - number::<f64>(row[5])).abs()).fold(f64::INFINITY, f64::min);
            assert!(near < 1e-6, "{} at kappa {kappa}: {} to {}", row[0], row[3], row[4]);
            checked += 1;
        }
        if !speculative {
            assert_eq!(sweep.crossovers.len(), expected.count(), "{fen} {kappa}");
        }
    }
    assert_eq!(checked, facts.len());
}

/// The figures as recomputed: BB2-10b 5.97; BB2-12b 15.8 and 31.2; BB2-24b 4.0 and 26.3; J1-1b 2.41.
#[test]
fn who_is_met_with_what() {
    let reigns = |fen: &str, scope: Scope| -> Vec<(String, String)> {
        let (sweep, names) = sweep(fen, "0+", scope);
        let names = |places: &[usize]| places.iter().map(|&place| names[place].clone()).collect::<Vec<_>>().join(" ");
        sweep.best.iter().map(|reign| (format!("{:.2}", reign.to), names(&reign.places))).collect()
    };
    let expect = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|&(to, name)| (to.to_owned(), name.to_owned())).collect()
    };
    let optimal = Scope::Optimal;
    assert_eq!(reigns("8/8/6Q1/2K5/5r2/4k3/8/8 b", optimal), expect(&[("5.97", "Ra4"), ("50.00", "Re4")]));
    assert_eq!(
        reigns("8/8/8/2K5/r7/2Q5/4k3/8 b", optimal),
        expect(&[("15.81", "Rf4"), ("31.20", "Re4"), ("50.00", "Rg4")])
    );
    assert_eq!(
        reigns("8/5r2/8/7k/4K3/6Q1/8/8 b", optimal),
        expect(&[("4.02", "Rb7"), ("26.27", "Rf6"), ("50.00", "Rb7")])
    );
    assert_eq!(reigns("8/8/r7/2Q2k2/8/4K3/8/8 b", Scope::All), expect(&[("2.41", "Kf6"), ("50.00", "Kg6")]));
    // Figure 4, and the text: Rf7 and Re1 dominate.
    assert_eq!(reigns("8/8/8/5r2/4K1k1/4Q3/8/8 b", optimal), expect(&[("50.00", "Rf7")]));
    assert_eq!(reigns("8/8/3K4/8/4rk2/3Q4/8/8 b", optimal), expect(&[("50.00", "Re1")]));
    assert_eq!(reigns("4r3/8/5Q2/3K4/6k1/8/8/8 b", optimal), expect(&[("50.00", "Re1")]));
}
