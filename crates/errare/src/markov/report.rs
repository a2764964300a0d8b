//! The results of `errare markov`.

use crate::modelling::{Number, ToldModel};
use crate::output::Grid;
use anyhow::Result;
use errare_choice::{Competence, State};
use errare_endgame::{Contest, MarkovModel};
use serde::Serialize;
use std::collections::BTreeMap;

/// The options that determine what is computed.
pub struct Asked {
    /// Numbers of moves within which to win, with those that are left of them.
    pub within: Vec<(u32, u32)>,
    pub after: Vec<u32>,
    pub passage: Option<u32>,
    pub from_depth: u16,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub material: String,
    pub side: &'static str,
    #[serde(flatten)]
    pub model: ToldModel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Number>,
    pub results: Vec<Outlook>,
}

#[derive(Debug, Serialize)]
pub struct Outlook {
    pub competence: Number,
    pub lengths: Vec<f64>,
    pub sd: Vec<f64>,
    pub win_within: BTreeMap<u32, Vec<f64>>,
    pub condition: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<FromDraw>,
    pub lost_lengths: Vec<f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub after: BTreeMap<u32, After>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage: Option<Passage>,
}

/// The end of a contest that begins in a drawn position.
#[derive(Debug, Serialize)]
pub struct FromDraw {
    pub length: f64,
    pub won: f64,
    pub lost: f64,
    pub drawn: f64,
}

/// The state of a contest after some number of moves.
#[derive(Debug, Serialize)]
pub struct After {
    pub from_depth: u16,
    /// The expected depth, given that the win is kept; finished wins count as depth 0.
    pub expected_depth: f64,
    pub states: Vec<f64>,
}

/// The chances to win a contest, by number of moves.
#[derive(Debug, Serialize)]
pub struct Passage {
    pub from_depth: u16,
    pub exactly: Vec<f64>,
    pub at_most: Vec<f64>,
}

impl Report {
    pub fn new(
        material: &str,
        side: &'static str,
        model: ToldModel,
        opponent: Option<Competence>,
        own: &MarkovModel,
        contests: &[Contest],
        asked: &Asked,
    ) -> Result<Report> {
        let outlook = |(contest, &competence): (&Contest, &Competence)| Outlook::new(competence, contest, asked);
        let results = contests.iter().zip(own.competences()).map(outlook).collect::<Result<_>>()?;
        Ok(Report { material: material.to_owned(), side, model, opponent: opponent.map(Number::from), results })
    }

    pub fn headline(&self) -> String {
        let opponent = match &self.opponent {
            Some(c) => format!("an opponent of competence {c}"),
            None => "an infallible opponent".to_owned(),
        };
        format!("{}, {} against {opponent} ({})", self.material, self.side, self.model.sentence())
    }

    pub fn notes(&self) -> Vec<String> {
        let condition = |outlook: &Outlook| format!("c = {}: condition {:.3e}", outlook.competence, outlook.condition);
        let draw = |outlook: &Outlook| {
            let free = self.model.hold == "nothing" || self.opponent.is_some();
            let draw = outlook.draw.as_ref().filter(|draw| free && (draw.lost > 0.0 || draw.won > 0.0))?;
            Some(format!(
                "; from a drawn position {:.1} moves to the end, won {:.4}, lost {:.4}, drawn for good {:.4}",
                draw.length, draw.won, draw.lost, draw.drawn
            ))
        };
        self.results.iter().map(|outlook| condition(outlook) + &draw(outlook).unwrap_or_default()).collect()
    }

    /// The results of --after and --passage, a row for each number of moves.
    pub fn passages(&self) -> Option<Grid> {
        let mut grid = Grid::new(&["c", "from depth", "moves", "expected depth", "won exactly then", "won by then"]);
        let mut is_empty = true;
        for outlook in &self.results {
            for (moves, after) in &outlook.after {
                is_empty = false;
                let depth = format!("{:.3}", after.expected_depth);
                let from = after.from_depth.to_string();
                grid.push([
                    outlook.competence.to_string(),
                    from,
                    moves.to_string(),
                    depth,
                    String::new(),
                    String::new(),
                ]);
            }
            for (moves, (exactly, at_most)) in
                outlook.passage.iter().flat_map(|passage| passage.exactly.iter().zip(&passage.at_most)).enumerate()
            {
                is_empty = false;
                let from = outlook.passage.as_ref().map_or_else(String::new, |passage| passage.from_depth.to_string());
                let chances = [format!("{exactly:.6}"), format!("{at_most:.6}")];
                let start = [outlook.competence.to_string(), from, moves.to_string(), String::new()];
                grid.push(start.into_iter().chain(chances));
            }
        }
        (!is_empty).then_some(grid)
    }

    /// A row for each competence and depth.
    pub fn grid(&self, for_people: bool) -> Grid {
        let first = self.results.first();
        let within: Vec<String> = first
            .map(|outlook| outlook.win_within.keys().map(|moves| format!("within {moves}")).collect())
            .unwrap_or_default();
        let mut columns: Vec<String> = ["c", "depth", "length", "sd"].map(str::to_owned).to_vec();
        columns.extend(within);
        let mut grid = Grid::with_columns(columns);
        let shown = |value: f64, digits: usize| match for_people {
            _ if value.is_infinite() => "infinite".to_owned(),
            true if value.abs() >= 1e9 => format!("{value:.6e}"),
            true => format!("{value:.digits$}"),
            false => value.to_string(),
        };
        for outlook in &self.results {
            for depth in 0..outlook.lengths.len() {
                let mut row = vec![
                    outlook.competence.to_string(),
                    depth.to_string(),
                    shown(outlook.lengths[depth], 3),
                    shown(outlook.sd[depth], 3),
                ];
                row.extend(outlook.win_within.values().map(|chances| shown(chances[depth], 6)));
                grid.push(row);
            }
        }
        grid
    }
}

impl Outlook {
    fn new(competence: Competence, contest: &Contest, asked: &Asked) -> Result<Outlook> {
        let states = contest.states();
        let (wins, count) = (states.draw(), states.count());
        let chain = contest.chain();
        let solution = chain.solve()?;
        let within = asked.within.iter().map(|&(moves, left)| {
            let mut chances = chain.within(&[0], left as usize)?;
            chances.truncate(wins);
            Ok((moves, chances))
        });
        let whole = contest.chain_from(states.draw());
        // A contest that nobody can lose stays drawn for ever, and has no lengths.
        let rest = whole.solve().ok();
        let lost_lengths = rest.as_ref().map_or_else(Vec::new, |rest| {
            let mut lengths = rest.lengths[wins + 1..count].to_vec();
            lengths.reverse();
            lengths
        });
        let draw = rest.as_ref().map(|rest| {
            let ends = |into: usize| rest.absorption(into).map_or(0.0, |chances| chances[wins]);
            FromDraw { length: rest.lengths[wins], won: ends(0), lost: ends(count - 1), drawn: ends(count) }
        });
        let from = usize::from(asked.from_depth);
        let start: Vec<f64> = (0..chain.matrix().size()).map(|state| f64::from(u8::from(state == from))).collect();
        let after = asked.after.iter().map(|&moves| {
            let distribution = chain.matrix().after(&start, moves.into())?;
            let won = distribution.iter().take(wins);
            let (mass, sum) =
                won.enumerate().fold((0.0, 0.0), |(mass, sum), (depth, p)| (mass + p, sum + p * depth as f64));
            Ok((moves, After { from_depth: asked.from_depth, expected_depth: sum / mass, states: distribution }))
        });
        let passage = asked.passage.map(|moves| -> Result<Passage> {
            let exactly: Vec<f64> =
                chain.first_passage(&[0], moves as usize)?.iter().map(|chances| chances[from]).collect();
            let at_most = exactly.iter().scan(0.0, |sum, chance| {
                *sum += chance;
                Some(*sum)
            });
            Ok(Passage { from_depth: asked.from_depth, at_most: at_most.collect(), exactly })
        });
        let take = |mut numbers: Vec<f64>| {
            numbers.truncate(wins);
            numbers
        };
        Ok(Outlook {
            competence: competence.into(),
            lengths: take(solution.lengths),
            sd: take(solution.sds),
            win_within: within.collect::<Result<_>>()?,
            condition: solution.condition.fixed,
            draw,
            lost_lengths,
            after: after.collect::<Result<_>>()?,
            passage: passage.transpose()?,
        })
    }
}

/// The name of a state of the matrix.
pub fn label(model: &MarkovModel, state: usize) -> String {
    match model.states().state(state) {
        Some(State::Win(depth)) => format!("win {depth}"),
        Some(State::Draw) => "draw".to_owned(),
        Some(State::Loss(depth)) => format!("loss {depth}"),
        None => "dead draw".to_owned(),
    }
}

/// The entries of all matrices that are not 0, as CSV.
pub fn matrices_csv(model: &MarkovModel) -> Result<Vec<u8>> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record(["competence", "from", "to", "probability"])?;
    for (lane, competence) in model.competences().iter().enumerate() {
        let matrix = model.matrix(lane)?;
        for (from, row) in matrix.rows().enumerate() {
            for (to, probability) in row.iter().enumerate().filter(|(_, probability)| **probability > 0.0) {
                let (from, to) = (label(model, from), label(model, to));
                file.write_record([competence.to_string(), from, to, probability.to_string()])?;
            }
        }
    }
    Ok(file.into_inner().map_err(|error| error.into_error())?)
}
