//! What models and matches cost, against marks to stay under.

use errare_choice::{Competence, Grid, Kappa, Prior};
use errare_endgame::{
    AgentSetting, Analysis, Ending, EnginePools, Habits, MarkovModel, Match, MatchGame, MatchStart, Model, Oracle,
    Schedule,
};
use errare_tables::usage::Stopwatch;
use errare_tables::{Library, Material, Metric, Tables, parse_fen};
use errare_work::Silent;
use shakmaty::{ByColor, Color};
use std::collections::BTreeMap;
use std::sync::Arc;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = tempfile::tempdir()?;
    let tables = Tables::new(Library::new(folder.path()), 4 << 30);
    println!("{:44} {:>8} {:>8} {:>10}", "", "CPU s", "wall s", "mark");
    matrices(&tables, "KQKR", 50, "2 CPU s")?;
    matrices(&tables, "KBBKN", 10, "30 CPU s")?;
    games(&tables, 2000)
}

fn tell(what: &str, watch: &Stopwatch, mark: &str) {
    let (wall, cpu) = watch.elapsed();
    println!("{what:44} {:8.2} {:8.2} {mark:>10}", cpu.as_secs_f64(), wall.as_secs_f64());
}

/// Matrices and lengths for so many competences, the table being there.
fn matrices(tables: &Tables, name: &str, count: usize, mark: &str) -> Outcome {
    let material: Material = name.parse()?;
    for needed in std::iter::once(material).chain(material.conversions()).filter(|material| material.men() > 2) {
        tables.ensure(needed, Metric::Dtc, &Silent)?;
    }
    let competences: Vec<Competence> = (0..count).map(|c| Competence::new(c as f64)).collect::<Result<_, _>>()?;
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let watch = Stopwatch::start();
    let markov =
        MarkovModel::new(tables.library(), material, Metric::Dtc, Color::White, &model, &competences, &Silent)?;
    for lane in 0..count {
        markov.matrix(lane)?;
    }
    tell(&format!("{name}: matrices for {count} competences"), &watch, mark);
    Ok(())
}

/// R_20 against the infallible, both assessed.
fn games(tables: &Tables, count: u64) -> Outcome {
    let oracle = Arc::new(Oracle::new(Arc::clone(tables.library()) as _, Metric::Dtc));
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let analysis = Analysis::new(model.clone(), Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?;
    let start = parse_fen("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1")?;
    let contest = Match {
        oracle: Arc::clone(&oracle),
        agents: ByColor { white: "player:20".parse()?, black: "infallible".parse()? },
        setting: AgentSetting { model, analysis: analysis.clone(), rule: None, posteriors: BTreeMap::new() },
        analysis,
        engines: EnginePools::new(),
        starts: vec![MatchStart { ending: Ending::usual(Metric::Dtc, oracle.state(&start)?), position: start }],
        schedule: Schedule { starts: 1, games: count, both_colours: false },
        seed: 1,
        keep_moves: false,
    };
    let watch = Stopwatch::start();
    let games: Vec<MatchGame> = contest.play_all(0..count, &Silent)?;
    tell(&format!("KQKR: {} games of R_20, assessed", games.len()), &watch, "2 wall s");
    Ok(())
}
