//! What models and matches cost, against marks to stay under.

use errare_choice::{Competence, Grid, Kappa, Prior};
use errare_endgame::{Analysis, Ending, Habits, MarkovModel, Match, Model, Oracle, Played, Setting};
use errare_tables::usage::Stopwatch;
use errare_tables::{Builder, Library, Material, Metric, Silent, parse_fen};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = tempfile::tempdir()?;
    let library = Library::new(folder.path());
    println!("{:44} {:>8} {:>8} {:>10}", "", "CPU s", "wall s", "mark");
    matrices(&library, "KQKR", 50, "2 CPU s")?;
    matrices(&library, "KBBKN", 10, "30 CPU s")?;
    games(&library, 2000)
}

fn tell(what: &str, watch: &Stopwatch, mark: &str) {
    let (wall, cpu) = watch.elapsed();
    println!("{what:44} {:8.2} {:8.2} {mark:>10}", cpu.as_secs_f64(), wall.as_secs_f64());
}

/// Matrices and lengths for so many competences, the table being there.
fn matrices(library: &Library, name: &str, count: usize, mark: &str) -> Outcome {
    let material: Material = name.parse()?;
    let builder = Builder::new(library, &Silent, 4 << 30);
    for needed in std::iter::once(material).chain(material.conversions()).filter(|material| material.men() > 2) {
        builder.ensure(needed, Metric::Dtc)?;
    }
    let competences: Vec<Competence> = (0..count).map(|c| Competence::new(c as f64)).collect::<Result<_, _>>()?;
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let watch = Stopwatch::start();
    let markov = MarkovModel::new(library, material, Metric::Dtc, Color::White, &model, &competences, &|_, _| ())?;
    for lane in 0..count {
        markov.matrix(lane)?;
    }
    tell(&format!("{name}: matrices for {count} competences"), &watch, mark);
    Ok(())
}

/// R_20 against the infallible, both assessed.
fn games(library: &Library, count: u64) -> Outcome {
    let oracle = Oracle::new(library, Metric::Dtc);
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let analysis = Analysis::new(model.clone(), Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?;
    let start = parse_fen("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1")?;
    let contest = Match {
        oracle: &oracle,
        agents: ByColor { white: "player:20".parse()?, black: "infallible".parse()? },
        setting: Setting { model, analysis: analysis.clone(), rule: None },
        analysis,
        ending: Ending::usual(Metric::Dtc, oracle.state(&start)?),
        start,
        seed: 1,
        keep_moves: false,
    };
    let watch = Stopwatch::start();
    let games: Vec<Played> = (0..count).into_par_iter().map(|number| contest.play(number)).collect::<Result<_, _>>()?;
    tell(&format!("KQKR: {} games of R_20, assessed", games.len()), &watch, "2 wall s");
    Ok(())
}
