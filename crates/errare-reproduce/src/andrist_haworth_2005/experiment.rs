//! Section 6 and Table 1: 2,000 games of R_20 against R_inf.

use crate::bench::{Bench, analysis, position};
use crate::browne_belle::STARTS;
use crate::compare::PrintedNumber;
use crate::error::{ReproduceError, Result};
use crate::finding::{Finding, Verdict};
use crate::list::Item;
use crate::markov::contests;
use crate::numerals::{decimals, listed, numbers};
use crate::study::Study;
use errare_choice::{Competence, Grid, Kappa, Posterior, Prior};
use errare_endgame::{
    AgentSetting, AgentSpec, EndgameError, Ending, EnginePools, Habits, Match, MatchStart, Model, Moments, Schedule,
    Ties,
};
use errare_tables::Metric;
use shakmaty::{ByColor, Color, Position, Role};
use std::collections::BTreeMap;

pub const STUDY: Study = Study {
    name: "2,000 games of R_20",
    is_quick: false,
    covers: |id| {
        id.starts_with("001-table-1-")
            || ["001-6-theory", "001-6-identified", "001-6-afresh", "001-6-fn-7"].contains(&id)
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run,
};

/// The facts about a game that Table 1 needs.
pub struct GameFacts {
    pub start: usize,
    pub moves: f64,
    pub apparent: f64,
    /// The logarithm of the likelihood of White's moves at each point of the grid; empty unless asked for.
    pub log_likelihoods: Vec<f64>,
}

const SEED: u64 = 1;
const GAMES: u64 = 1000;
const WHY: &str = "our games: 1,000 from each start, kappa 1, seed 1, a defender who chooses evenly among equals";

/// Plays games from both Browne-BELLE starts.
pub fn experiment(bench: &Bench<'_>, white: AgentSpec, black: AgentSpec, games: u64) -> Result<Vec<GameFacts>> {
    played(bench, white, black, games, false)
}

fn played(
    bench: &Bench<'_>,
    white: AgentSpec,
    black: AgentSpec,
    games: u64,
    keep_moves: bool,
) -> Result<Vec<GameFacts>> {
    let oracle = bench.oracle(Metric::Dtc);
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let analysis = analysis(Kappa::ONE, 0.0, 1.0, 50.0)?;
    let mut starts = Vec::new();
    for fen in STARTS {
        let position = position(fen)?;
        let ending = Ending::usual(Metric::Dtc, oracle.state(&position)?);
        starts.push(MatchStart { position, ending });
    }
    let setting = AgentSetting { model, analysis: analysis.clone(), rule: None, posteriors: BTreeMap::new() };
    let schedule = Schedule { starts: starts.len(), games, both_colours: false };
    let agents = ByColor { white, black };
    let the_match = Match {
        oracle: oracle.clone(),
        agents,
        engines: EnginePools::new(),
        setting,
        analysis: analysis.clone(),
        starts,
        schedule,
        seed: SEED,
        keep_moves,
    };
    let total = schedule.total().unwrap_or(0);
    let mut facts = Vec::new();
    for game in the_match.play_all(0..total, bench.progress)? {
        let broken = |_| ReproduceError::Internal("a game without engines broke");
        let played = game.result.map_err(broken)?;
        let mut log_likelihoods = Vec::new();
        if keep_moves {
            let mut at = the_match.starts[game.slot.start].position.clone();
            log_likelihoods = vec![0.0; 51];
            for &mv in &played.moves {
                if at.turn() == Color::White {
                    let options = oracle.options(&at)?;
                    let place = options.find(mv).ok_or(ReproduceError::Internal("a game has an illegal move"))?;
                    let of_move = analysis.log_likelihoods(&options, place)?;
                    log_likelihoods.iter_mut().zip(of_move).for_each(|(sum, log)| *sum += log);
                }
                at.play_unchecked(mv);
            }
        }
        facts.push(GameFacts {
            start: game.slot.start,
            moves: f64::from(played.length()),
            apparent: played.apparent.white,
            log_likelihoods,
        });
    }
    Ok(facts)
}

/// Computes the mean, the deviation and the extremes of some numbers.
pub fn tally(numbers: impl IntoIterator<Item = f64>) -> Moments {
    let mut moments = Moments::default();
    numbers.into_iter().for_each(|number| moments.add(number));
    moments
}

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let keep = items.iter().any(|item| item.id == "001-6-identified");
    let player = AgentSpec::Player(Competence::from(20));
    let games = played(bench, player.clone(), AgentSpec::Infallible(Ties::UNIFORM), GAMES, keep)?;
    items.iter().map(|item| finding(bench, &games, &player, item)).collect()
}

/// Groups the games: those of the first start, those of the second, and all of them.
fn groups(games: &[GameFacts]) -> [Vec<&GameFacts>; 3] {
    [Some(0), Some(1), None]
        .map(|start| games.iter().filter(|game| start.is_none_or(|start| game.start == start)).collect())
}

fn finding(bench: &Bench<'_>, games: &[GameFacts], player: &AgentSpec, item: &Item) -> Result<Finding> {
    let groups = groups(games);
    let apparent = groups.each_ref().map(|group| tally(group.iter().map(|game| game.apparent)));
    let moves = groups.each_ref().map(|group| tally(group.iter().map(|game| game.moves)));
    let se = |moments: &Moments| moments.sd() / (moments.count as f64).sqrt();
    let finding = match item.id {
        "001-table-1-min-c" => extremes(item, &groups, |game| game.apparent, false)?,
        "001-table-1-max-c" => extremes(item, &groups, |game| game.apparent, true)?,
        "001-table-1-min-moves" => extremes(item, &groups, |game| game.moves, false)?,
        "001-table-1-max-moves" => extremes(item, &groups, |game| game.moves, true)?,
        "001-table-1-mean-c" => estimates(item, apparent.map(|m| (m.mean, se(&m))))?,
        "001-table-1-mean-moves" => estimates(item, moves.map(|m| (m.mean, se(&m))))?,
        "001-6-afresh" => estimates(item, [(apparent[2].mean, se(&apparent[2]))])?,
        "001-table-1-sd-c" => {
            estimates(item, groups.each_ref().map(|group| deviation(group.iter().map(|game| game.apparent))))?
        }
        "001-table-1-sd-moves" => {
            let sds = groups.each_ref().map(|group| deviation(group.iter().map(|game| game.moves)));
            return Ok(estimates(item, sds)?.because(format!("{WHY}. {}", squares(bench, player, games)?)));
        }
        "001-table-1-se-c" => {
            estimates(item, groups.each_ref().map(|group| of_mean(group.iter().map(|game| game.apparent))))?
        }
        "001-table-1-se-moves" => {
            estimates(item, groups.each_ref().map(|group| of_mean(group.iter().map(|game| game.moves))))?
        }
        "001-table-1-z-c" => {
            let z = apparent.map(|m| (((m.mean - 20.0) / se(&m)).abs(), 1.0));
            estimates(item, z)?
        }
        "001-table-1-arithmetic" => return arithmetic(item),
        "001-6-theory" => {
            let (_, chains) = contests(bench, "KQKR", &[20.0])?;
            let chain = chains.first().ok_or(ReproduceError::Internal("a model without a lane"))?.chain();
            let expected = chain.solve().map_err(EndgameError::from)?.lengths[31];
            let z = (moves[2].mean - expected) / se(&moves[2]);
            let computed = format!(
                "{} (standard deviation of the mean {}) against {}: {} standard deviations apart",
                decimals(moves[2].mean, 2),
                decimals(se(&moves[2]), 3),
                decimals(expected, 2),
                decimals(z, 1)
            );
            Finding::fact(item, z.abs() < 3.0, computed)
        }
        "001-6-identified" => {
            let mut posterior = Posterior::new(Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?;
            for game in games {
                let _ = posterior.observe(&game.log_likelihoods)?;
            }
            Finding::numbers(item, &[posterior.mean()])?
        }
        "001-6-fn-7" => thirds(item, games),
        _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    };
    Ok(finding.because(WHY))
}

/// Compares estimates, given with their standard errors, with printed ones of as many games: each agrees if it is
/// within three standard errors of the difference, by the scatter of our games.
fn estimates<const N: usize>(item: &Item, ours: [(f64, f64); N]) -> Result<Finding> {
    let printed = PrintedNumber::all(item.printed).ok_or(ReproduceError::Internal("an item prints no numbers"))?;
    let finding = Finding::numbers(item, &ours.map(|(value, _)| value))?;
    let is_near = |at: usize| {
        let (value, se) = ours[at];
        (value - printed[at].value).abs() <= 3.0 * se * std::f64::consts::SQRT_2 || printed[at].agrees(value)
    };
    let verdict = if (0..N).all(is_near) { Verdict::Agrees } else { Verdict::Differs };
    Ok(Finding { verdict, ..finding })
}

/// Describes the root mean squares of the lengths of games, which the printed deviations may be.
fn squares(bench: &Bench<'_>, player: &AgentSpec, games: &[GameFacts]) -> Result<String> {
    let square = |games: &[GameFacts]| tally(games.iter().map(|game| game.moves.powi(2))).mean.sqrt();
    let mut texts = Vec::new();
    for (name, first) in [("by chance", false), ("always the first", true)] {
        let ties = Ties { pieces: vec![Role::Rook], first };
        let others = experiment(bench, player.clone(), AgentSpec::Infallible(ties), GAMES)?;
        let mean = tally(others.iter().map(|game| game.moves)).mean;
        texts.push(format!("{} (mean length {}) if {name}", decimals(square(&others), 2), decimals(mean, 2)));
    }
    Ok(format!(
        "The printed figure may be a root mean square: that of our games is {}; for a defender who prefers rook moves among equals, {}",
        decimals(square(games), 2),
        texts.join(", ")
    ))
}

/// The standard deviation of the mean of numbers, and its standard error.
fn of_mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let root = (numbers.clone().count() as f64).sqrt();
    let (sd, se) = deviation(numbers);
    (sd / root, se / root)
}

/// The standard deviation of numbers, and its standard error.
fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let moments = tally(numbers.clone());
    let (mean, sd, count) = (moments.mean, moments.sd(), moments.count as f64);
    let fourth = numbers.map(|number| ((number - mean) / sd).powi(4)).sum::<f64>() / count;
    (sd, sd * ((fourth - 1.0) / (4.0 * count)).sqrt())
}

/// Compares the least or greatest of our games with the printed one: it agrees if at most six of our games lie beyond
/// it.
fn extremes(
    item: &Item,
    groups: &[Vec<&GameFacts>; 3],
    value: fn(&GameFacts) -> f64,
    greatest: bool,
) -> Result<Finding> {
    let printed = PrintedNumber::all(item.printed).ok_or(ReproduceError::Internal("an item prints no numbers"))?;
    let ours = groups.each_ref().map(|group| {
        let moments = tally(group.iter().map(|game| value(game)));
        if greatest { moments.max } else { moments.min }
    });
    let is_beyond = |found: f64, limit: f64| if greatest { found > limit } else { found < limit };
    let beyond: Vec<usize> = groups
        .iter()
        .zip(&printed)
        .map(|(group, printed)| group.iter().filter(|game| is_beyond(value(game), printed.value)).count())
        .collect();
    let finding = Finding::numbers(item, &ours)?;
    let verdict = if beyond.iter().all(|&count| count <= 6) { Verdict::Agrees } else { Verdict::Differs };
    let computed = format!("{}; games of ours beyond the printed ones: {}", finding.computed, listed(&beyond));
    Ok(Finding { verdict, computed, ..finding })
}

/// Checks the lines of Table 1 that follow from others.
fn arithmetic(item: &Item) -> Result<Finding> {
    let games = [1000.0_f64, 1000.0, 2000.0];
    let (means, sds, moves) = ([21.318, 21.620, 21.469], [3.345, 3.695, 3.524], [102.951, 102.273, 102.587]);
    let se: Vec<f64> = (0..3).map(|at| sds[at] / games[at].sqrt()).collect();
    // The paper divides by the rounded standard deviation of the mean.
    let z = (0..3).map(|at: usize| (means[at] - 20.0) / ((se[at] * 1000.0).round() / 1000.0));
    let of_moves = (0..3).map(|at: usize| moves[at] / games[at].sqrt());
    let computed: Vec<f64> = se.iter().copied().chain(z).chain(of_moves).collect();
    Ok(Finding::numbers(item, &computed)?.because("from the printed means, deviations and numbers of games"))
}

/// Compares games by length: the shortest third, the middle, the longest.
fn thirds(item: &Item, games: &[GameFacts]) -> Finding {
    let mut by_length: Vec<&GameFacts> = games.iter().collect();
    by_length.sort_by(|one, two| one.moves.total_cmp(&two.moves));
    let third = by_length.len() / 3;
    let parts = [&by_length[..third], &by_length[third..2 * third], &by_length[2 * third..]];
    let moments = parts.map(|part| tally(part.iter().map(|game| game.apparent)));
    let means = moments.map(|part| part.mean);
    let sds = moments.map(|part| part.sd());
    let computed = format!(
        "shortest, middle and longest third of the games: mean apparent c {}, standard deviation {}",
        numbers(means, 2),
        numbers(sds, 2)
    );
    let falls = |values: [f64; 3]| values.is_sorted_by(|one, two| one > two);
    Finding::fact(item, falls(means) && falls(sds), computed)
}
