//! `errare choose`.

use crate::Verdict;
use crate::modelling::{AnalysisFlags, GridSpec, ModelFlags, Number, Opponent, ToldModel, opponent};
use crate::notation::{fen_of, san, state_of, uci};
use crate::output::{Format, Grid, Output, cell};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use crate::sources::Sources;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use errare_choice::{Competence, pick};
use errare_endgame::{
    Agent, Belief, Emulator, Hold, Infallible, Judgement, Levy, Options, Oracle, Player, Predator, Scope, Strategist,
    Strategy, StrategyError, Sweep, Sweeper, Ties,
};
use errare_figures::{Axis, LineChart, Mark, Series};
use errare_tables::{Material, Metric, tables_after, tables_to_mate};
use errare_work::{Silent, write_whole};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::Serialize;
use shakmaty::Position;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Let an agent choose a move, and show how it compares the moves
///
/// player: R_c, by chance. predator: the best expectation after the reply of a fallible opponent (--opponent). emulator:
/// the move after which it looks most like R_c. infallible: an optimal move. levy: in a drawn position, the move after
/// which a careless opponent most likely goes wrong. strategy:S...: a move that a strategy such as SZ, SMC or SR3* allows,
/// with the halfmove clock of the FEN counting towards the rule (see `errare line --help`).
///
/// The state of a move is the depth of the position it leads to, in moves of the winner. The preference is S_c of that
/// state. The expectation is what the agent compares moves by: an expected depth in moves, in drawn positions the
/// chance that the opponent gives up the draw, for the emulator the competence it would seem to have.
///
/// With --sweep the predator's expectations are shown against opponents of a range of competences, with the
/// crossovers between moves: which move is best against whom.
///
/// JSON: {"fen", "agent", "model", "seed", "move": {"uci", "san"}, "figure", "candidates": [{"uci", "san", "outcome",
/// "depth", "preference", "log_preference", "probability", "expectation"}], "sweep": {"competences", "moves": [{"uci",
/// "san", "expectations"}], "crossovers": [{"below", "above", "competence"}], "best": [{"from", "to", "moves"}]}}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare choose 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --agent player --competence 20
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator --opponent 20 --keep-value --kappa 0+
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --sweep 0:50 --keep-value --kappa 0+ --svg figure5.svg
  errare choose '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --agent levy --depth 4
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator --opponent inf --opponent-metric dtm --scope keeping
  errare choose '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --agent strategy:SMC")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// Who chooses [default: player; predator with --sweep]
    #[arg(long, value_name = "AGENT")]
    agent: Option<Kind>,
    /// The competence of a player or emulator: a number, inf or -inf
    #[arg(long, short, allow_hyphen_values = true, value_name = "C")]
    competence: Option<Competence>,
    /// The predator's opponent: a competence, or a file with a posterior as `assess` writes it
    #[arg(long, allow_hyphen_values = true, value_name = "C|FILE")]
    opponent: Option<String>,
    /// The metric that the predator's opponent plays to [default: --metric]
    #[arg(long, value_name = "METRIC")]
    opponent_metric: Option<Metric>,
    /// Number of plies that predator and levy look ahead, an even number
    #[arg(long, default_value_t = 2, value_name = "PLIES")]
    depth: u16,
    /// Which moves the predator considers: optimal, keeping (the theoretical value) or all
    #[arg(long, default_value_t, value_name = "MOVES")]
    scope: Scope,
    /// Probability that levy's opponent makes each losing move
    #[arg(long, default_value_t = 0.01, value_name = "P")]
    error: f64,
    /// Compare moves against opponents of these competences, as 0:50 or 0:0.5:50
    #[arg(long, allow_hyphen_values = true, value_name = "MIN[:STEP]:MAX")]
    sweep: Option<GridSpec>,
    /// Write a chart of the sweep as SVG
    #[arg(long, requires = "sweep", value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    rule: RuleFlags,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    analysis: AnalysisFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The kinds of agent that can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Player,
    Predator,
    Emulator,
    Infallible,
    Levy,
    Strategy(Strategy),
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        if let Some(strategy) = text.strip_prefix("strategy:") {
            return strategy.parse().map(Kind::Strategy).map_err(|error: StrategyError| error.to_string());
        }
        let kinds = [Kind::Player, Kind::Predator, Kind::Emulator, Kind::Infallible, Kind::Levy];
        kinds.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            format!("invalid agent `{text}`: expected player, predator, emulator, infallible, levy or a strategy such as strategy:SZ")
        })
    }
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::Strategy(_) => "strategy",
            Kind::Player => "player",
            Kind::Predator => "predator",
            Kind::Emulator => "emulator",
            Kind::Infallible => "infallible",
            Kind::Levy => "levy",
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let kind = flags.agent.clone().unwrap_or(if flags.sweep.is_some() { Kind::Predator } else { Kind::Player });
    if flags.sweep.is_some() && kind != Kind::Predator {
        bail!("--sweep works with the predator only: leave out --agent {}", kind.name());
    }
    let sources = Sources::open(settings, flags.model.source.as_ref())?;
    let metric = sources.metric(flags.model.metric);
    let position = sources.position(&flags.fen.join(" "))?;
    if position.legal_moves().is_empty() {
        bail!("the game is over: {} has no legal move", crate::depth::side(position.turn()));
    }
    let (material, _) = Material::of_board(position.board());
    let agent = Chooser::new(&kind, &flags)?;
    let metrics: Vec<Metric> = match &kind {
        Kind::Strategy(strategy) => [metric, Metric::Dtz].into_iter().chain(strategy.metrics()).collect(),
        _ => [metric].into_iter().chain(flags.opponent_metric).collect(),
    };
    // An agent that looks ahead may look past a conversion and the recapture.
    let needed = match kind {
        Kind::Predator | Kind::Levy => tables_to_mate(material, metrics),
        _ => tables_after(material, &metrics),
    };
    let (options, judgement, sweep) = sources.work_with(&needed, || {
        let oracle = Arc::new(Oracle::new(sources.source(), metric));
        let options = oracle.options(&position)?;
        let judgement = agent.judge(&oracle, &options)?;
        let sweep = match &flags.sweep {
            None => None,
            Some(GridSpec(grid)) => {
                let model = flags.model.model(Hold::Nothing);
                let sweeper = Sweeper { oracle: Arc::clone(&oracle), model, plies: flags.depth, scope: flags.scope };
                Some(sweeper.sweep(&options, &grid.points().collect::<Vec<f64>>(), sources.progress())?)
            }
        };
        Ok((options, judgement, sweep))
    })?;
    let answer = Answer::new(&flags, &kind, metric, &options, &judgement, sweep.as_ref())?;
    if let (Some(path), Some(sweep)) = (&flags.svg, &sweep) {
        write_whole(path, chart(&options, sweep, &answer).svg())?;
    }
    answer.print(flags.format, judgement.figure.map(|figure| figure.name()))?;
    Ok(Verdict::Clean)
}

/// An agent with its parameters, checked before any table is built.
enum Chooser {
    Player(Player),
    Predator(Predator),
    Emulator(Emulator),
    Infallible(Infallible),
    Levy(Levy),
    Strategist(Strategist),
}

impl Chooser {
    fn new(kind: &Kind, flags: &Flags) -> Result<Chooser> {
        let model = flags.model.model(Hold::Nothing);
        let competence = || {
            flags.competence.ok_or_else(|| anyhow!("{} needs a competence: give --competence, as in 20", kind.name()))
        };
        Ok(match kind {
            Kind::Player => Chooser::Player(Player::new(model, competence()?)),
            Kind::Emulator => Chooser::Emulator(Emulator::new(model, competence()?.value())?),
            Kind::Infallible => Chooser::Infallible(Infallible::new(Ties::UNIFORM)),
            Kind::Levy => Chooser::Levy(Levy::new(flags.depth, flags.error)?),
            Kind::Strategy(strategy) => Chooser::Strategist(Strategist::new(strategy.clone(), flags.rule.moves())),
            Kind::Predator => {
                let belief = match (&flags.opponent, &flags.sweep) {
                    (Some(text), _) => match opponent(text)? {
                        Opponent::Point(competence) => Belief::point(model, competence),
                        Opponent::Posterior(posterior) => Belief::posterior(model, &posterior),
                    },
                    // Nothing is known of the opponent, so the prior is used.
                    (None, _) => {
                        let analysis = flags.analysis.analysis(model)?;
                        analysis.belief(analysis.prior())
                    }
                };
                let belief = flags.opponent_metric.map_or(belief.clone(), |metric| belief.in_metric(metric));
                Chooser::Predator(Predator::new(belief, flags.depth, flags.scope)?)
            }
        })
    }

    /// Judges the moves with a copy of the agent, so that it can be asked again.
    fn judge(&self, oracle: &Oracle, options: &Options) -> Result<Judgement, errare_endgame::EndgameError> {
        match self {
            Chooser::Player(agent) => agent.clone().judge(oracle, options, &Silent),
            Chooser::Predator(agent) => agent.clone().judge(oracle, options, &Silent),
            Chooser::Emulator(agent) => agent.clone().judge(oracle, options, &Silent),
            Chooser::Infallible(agent) => agent.clone().judge(oracle, options, &Silent),
            Chooser::Levy(agent) => agent.clone().judge(oracle, options, &Silent),
            Chooser::Strategist(agent) => agent.clone().judge(oracle, options, &Silent),
        }
    }
}

#[derive(Debug, Serialize)]
struct Answer {
    fen: String,
    agent: String,
    /// Moves that the side to move may still make before a draw can be claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    mleft: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    competence: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<String>,
    model: ToldModel,
    seed: u64,
    #[serde(rename = "move")]
    chosen: Named,
    figure: Option<&'static str>,
    candidates: Vec<Judged>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Swept>,
}

#[derive(Clone, Debug, Serialize)]
struct Named {
    uci: String,
    san: String,
}

#[derive(Debug, Serialize)]
struct Judged {
    #[serde(flatten)]
    name: Named,
    outcome: &'static str,
    depth: Option<u16>,
    preference: Option<f64>,
    log_preference: Option<f64>,
    probability: f64,
    expectation: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Swept {
    competences: Vec<f64>,
    moves: Vec<SweptMove>,
    crossovers: Vec<Crossing>,
    best: Vec<Best>,
}

#[derive(Debug, Serialize)]
struct SweptMove {
    #[serde(flatten)]
    name: Named,
    expectations: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct Crossing {
    below: String,
    above: String,
    competence: f64,
}

#[derive(Debug, Serialize)]
struct Best {
    from: f64,
    to: f64,
    moves: Vec<String>,
}

impl Answer {
    fn new(
        flags: &Flags,
        kind: &Kind,
        metric: Metric,
        options: &Options,
        judgement: &Judgement,
        sweep: Option<&Sweep>,
    ) -> Result<Answer> {
        let name = |place: usize| {
            let mv = options.candidates[place].choice().mv;
            Named { uci: uci(mv), san: san(&options.position, mv) }
        };
        let draw = Pcg64::seed_from_u64(flags.seed).random();
        let chosen = pick(&judgement.probabilities, draw)
            .ok_or_else(|| anyhow!("internal error (a bug in errare): the agent gives no move a probability"))?;
        // Preferences are those of the agent, if it has a competence.
        let c = flags.competence.filter(|_| matches!(kind, Kind::Player | Kind::Emulator)).and_then(Competence::finite);
        let preference = flags.model.model(Hold::Nothing).preference(options.states)?;
        let mut candidates: Vec<(usize, Judged)> = Vec::new();
        for (place, candidate) in options.candidates.iter().enumerate() {
            let (outcome, depth) = state_of(candidate.state());
            let log_preference = c.map(|c| preference.log_preference(candidate.state(), c));
            let judged = Judged {
                name: name(place),
                outcome,
                depth,
                preference: log_preference.map(f64::exp).filter(|preference| preference.is_finite()),
                log_preference: log_preference.filter(|log| log.is_finite()),
                probability: judgement.probabilities[place],
                expectation: judgement.figures[place],
            };
            candidates.push((place, judged));
        }
        candidates.sort_by_key(|(place, _)| std::cmp::Reverse(options.candidates[*place].state()));
        let san = |place: &usize| name(*place).san;
        let sweep = sweep.map(|sweep| Swept {
            competences: sweep.competences.clone(),
            moves: sweep
                .places
                .iter()
                .zip(&sweep.figures)
                .map(|(&place, line)| SweptMove { name: name(place), expectations: line.clone() })
                .collect(),
            crossovers: sweep
                .crossovers
                .iter()
                .map(|cross| Crossing {
                    below: san(&cross.below),
                    above: san(&cross.above),
                    competence: cross.competence,
                })
                .collect(),
            best: sweep
                .best
                .iter()
                .map(|reign| Best { from: reign.from, to: reign.to, moves: reign.places.iter().map(san).collect() })
                .collect(),
        });
        Ok(Answer {
            fen: fen_of(&options.position),
            agent: match kind {
                Kind::Strategy(strategy) => format!("strategy:{strategy}"),
                _ => kind.name().to_owned(),
            },
            mleft: match kind {
                Kind::Strategy(_) => flags.rule.moves_left(&options.position),
                _ => None,
            },
            competence: flags.competence.map(Number::from),
            opponent: flags.opponent.clone(),
            model: flags.model.told(metric, Hold::Nothing),
            seed: flags.seed,
            chosen: name(chosen),
            figure: judgement.figure.map(|figure| figure.name()),
            candidates: candidates.into_iter().map(|(_, judged)| judged).collect(),
            sweep,
        })
    }

    fn print(&self, format: Format, figure: Option<&'static str>) -> Result<()> {
        let mut output = Output::stdout();
        match format {
            Format::Json => output.json(self)?,
            Format::Csv => output.csv(&self.sweep_grid().unwrap_or_else(|| self.grid(figure, false)))?,
            Format::Table => {
                output.line(&self.fen)?;
                output.line(&self.headline())?;
                output.line("")?;
                output.grid(&self.grid(figure, true))?;
                if let Some(swept) = &self.sweep {
                    output.line("")?;
                    swept.best.iter().try_for_each(|best| {
                        output.line(&format!(
                            "best for c from {:.2} to {:.2}: {}",
                            best.from,
                            best.to,
                            best.moves.join(", ")
                        ))
                    })?;
                    swept.crossovers.iter().try_for_each(|cross| {
                        output.line(&format!(
                            "{} gives way to {} at c = {:.2}",
                            cross.below, cross.above, cross.competence
                        ))
                    })?;
                }
            }
        }
        Ok(())
    }

    fn headline(&self) -> String {
        let who = match (&self.competence, &self.opponent) {
            (_, Some(opponent)) if self.agent == "predator" => format!("predator against {opponent}"),
            (Some(c), _) if matches!(self.agent.as_str(), "player" | "emulator") => {
                format!("{} of competence {c}", self.agent)
            }
            _ => match self.mleft {
                Some(left) => format!("{}, {left} moves left", self.agent),
                None => self.agent.clone(),
            },
        };
        format!("{} ({who}; {}; seed {})", self.chosen.san, self.model.sentence(), self.seed)
    }

    fn grid(&self, figure: Option<&'static str>, for_people: bool) -> Grid {
        let heading = if for_people { figure.unwrap_or("expectation") } else { "expectation" };
        let mut columns = vec!["move", "outcome", "depth", "preference", "probability", heading];
        if !for_people {
            columns.insert(0, "uci");
        }
        let number = |value: f64| if for_people { short(value) } else { value.to_string() };
        let mut grid = Grid::new(&columns);
        for judged in &self.candidates {
            let mut row = vec![
                judged.name.san.clone(),
                judged.outcome.to_owned(),
                cell(judged.depth),
                cell(judged.preference.map(number)),
                number(judged.probability),
                cell(judged.expectation.map(number)),
            ];
            if !for_people {
                row.insert(0, judged.name.uci.clone());
            }
            grid.push(row);
        }
        grid
    }

    /// A row for each competence and move.
    fn sweep_grid(&self) -> Option<Grid> {
        let swept = self.sweep.as_ref()?;
        let mut grid = Grid::new(&["competence", "uci", "move", "expectation"]);
        for (place, c) in swept.competences.iter().enumerate() {
            for mv in &swept.moves {
                grid.push([
                    c.to_string(),
                    mv.name.uci.clone(),
                    mv.name.san.clone(),
                    mv.expectations[place].to_string(),
                ]);
            }
        }
        Some(grid)
    }
}

/// Formats a number with the digits that people need.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-4 => format!("{value:.2e}"),
        size if size < 10.0 => format!("{value:.4}"),
        size if size < 1e6 => format!("{value:.3}"),
        _ => format!("{value:.3e}"),
    }
}

/// A line for each move over the opponent's competence, with marks where the best move changes.
fn chart(options: &Options, sweep: &Sweep, answer: &Answer) -> LineChart {
    let name = |place: usize| san(&options.position, options.candidates[place].choice().mv);
    let line = |(&place, figures): (&usize, &Vec<f64>)| {
        Series::line(name(place), sweep.competences.iter().copied().zip(figures.iter().copied()))
    };
    let on_top = |cross: &&errare_endgame::Crossover| {
        let ends = sweep.best.windows(2).map(|pair| pair[0].to);
        ends.into_iter().any(|end| (end - cross.competence).abs() < 1e-6)
    };
    LineChart {
        title: format!("{} ({})", answer.fen, answer.model.sentence()),
        x: Axis::linear("competence c of the opponent"),
        y: Axis::linear(format!("{} after the reply", sweep.figure.name())),
        series: sweep.places.iter().zip(&sweep.figures).map(line).collect(),
        marks: sweep
            .crossovers
            .iter()
            .filter(on_top)
            .map(|cross| Mark { x: cross.competence, label: format!("c = {:.2}", cross.competence) })
            .collect(),
    }
}
