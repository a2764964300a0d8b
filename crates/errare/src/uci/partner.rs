//! The agent at the board: it follows the game, and learns what its opponent is like.

use super::character::{AgentKind, Character};
use super::game::Game;
use super::shelf::{Shelf, View};
use errare_choice::Update;
use errare_endgame::{Agent, Analyser, EndgameError, Infallible, Judgement, Options, Oracle, Player, Setting};
use shakmaty::{Color, Position};

/// An agent with what it has seen.
pub struct Partner {
    character: Character,
    side: Color,
    agent: Box<dyn Agent>,
    /// Watches the opponent.
    analyser: Analyser,
    learned_from: usize,
    /// The game as far as it was followed.
    game: Game,
    /// How many tables had been built when a move was met that no table knew.
    gap: Option<u64>,
    /// Why the agent is not the one asked for; told once.
    pub excuse: Option<String>,
}

impl Partner {
    /// An agent that has seen nothing of a game yet.
    pub fn new(character: &Character, side: Color) -> anyhow::Result<Partner> {
        let analysis = character.analysis()?;
        let setting = Setting { model: character.model(), analysis: analysis.clone(), rule: character.rule() };
        let (agent, excuse) = match character.agent().build(&setting) {
            Ok(agent) => (agent, None),
            // An emulator of no competence, or of all.
            Err(error) => {
                let player: Box<dyn Agent> = Box::new(Player::new(character.model(), character.competence));
                (player, Some(format!("{error}; playing as the player of that competence")))
            }
        };
        Ok(Partner {
            character: character.clone(),
            side,
            agent,
            analyser: analysis.analyser(),
            learned_from: 0,
            game: Game::default(),
            gap: None,
            excuse,
        })
    }

    /// Whether it can go on with this game, so many tables having been built by now.
    pub fn suits(&self, character: &Character, side: Color, game: &Game, built: u64) -> bool {
        let is_fresh = self.game.plies() == 0;
        let is_blind = self.gap.is_some_and(|then| then != built);
        self.character == *character && self.side == side && !is_blind && (is_fresh || game.continues(&self.game))
    }

    /// Follows the game to its last move. Moves in positions that no table knows are passed over.
    pub fn follow(&mut self, game: &Game, shelf: &Shelf, built: u64) {
        for (position, mv) in game.steps_from(self.game.plies()) {
            let is_own = position.turn() == self.side;
            let watched = shelf.ask(&position, self.character.metric, |oracle, _| {
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

    /// How likely each move is.
    pub fn judge(&mut self, oracle: &Oracle, view: &View, options: &Options) -> Result<Judgement, EndgameError> {
        // Strategies compare metrics that only our tables have.
        if self.character.agent == AgentKind::Strategy && !view.is_ours {
            return Infallible::default().judge(oracle, options);
        }
        self.agent.judge(oracle, options)
    }

    /// What is thought of the opponent, once something has been seen.
    pub fn assessment(&self) -> Option<String> {
        let posterior = self.analyser.posterior();
        (self.learned_from > 0).then(|| {
            let (mean, sd) = (posterior.mean(), posterior.sd());
            let moves = if self.learned_from == 1 { "move" } else { "moves" };
            format!("the opponent's competence: {mean:.1}, sd {sd:.1}, from {} {moves}", self.learned_from)
        })
    }
}
