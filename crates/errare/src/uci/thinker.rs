//! The thread that thinks: one `go` after the other, by tables where there are any, else by an adviser.

use super::advice::{Advice, Line, chances};
use super::background::{Background, Order};
use super::character::AgentKind;
use super::control::{Control, Limits};
use super::fallback::Fallback;
use super::game::Game;
use super::judging::Judged;
use super::options::Choices;
use super::partner::Partner;
use super::search::{self, Memory, Question, Wanted, score};
use super::shelf::{Shelf, is_within_reach};
use super::telling::{self, uci};
use super::voice::Voice;
use errare_choice::{Competence, pick};
use errare_endgame::EndgameError;
use errare_tables::tables_to_mate;
use errare_tables::{Material, TableError};
use errare_uci::server::{Go, Info, Message};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Move, Position};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// What the thread is asked for.
pub enum Job {
    Think(Box<Thought>),
    /// What takes a while to set up is wanted.
    Prepare(Box<Choices>),
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

pub struct Thinker {
    voice: Arc<Voice>,
    background: Background,
    shelf: Shelf,
    partner: Option<Partner>,
    memory: Memory,
    fallback: Fallback,
}

impl Thinker {
    pub fn new(voice: Arc<Voice>, background: Background, choices: &Choices) -> Thinker {
        let shelf = Shelf::new(&choices.tables);
        Thinker { voice, background, shelf, partner: None, memory: Memory::default(), fallback: Fallback::default() }
    }

    /// Does one job after the other, until nobody sends any.
    pub fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Think(thought) => self.think(&thought),
                Job::Prepare(choices) => self.prepare(&choices),
                Job::NewGame => {
                    self.partner = None;
                    self.memory.clear();
                    self.fallback.new_game();
                }
                Job::ClearHash => self.memory.clear(),
            }
        }
    }

    fn prepare(&mut self, choices: &Choices) {
        if let Some(error) = self.shelf.set(&choices.tables, &choices.syzygy) {
            self.voice.tell(format!("SyzygyPath: {error}"));
        }
        if let Err(error) = self.fallback.set(&choices.fallback) {
            self.voice.tell(format!("Fallback Engine: {error}"));
        }
    }

    fn think(&mut self, thought: &Thought) {
        self.prepare(&thought.choices);
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
            let judgement = partner.judge(oracle, &view, &options)?;
            let judged = Judged::new(oracle, options, judgement, game.past(), allowed)?;
            let place = pick(judged.probabilities(), dice(thought)).ok_or(EndgameError::NoMove)?;
            judged.told(choices, place, thought.control.elapsed()).iter().for_each(|message| self.voice.say(message));
            Ok(Decision { best: judged.move_at(place), ponder: judged.reply(place) })
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
        let voice = &self.voice;
        let mut told = |advice: &Advice| {
            for (place, line) in advice.lines.iter().take(choices.multi_pv).enumerate() {
                voice.say(&Message::Info(advised(thought, advice, line, place)));
            }
        };
        let advice = match self.fallback.advise(game, &question, choices.fallback_depth, &limits, control, &is_over) {
            Some(Ok(advice)) if !advice.lines.is_empty() => {
                told(&advice);
                advice
            }
            given_up => {
                if let Some(Err(error)) = given_up {
                    voice.tell(format!("Fallback Engine: {error}"));
                }
                self.memory.resize(choices.hash);
                search::search(&question, &limits, control, &mut self.memory, &is_over, &mut told)
            }
        };
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
}

/// The moves to choose from. If none of those that were named is legal, they were not meant.
fn allowed(thought: &Thought) -> Vec<Move> {
    let legal = thought.game.position().legal_moves();
    let named: Vec<Move> = legal.iter().copied().filter(|&mv| thought.go.search_moves.contains(&uci(mv))).collect();
    if named.is_empty() { legal.to_vec() } else { named }
}

/// The number drawn for this ply of the game, from 0 up to 1.
fn dice(thought: &Thought) -> f64 {
    let mut random = Pcg64::seed_from_u64(thought.seed);
    random.advance(thought.game.plies() as u128);
    random.random()
}

fn is_learner(thought: &Thought) -> bool {
    thought.choices.character.agent == AgentKind::Predator
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
