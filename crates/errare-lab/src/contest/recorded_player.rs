//! An engine that plays while its moves are recorded.

use errare_endgame::{Agent, Analysis, EndgameError, EnginePlayer, Judgement, Options, Oracle, PlayRecord};
use errare_work::Progress;

/// A player that plays the moves of an engine, and keeps a record of them.
pub struct RecordedPlayer<'a> {
    player: EnginePlayer,
    analysis: &'a Analysis,
    /// The record of the quality of the engine's moves.
    pub record: PlayRecord,
}

impl<'a> RecordedPlayer<'a> {
    /// Makes a player with an empty record.
    pub fn new(player: EnginePlayer, analysis: &'a Analysis) -> RecordedPlayer<'a> {
        RecordedPlayer { player, analysis, record: PlayRecord::new(analysis) }
    }
}

impl Agent for RecordedPlayer<'_> {
    fn judge(
        &mut self,
        oracle: &Oracle,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Judgement, EndgameError> {
        self.player.judge(oracle, options, progress)
    }

    fn watch(&mut self, options: &Options, chosen: usize, own: bool) -> Result<(), EndgameError> {
        self.player.watch(options, chosen, own)?;
        if own {
            self.record.add(self.analysis, options, chosen)?;
        }
        Ok(())
    }
}
