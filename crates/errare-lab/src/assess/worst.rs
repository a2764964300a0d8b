//! The worst moves of all games.

use super::games::names;
use super::response::{AssessedMove, WorstMove};
use crate::notation::fen_of;
use errare_endgame::{GivenUp, Remark, Stretch};
use errare_games::Game;
use errare_tables::Material;
use shakmaty::Position;

/// The worst moves seen so far, the worst first, in bounded memory.
pub(super) struct WorstMoves {
    limit: usize,
    moves: Vec<(Severity, WorstMove)>,
}

/// The severity of a bad move: half points given up, then moves of depth.
type Severity = (u8, u16);

impl WorstMoves {
    pub fn new(limit: usize) -> WorstMoves {
        WorstMoves { limit, moves: Vec::new() }
    }

    /// Adds the moves of players whose names are wanted.
    pub fn add_game(&mut self, file: Option<&str>, game: &Game, stretches: &[Stretch], wants: impl Fn(&str) -> bool) {
        let is_wanted = names(game).map(wants);
        for Stretch { material, moves } in stretches {
            for remark in moves.iter().filter(|remark| *is_wanted.get(remark.position.turn())) {
                self.add_move(severity(remark), || worst_move(file, game, *material, remark));
            }
        }
    }

    fn add_move(&mut self, severity: Severity, mv: impl FnOnce() -> WorstMove) {
        // Among equals the first stays.
        let place = self.moves.partition_point(|(other, _)| *other >= severity);
        if severity > (0, 0) && place < self.limit {
            self.moves.truncate(self.limit - 1);
            self.moves.insert(place, (severity, mv()));
        }
    }

    pub fn into_moves(self) -> Vec<WorstMove> {
        self.moves.into_iter().map(|(_, mv)| mv).collect()
    }
}

pub(super) fn severity(remark: &Remark) -> Severity {
    match remark.given_up {
        Some(GivenUp::WinToLoss) => (2, 0),
        Some(GivenUp::WinToDraw | GivenUp::DrawToLoss) => (1, 0),
        None => (0, remark.conceded.unwrap_or(0)),
    }
}

fn worst_move(file: Option<&str>, game: &Game, material: Material, remark: &Remark) -> WorstMove {
    let (names, turn) = (names(game), remark.position.turn());
    let mv = AssessedMove::new(game, remark);
    WorstMove {
        file: file.map(str::to_owned),
        game: game.number,
        date: game.tag("Date").map(str::to_owned),
        player: (*names.get(turn)).to_owned(),
        opponent: (*names.get(!turn)).to_owned(),
        material: material.to_string(),
        task: mv.task,
        ply: mv.heading.ply,
        move_number: mv.heading.move_number,
        san: mv.heading.san,
        fen: fen_of(&remark.position),
        effect: mv.effect,
        optimal: mv.optimal,
    }
}
