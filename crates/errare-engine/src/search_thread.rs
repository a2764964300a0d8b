//! The thread that searches: one `go` after the other, by tables where they know the position, else by a search.

use crate::advice::{Advice, AdvisedMove};
use crate::control::{SearchControl, SearchLimits};
use crate::elo_advice::EloAdvice;
use crate::fallback::{FallbackEngine, Memory};
use crate::game::GameSoFar;
use crate::game_agent::GameAgent;
use crate::judged_position::JudgedPosition;
use crate::open_play::{OWN_DEPTH, OpenPlayer};
use crate::options::EngineOptions;
use crate::play_settings::WithoutTables;
use crate::scores::{self, uci};
use crate::search::{self, Question, TranspositionTable, Wanted, score};
use crate::table_builder::{BuildOrder, TableBuilder};
use crate::table_cache::{TableCache, is_within_reach};
use crate::writer::UciWriter;
use errare_choice::pick;
use errare_endgame::{EndgameError, Parameter};
use errare_tables::{Material, TableError, Tables, tables_to_mate};
use errare_uci::server::{Go, Info, Message};
use errare_work::Cancel;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Move, Position};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// A job for the search thread.
pub enum Job {
    Search(Box<SearchJob>),
    /// Opens tables and engines that take a while to open.
    Prepare(Box<EngineOptions>),
    NewGame,
    ClearHash,
    /// Answers `isready`, after the jobs before it.
    Ready,
}

/// One search that a `go` asked for, with everything it depends on.
pub struct SearchJob {
    pub go: Go,
    pub options: EngineOptions,
    pub game: GameSoFar,
    /// The seed of the game, by which a number is drawn for each ply.
    pub seed: u64,
    /// Whether the client asked for debug messages.
    pub debug: bool,
    pub control: Arc<SearchControl>,
}

/// The move to make, and the reply to ponder on.
struct Decision {
    best: Move,
    ponder: Option<Move>,
}

/// The state of the search thread.
pub struct SearchThread {
    writer: Arc<UciWriter>,
    builder: TableBuilder,
    tables: TableCache,
    agent: Option<GameAgent>,
    transpositions: TranspositionTable,
    fallback: FallbackEngine,
    elo: Option<EloAdvice>,
    /// The last note on what makes strength by Elo approximate.
    caveat: Option<String>,
    shutdown: Cancel,
}

impl SearchThread {
    /// Makes the thread's state: searches use these tables, and missing tables are built.
    pub fn new(writer: Arc<UciWriter>, builder: TableBuilder, tables: Tables, shutdown: Cancel) -> SearchThread {
        SearchThread {
            writer,
            builder,
            tables: TableCache::new(tables),
            agent: None,
            transpositions: TranspositionTable::default(),
            fallback: FallbackEngine::new(shutdown.clone()),
            elo: EloAdvice::new(),
            caveat: None,
            shutdown,
        }
    }

    /// Does one job after the other, until the sender is gone.
    pub fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Search(job) => self.search(&job),
                Job::Prepare(options) => self.prepare(&options),
                Job::NewGame => {
                    self.agent = None;
                    self.transpositions.clear();
                    self.fallback.new_game();
                    self.caveat = None;
                }
                Job::ClearHash => self.transpositions.clear(),
                Job::Ready => self.writer.send(&Message::ReadyOk),
            }
        }
    }

    fn prepare(&mut self, options: &EngineOptions) {
        if let Err(error) = self.tables.set(&options.tables, &options.syzygy) {
            self.writer.note(format!("SyzygyPath: {error}"));
        }
        if let Err(error) = self.fallback.set(&options.fallback) {
            self.writer.note(format!("Fallback Engine: {error}"));
        }
    }

    fn search(&mut self, job: &SearchJob) {
        self.prepare(&job.options);
        let allowed = allowed(job);
        let decision = if allowed.is_empty() { None } else { Some(self.decide(job, &allowed)) };
        job.control.wait();
        let best = decision.as_ref().map(|decision| uci(decision.best));
        let ponder = decision.and_then(|decision| decision.ponder).map(uci);
        // First, so that an `isready` that follows the answer waits for what it should.
        job.control.answered();
        self.writer.send(&Message::BestMove { best, ponder });
    }

    fn decide(&mut self, job: &SearchJob, allowed: &[Move]) -> Decision {
        self.writer.note(format!("seed {}", job.seed));
        loop {
            let built = self.builder.finished();
            match self.by_tables(job, allowed, built) {
                Ok(Some(decision)) => return decision,
                Ok(None) => {}
                Err(error) => self.order_tables(job, error),
            }
            if let Some(decision) = self.by_openings(job, allowed) {
                return decision;
            }
            if let Some(decision) = self.by_advice(job, allowed, built) {
                return decision;
            }
        }
    }

    /// Chooses a move by the tables; none if no table knows the position.
    fn by_tables(&mut self, job: &SearchJob, allowed: &[Move], built: u64) -> Result<Option<Decision>, EndgameError> {
        let SearchJob { options: engine_options, game, .. } = job;
        let (position, settings) = (game.position(), &engine_options.play);
        if self.tables.views(position, settings.metric).is_empty() {
            return Ok(None);
        }
        let side = position.turn();
        let mut agent = match self.agent.take().filter(|known| known.suits(settings, side, game, built)) {
            Some(agent) => agent,
            None => match GameAgent::new(settings, side) {
                Ok(agent) => agent,
                Err(error) => {
                    self.writer.note(error.to_string());
                    return Ok(None);
                }
            },
        };
        if let Some(note) = agent.note.take() {
            self.writer.note(note);
        }
        agent.follow(game, &self.tables, built);
        let decided = self.tables.ask(position, settings.metric, |oracle, view| {
            let options = oracle.options(position)?;
            let judgement = agent.judge(oracle, &view, &options, &self.shutdown)?;
            let judged = JudgedPosition::new(oracle, options, judgement, game.past(), allowed)?;
            let place = pick(judged.probabilities(), random_number(job)).ok_or(EndgameError::NoProbability)?;
            let depth = job.go.depth.and_then(|depth| u32::try_from(depth).ok()).unwrap_or(1).max(1);
            let messages = judged.messages(engine_options, place, depth, job.control.elapsed());
            messages.iter().for_each(|message| self.writer.send(message));
            Ok(Decision { best: judged.move_at(place), ponder: judged.reply(place) })
        });
        if let (Some(assessment), true) = (agent.assessment(), job.debug || is_learning(job)) {
            self.writer.note(assessment);
        }
        self.agent = Some(agent);
        decided
    }

    /// Orders the tables that are missing or damaged.
    fn order_tables(&self, job: &SearchJob, error: EndgameError) {
        let damage = match error {
            EndgameError::Table(error @ TableError::Damaged { .. }) => Some(error),
            EndgameError::Table(TableError::Missing { .. } | TableError::Version { .. }) => None,
            // Few people have all Syzygy tables: that one is not there is nothing to report.
            EndgameError::Table(TableError::Owned(_)) => return,
            error => return self.writer.note(error.to_string()),
        };
        let (material, _) = Material::of_board(job.game.position().board());
        let settings = &job.options.play;
        let metrics =
            [settings.metric].into_iter().chain(settings.agent().into_iter().flat_map(|agent| agent.metrics()));
        self.builder.order(BuildOrder {
            tables: self.tables.tables.clone(),
            needed: tables_to_mate(material, metrics),
            damage,
            threads: job.options.threads,
        });
    }

    /// Chooses an opening move as people begin their games, for people of an Elo; none where no opening is known.
    fn by_openings(&self, job: &SearchJob, allowed: &[Move]) -> Option<Decision> {
        let player = OpenPlayer::new(job.options.play.without_tables());
        let is_meant = job.options.own_book && !job.go.infinite;
        let known = is_meant.then(|| player.opening(job.game.position(), allowed)).flatten()?;
        let shares: Vec<f64> = known.iter().map(|(_, share)| *share).collect();
        let place = pick(&shares, random_number(job))?;
        for (mv, share) in known.iter().take(job.options.multi_pv).filter(|_| job.options.multi_pv > 1) {
            self.writer.note(format!("{} probability {share:.6}", uci(*mv)));
        }
        self.writer.note("an opening of real games");
        Some(Decision { best: known[place].0, ponder: None })
    }

    /// Chooses among moves that a search evaluates; none if tables have been built meanwhile.
    fn by_advice(&mut self, job: &SearchJob, allowed: &[Move], built: u64) -> Option<Decision> {
        let SearchJob { options, game, control, .. } = job;
        let way = options.play.without_tables();
        let is_best = way == WithoutTables::Best;
        let is_elo = matches!(way, WithoutTables::Elo(_));
        let question = Question {
            position: game.position(),
            past: game.past(),
            moves: allowed,
            wanted: if is_best { Wanted::Best(options.multi_pv) } else { Wanted::All },
            fifty: options.play.fifty,
        };
        let limits = SearchLimits::new(&job.go, game.position().turn(), options.overhead);
        let may_be_known = is_within_reach(game.position());
        let is_over = || may_be_known && self.builder.finished() != built;
        let writer = &self.writer;
        let mut show = |advice: &Advice| {
            for (place, advised) in advice.moves.iter().take(options.multi_pv).enumerate() {
                writer.send(&Message::Info(info(job, advice, advised, place)));
            }
        };
        let depth = match (options.fallback_depth, &self.elo) {
            (0, Some(elo)) if is_elo => elo.depth(),
            (depth, _) => depth,
        };
        let memory = if is_elo { Memory::Position } else { Memory::Game };
        let advice = match self.fallback.advise((game, memory), &question, depth, &limits, control, &is_over) {
            Some(Ok(advice)) if !advice.moves.is_empty() => {
                show(&advice);
                advice
            }
            given_up => {
                if let Some(Err(error)) = given_up {
                    writer.note(format!("Fallback Engine: {error}"));
                }
                self.transpositions.resize(options.hash);
                let depth = if is_elo { limits.depth.min(OWN_DEPTH) } else { limits.depth };
                let limits = SearchLimits { depth, ..limits };
                search::search(&question, &limits, control, &mut self.transpositions, &is_over, &mut show)
            }
        };
        if is_over() && !control.is_up(limits.most) {
            return None;
        }
        if let WithoutTables::Elo(elo) = way {
            self.tell_caveat(elo, advice.depth);
        }
        Some(self.choose(job, &advice, way).unwrap_or_else(|reason| {
            self.writer.note(format!("internal error (a bug in errare): {reason}; playing the first legal move"));
            Decision { best: allowed[0], ponder: None }
        }))
    }

    /// Notes what makes strength by Elo approximate, once.
    fn tell_caveat(&mut self, at: u16, depth: u32) {
        let caveat = self.elo.as_ref().and_then(|elo| elo.caveat(at, self.fallback.name(), depth));
        if let Some(text) = caveat.as_ref().filter(|_| self.caveat.is_none()) {
            self.writer.note(text.clone());
        }
        self.caveat = self.caveat.take().or(caveat);
    }

    /// Draws one of the evaluated moves by its probability.
    fn choose(&self, job: &SearchJob, advice: &Advice, way: WithoutTables) -> Result<Decision, String> {
        let player = OpenPlayer::new(way);
        let chances = player.probabilities(&advice.moves, job.game.ply(), &self.shutdown);
        let probabilities = chances.map_err(|error| error.to_string())?;
        let place = pick(&probabilities, random_number(job)).ok_or("no move has a probability")?;
        let chosen = &advice.moves[place];
        let lines = job.options.multi_pv;
        if lines == 1 && place > 0 {
            self.writer.send(&Message::Info(info(job, advice, chosen, 0)));
        }
        if lines > 1 {
            for (advised, probability) in advice.moves.iter().zip(&probabilities).take(lines) {
                self.writer.note(format!("{} probability {probability:.6}", uci(advised.mv)));
            }
        }
        Ok(Decision { best: chosen.mv, ponder: chosen.pv.get(1).copied() })
    }
}

/// The moves to choose from: those of `searchmoves`, or all if none of those is legal.
fn allowed(job: &SearchJob) -> Vec<Move> {
    let legal = job.game.position().legal_moves();
    let named: Vec<Move> = legal.iter().copied().filter(|&mv| job.go.search_moves.contains(&uci(mv))).collect();
    if named.is_empty() { legal.to_vec() } else { named }
}

/// The number from 0 up to 1 that the seed gives for this ply of the game.
fn random_number(job: &SearchJob) -> f64 {
    let mut random = Pcg64::seed_from_u64(job.seed);
    random.advance(job.game.plies() as u128);
    random.random()
}

fn is_learning(job: &SearchJob) -> bool {
    job.options.play.takes(Parameter::Opponent)
}

/// Makes a line of UCI that shows an evaluated move.
fn info(job: &SearchJob, advice: &Advice, advised: &AdvisedMove, place: usize) -> Info {
    let options = &job.options;
    let score = score(advised.score);
    Info {
        depth: advice.depth,
        multi_pv: (options.multi_pv > 1).then_some(place as u32 + 1),
        score: Some(score),
        chances: options.show_wdl.then(|| scores::chances(score)),
        nodes: advice.nodes,
        time: job.control.elapsed().as_millis() as u64,
        table_hits: None,
        line: advised.pv.iter().copied().map(uci).collect(),
    }
}
