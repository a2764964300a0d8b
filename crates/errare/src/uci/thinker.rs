//! The thread that thinks: one `go` after the other, by tables where there are any, else by an adviser.

use super::advice::{Advice, Line, chances};
use super::background::{Background, Order};
use super::control::{Control, Limits};
use super::game::Game;
use super::options::Choices;
use super::partner::Partner;
use super::search::{self, Memory, Question, Wanted, score};
use super::shelf::{Shelf, is_within_reach};
use super::telling::{self, table_chances, table_score, uci};
use super::voice::Voice;
use crate::sources::tables_to_mate;
use errare_choice::{Candidate, Competence, pick};
use errare_endgame::{EndgameError, Judgement, Options, Oracle, Step};
use errare_tables::{Material, Metric, Successor, TableError, successors};
use errare_uci::server::{Go, Info, Message};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Move, Position};
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// What the thread is asked for.
pub enum Job {
    Think(Box<Thought>),
    NewGame,
    ClearHash,
}

/// One `go` with everything it depends on.
pub struct Thought {
    pub go: Go,
    pub choices: Choices,
    pub game: Game,
    /// Of the game; each ply has a number of its own drawn by it.
    pub seed: u64,
    /// Whether to say more.
    pub debug: bool,
    pub control: Arc<Control>,
}

/// What was decided.
struct Decision {
    best: Move,
    ponder: Option<Move>,
}

/// What the tables know of a position.
struct Known {
    metric: Metric,
    options: Options,
    judgement: Judgement,
    successors: Vec<Successor>,
}

pub struct Thinker {
    voice: Arc<Voice>,
    background: Background,
    shelf: Shelf,
    partner: Option<Partner>,
    memory: Memory,
}

impl Thinker {
    pub fn new(voice: Arc<Voice>, background: Background, choices: &Choices) -> Thinker {
        Thinker { voice, background, shelf: Shelf::new(&choices.tables), partner: None, memory: Memory::default() }
    }

    /// Does one job after the other, until nobody sends any.
    pub fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Think(thought) => self.think(&thought),
                Job::NewGame => {
                    self.partner = None;
                    self.memory.clear();
                }
                Job::ClearHash => self.memory.clear(),
            }
        }
    }

    fn think(&mut self, thought: &Thought) {
        let choices = &thought.choices;
        if let Some(error) = self.shelf.set(&choices.tables, &choices.syzygy) {
            self.voice.tell(format!("SyzygyPath: {error}"));
        }
        let allowed = allowed(thought);
        let decision = if allowed.is_empty() { None } else { Some(self.decide(thought, &allowed)) };
        thought.control.wait();
        let best = decision.as_ref().map(|decision| uci(decision.best));
        let ponder = decision.and_then(|decision| decision.ponder).map(uci);
        self.voice.say(&Message::BestMove { best, ponder });
    }

    fn decide(&mut self, thought: &Thought, allowed: &[Move]) -> Decision {
        self.voice.tell(format!("seed {}", thought.seed));
        loop {
            let built = self.background.finished();
            match self.by_tables(thought, allowed, built) {
                Ok(Some(decision)) => return decision,
                Ok(None) => {}
                Err(error) => self.want(thought, &error),
            }
            if let Some(decision) = self.by_advice(thought, allowed, built) {
                return decision;
            }
        }
    }

    /// A move by the tables; none if no table knows the position.
    fn by_tables(&mut self, thought: &Thought, allowed: &[Move], built: u64) -> Result<Option<Decision>, EndgameError> {
        let Thought { choices, game, .. } = thought;
        let (position, character) = (game.position(), &choices.character);
        if self.shelf.views(position, character.metric).is_empty() {
            return Ok(None);
        }
        let side = position.turn();
        let mut partner = match self.partner.take().filter(|known| known.suits(character, side, game, built)) {
            Some(partner) => partner,
            None => match Partner::new(character, side) {
                Ok(partner) => partner,
                Err(error) => {
                    self.voice.tell(error.to_string());
                    return Ok(None);
                }
            },
        };
        if let Some(excuse) = partner.excuse.take() {
            self.voice.tell(excuse);
        }
        partner.follow(game, &self.shelf, built);
        let decided = self.shelf.ask(position, character.metric, |oracle, view| {
            let options = oracle.options(position)?;
            let judgement = partner.judge(oracle, view, &options)?;
            let known = Known {
                metric: view.metric,
                successors: successors(view.source, position, view.metric)?,
                judgement,
                options,
            };
            let probabilities = restricted(&known, allowed);
            let place = pick(&probabilities, dice(thought)).ok_or(EndgameError::NoMove)?;
            self.tell_tables(thought, oracle, &known, &probabilities, place);
            Ok(Decision {
                best: known.options.candidates[place].choice().mv,
                ponder: reply(oracle, &known.options, place),
            })
        });
        if let (Some(assessment), true) = (partner.assessment(), thought.debug || is_learner(thought)) {
            self.voice.tell(assessment);
        }
        self.partner = Some(partner);
        decided
    }

    /// Has tables built that would have been of use.
    fn want(&self, thought: &Thought, error: &EndgameError) {
        let damaged = match error {
            EndgameError::Table(TableError::Damaged { path, .. } | TableError::Version { path, .. }) => {
                self.voice.tell(format!("{error}: building it again"));
                Some(path.clone())
            }
            EndgameError::Table(TableError::Missing { .. }) => None,
            // Syzygy tables that are not there are no news: few have all of them.
            EndgameError::Table(TableError::Owned(_)) => return,
            _ => return self.voice.tell(error.to_string()),
        };
        let (material, _) = Material::of_board(thought.game.position().board());
        let character = &thought.choices.character;
        let metrics = [character.metric].into_iter().chain(character.agent().metrics());
        self.background.order(Order {
            library: Arc::clone(&self.shelf.library),
            tables: tables_to_mate(material, metrics),
            damaged,
            threads: thought.choices.threads,
        });
    }

    /// A move by an adviser; none if tables have been built meanwhile.
    fn by_advice(&mut self, thought: &Thought, allowed: &[Move], built: u64) -> Option<Decision> {
        let Thought { choices, game, control, .. } = thought;
        let competence = choices.character.competence_without_tables();
        let is_best = competence == Competence::INFALLIBLE;
        let question = Question {
            position: game.position(),
            past: game.past(),
            moves: allowed,
            wanted: if is_best { Wanted::Best(choices.multi_pv) } else { Wanted::All },
            fifty: choices.character.fifty,
        };
        let limits = Limits::new(&thought.go, game.position().turn(), choices.overhead);
        let may_be_known = is_within_reach(game.position());
        let is_over = || may_be_known && self.background.finished() != built;
        self.memory.resize(choices.hash);
        let (voice, memory) = (&self.voice, &mut self.memory);
        let mut told = |advice: &Advice| {
            for (place, line) in advice.lines.iter().take(choices.multi_pv).enumerate() {
                voice.say(&Message::Info(advised(thought, advice, line, place)));
            }
        };
        let advice = search::search(&question, &limits, control, memory, &is_over, &mut told);
        if is_over() && !control.is_up(limits.most) {
            return None;
        }
        let probabilities = chances(&advice.lines, competence);
        let place = pick(&probabilities, dice(thought)).unwrap_or(0);
        let line = advice.lines.get(place).cloned().unwrap_or_else(|| Line::bare(allowed[0]));
        if choices.multi_pv == 1 && place > 0 {
            self.voice.say(&Message::Info(advised(thought, &advice, &line, 0)));
        }
        if choices.multi_pv > 1 {
            for (line, probability) in advice.lines.iter().zip(&probabilities).take(choices.multi_pv) {
                self.voice.tell(format!("{} probability {probability:.6}", uci(line.mv)));
            }
        }
        Some(Decision { best: line.mv, ponder: line.pv.get(1).copied() })
    }

    /// Shows the candidates, best first, or only what was chosen.
    fn tell_tables(&self, thought: &Thought, oracle: &Oracle<'_>, known: &Known, probabilities: &[f64], chosen: usize) {
        let Known { metric, options, judgement, successors } = known;
        let choices = &thought.choices;
        let fifty = choices.character.fifty;
        let mut places = by_merit(&options.candidates);
        places.retain(|&place| {
            probabilities[place] > 0.0 || allowed(thought).contains(&options.candidates[place].choice().mv)
        });
        let is_many = choices.multi_pv > 1;
        let shown = if is_many { places.into_iter().take(choices.multi_pv).collect() } else { vec![chosen] };
        for (number, place) in (1..).zip(shown) {
            let successor = &successors[place];
            let line = [Some(successor.mv), reply(oracle, options, place)];
            self.voice.say(&Message::Info(Info {
                depth: 1,
                multi_pv: is_many.then_some(number),
                score: Some(table_score(*metric, successor, fifty)),
                chances: choices.show_wdl.then(|| table_chances(successor.value.outcome, fifty)),
                nodes: successors.len() as u64,
                time: thought.control.elapsed().as_millis() as u64,
                table_hits: Some(successors.len() as u64),
                line: line.into_iter().flatten().map(uci).collect(),
            }));
            if is_many {
                let figure = match (judgement.figure, judgement.figures[place]) {
                    (Some(figure), Some(value)) => format!(", {} {value:.4}", figure.name()),
                    _ => String::new(),
                };
                self.voice.tell(format!("{} probability {:.6}{figure}", uci(successor.mv), probabilities[place]));
            }
        }
    }
}

/// The moves to choose from. If none of those that were named is legal, they were not meant.
fn allowed(thought: &Thought) -> Vec<Move> {
    let legal = thought.game.position().legal_moves();
    let named: Vec<Move> = legal.iter().copied().filter(|&mv| thought.go.search_moves.contains(&uci(mv))).collect();
    if named.is_empty() { legal.to_vec() } else { named }
}

/// The probabilities of the agent among the moves that are allowed; if it would make none of them, the best of them.
fn restricted(known: &Known, allowed: &[Move]) -> Vec<f64> {
    let candidates = &known.options.candidates;
    let is_allowed = |place: usize| allowed.contains(&candidates[place].choice().mv);
    let share = |place: usize| if is_allowed(place) { known.judgement.probabilities[place] } else { 0.0 };
    let shares: Vec<f64> = (0..candidates.len()).map(share).collect();
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        return shares.into_iter().map(|share| share / sum).collect();
    }
    let best = by_merit(candidates).into_iter().find(|&place| is_allowed(place));
    (0..candidates.len()).map(|place| f64::from(u8::from(Some(place) == best))).collect()
}

/// Places, best first by the metric.
fn by_merit(candidates: &[Candidate<Step>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..candidates.len()).collect();
    places.sort_by_key(|&place| Reverse((candidates[place].state(), candidates[place].choice().rank)));
    places
}

/// The best reply to a move.
fn reply(oracle: &Oracle<'_>, options: &Options, place: usize) -> Option<Move> {
    let theirs = oracle.options(&options.after(place)).ok()?;
    theirs.optimal().first().map(|&best| theirs.candidates[best].choice().mv)
}

/// The number drawn for this ply of the game, from 0 up to 1.
fn dice(thought: &Thought) -> f64 {
    let mut random = Pcg64::seed_from_u64(thought.seed);
    random.advance(thought.game.plies() as u128);
    random.random()
}

fn is_learner(thought: &Thought) -> bool {
    thought.choices.character.agent == super::options::AgentKind::Predator
}

/// A line of advice.
fn advised(thought: &Thought, advice: &Advice, line: &Line, place: usize) -> Info {
    let choices = &thought.choices;
    let score = score(line.score);
    Info {
        depth: advice.depth,
        multi_pv: (choices.multi_pv > 1).then_some(place as u32 + 1),
        score: Some(score),
        chances: choices.show_wdl.then(|| telling::chances(score)),
        nodes: advice.nodes,
        time: thought.control.elapsed().as_millis() as u64,
        table_hits: None,
        line: line.pv.iter().copied().map(uci).collect(),
    }
}
