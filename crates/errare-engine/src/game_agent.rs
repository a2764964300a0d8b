//! The agent that plays a game: it follows the moves, and assesses its opponent.

use crate::game::GameSoFar;
use crate::play_settings::{AnalysisError, PlaySettings};
use crate::table_cache::{TableCache, TableView};
use errare_choice::Update;
use errare_endgame::{
    Agent, AgentSetting, Analyser, EndgameError, Infallible, Judgement, Options, Oracle, Parameter, Player,
};
use errare_work::Progress;
use shakmaty::{Color, Position};
use std::collections::BTreeMap;

/// An agent together with what it has seen of a game.
pub struct GameAgent {
    settings: PlaySettings,
    side: Color,
    agent: Box<dyn Agent>,
    /// The analyser that assesses the opponent.
    analyser: Analyser,
    /// Number of the opponent's moves that the assessment is based on.
    learned_from: usize,
    /// The game as far as it was followed.
    game: GameSoFar,
    /// Number of finished builds at the time when a move was met that no table knew; none if there was no such move.
    gap: Option<u64>,
    /// Why the agent is not the one asked for; to be reported once.
    pub note: Option<String>,
}

impl GameAgent {
    /// Makes an agent that has seen nothing of a game yet.
    ///
    /// # Errors
    /// If the opponent cannot be assessed with these settings.
    pub fn new(settings: &PlaySettings, side: Color) -> Result<GameAgent, AnalysisError> {
        let analysis = settings.analysis()?;
        let setting = AgentSetting {
            model: settings.model(),
            analysis: analysis.clone(),
            rule: settings.rule(),
            posteriors: BTreeMap::new(),
        };
        let spec = settings.agent().map_err(|error| error.to_string());
        let (agent, note) = match spec.and_then(|spec| spec.build(&setting).map_err(|error| error.to_string())) {
            Ok(agent) => (agent, None),
            // An emulator of no competence, or of all.
            Err(error) => {
                let player: Box<dyn Agent> = Box::new(Player::new(settings.model(), settings.competence));
                (player, Some(format!("{error}; playing as the player of that competence")))
            }
        };
        Ok(GameAgent {
            settings: settings.clone(),
            side,
            agent,
            analyser: analysis.analyser(),
            learned_from: 0,
            game: GameSoFar::default(),
            gap: None,
            note,
        })
    }

    /// Whether the agent can go on with this game. After moves that no table knew, a new table is a reason to begin
    /// anew.
    pub fn suits(&self, settings: &PlaySettings, side: Color, game: &GameSoFar, built: u64) -> bool {
        let is_fresh = self.game.plies() == 0;
        let is_blind = self.gap.is_some_and(|then| then != built);
        self.settings == *settings && self.side == side && !is_blind && (is_fresh || game.continues(&self.game))
    }

    /// Follows the game to its last move. Moves in positions that no table knows are skipped.
    pub fn follow(&mut self, game: &GameSoFar, tables: &TableCache, built: u64) {
        for (position, mv) in game.steps_from(self.game.plies()) {
            let is_own = position.turn() == self.side;
            let watched = tables.ask(&position, self.settings.metric, |oracle, _| {
                let options = oracle.options(&position)?;
                let place = options.find(mv).ok_or(EndgameError::NoMove)?;
                self.agent.watch(&options, place, is_own)?;
                if !is_own && matches!(self.analyser.observe(&options, place)?, Update::Learned { .. }) {
                    self.learned_from += 1;
                }
                Ok(())
            });
            if watched.is_err() {
                self.gap = Some(built);
            }
        }
        self.game = game.clone();
    }

    /// The probability with which the agent makes each move.
    pub fn judge(
        &mut self,
        oracle: &Oracle,
        view: &TableView,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Judgement, EndgameError> {
        // Strategies compare metrics that only our tables have.
        if self.settings.takes(Parameter::Strategy) && !view.is_ours {
            return Infallible::default().judge(oracle, options, progress);
        }
        self.agent.judge(oracle, options, progress)
    }

    /// The assessment of the opponent in words, once a move has been seen.
    pub fn assessment(&self) -> Option<String> {
        let posterior = self.analyser.posterior();
        (self.learned_from > 0).then(|| {
            let (mean, sd) = (posterior.mean(), posterior.sd());
            let moves = if self.learned_from == 1 { "move" } else { "moves" };
            format!("the opponent's competence: {mean:.1}, sd {sd:.1}, from {} {moves}", self.learned_from)
        })
    }
}
