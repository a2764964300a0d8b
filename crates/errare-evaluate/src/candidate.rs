//! The turns of a game that an engine is asked about.

use crate::collection::Rules;
use errare_games::Game;
use errare_ratings::{GameName, LeftOut, PlayerSide, Selector, TurnRow, parse_elo};
use errare_work::{Cancelled, Progress};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Outcome, Position};

/// A turn without its evaluations.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The row of the turn file, with all fields but the evaluations.
    pub row: TurnRow,
    pub position: Chess,
    pub played: UciMove,
}

impl Candidate {
    /// A title for people: the game and the move.
    pub fn title(&self) -> String {
        let dots = if self.row.ply.is_multiple_of(2) { "." } else { "..." };
        let (source, number) = (self.row.source.as_deref().unwrap_or_default(), self.row.source_game.unwrap_or(0));
        format!("{source}, game {number}, {}{dots} {}", self.row.ply / 2 + 1, self.row.played)
    }
}

/// Why a game gives no turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The game has move numbers that turn files have no room for.
    MoveNumber,
    /// The work was cancelled.
    Cancelled(Cancelled),
}

/// The turns of a game that count, of the sides that are asked for, as far as that is known without an engine.
pub(crate) fn candidates(
    game: &Game,
    facts: &TurnRow,
    rules: &Rules,
    takes: impl Fn(PlayerSide) -> bool,
    left_out: &mut LeftOut,
    progress: &dyn Progress,
) -> Result<Vec<Candidate>, Refusal> {
    let first = 2 * u64::from(game.start().fullmoves().get() - 1) + u64::from(game.start().turn().is_black());
    if first + game.moves().len() as u64 > u64::from(u16::MAX) {
        return Err(Refusal::MoveNumber);
    }
    let mut selector = Selector::new(rules.selection);
    let mut found = Vec::new();
    for (place, position, played) in game.positions() {
        progress.proceed().map_err(Refusal::Cancelled)?;
        let ply = first as u16 + place as u16;
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let placement = fen.rsplitn(3, ' ').last().unwrap_or_default();
        let moves = position.legal_moves().len();
        // To the selector a kept turn is one with a choice.
        let moves = if rules.keep_forced { moves.max(2) } else { moves };
        let before = selector.left_out;
        // Positions of both sides are seen, so that repeated ones are known.
        let is_admitted = selector.admits(&(), placement, ply / 2 + 1, moves, 0.0);
        let side = if position.turn().is_white() { PlayerSide::White } else { PlayerSide::Black };
        if !takes(side) {
            selector.left_out = before;
            continue;
        }
        if !is_admitted {
            continue;
        }
        let mv = played.mv.to_uci(CastlingMode::Standard);
        let row = TurnRow { ply, fen, played: mv.to_string(), ..facts.clone() };
        found.push(Candidate { row, position, played: mv });
    }
    left_out.add(&selector.left_out);
    Ok(found)
}

/// The fields that all turns of a game share: its tags and numbers.
pub(crate) fn facts(game: &Game, number: u64, source: &str) -> TurnRow {
    let tag = |name: &str| game.tag(name).map(str::to_owned);
    let rating = |name: &str| game.tag(name).and_then(parse_elo);
    let result = |outcome: Outcome| outcome.to_string();
    let (white_elo, black_elo) = (rating("WhiteElo"), rating("BlackElo"));
    TurnRow {
        milepost: milepost(game, white_elo, black_elo),
        game: Some(GameName::Number(number as i64)),
        source: Some(source.to_owned()),
        source_game: Some(game.number as i64),
        white: tag("White"),
        black: tag("Black"),
        white_elo,
        black_elo,
        date: tag("Date"),
        event: tag("Event"),
        site: tag("Site"),
        round: tag("Round"),
        result: tag("Result").or(game.result.map(result)),
        ..TurnRow::default()
    }
}

/// The Elo that both players of a game are near to: the tag `Milepost`, or the multiple of 100 that `MilepostDelta` is the greater
/// distance of the two ratings from.
fn milepost(game: &Game, white: Option<u16>, black: Option<u16>) -> Option<u16> {
    if let Some(milepost) = game.tag("Milepost").and_then(parse_elo) {
        return Some(milepost);
    }
    let delta: u16 = game.tag("MilepostDelta")?.trim().parse().ok()?;
    let (white, black) = (white?, black?);
    let near = |milepost: &u16| white.abs_diff(*milepost).max(black.abs_diff(*milepost)) == delta;
    let hundred = white / 100 * 100;
    let hundreds = [hundred.checked_sub(100), Some(hundred), hundred.checked_add(100)];
    hundreds.into_iter().flatten().find(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_ratings::Selection;
    use errare_work::Silent;

    fn game(tags: &[(&str, &str)], moves: &str) -> Game {
        let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        errare_games::Games::new(format!("{tags}\n{moves}").as_bytes()).next().unwrap().unwrap()
    }

    fn plies(game: &Game, rules: &Rules) -> (Vec<u16>, LeftOut) {
        let mut left_out = LeftOut::default();
        let found = candidates(game, &TurnRow::default(), rules, |_| true, &mut left_out, &Silent).unwrap();
        (found.iter().map(|candidate| candidate.row.ply).collect(), left_out)
    }

    const SHUFFLE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 d6 *";

    #[test]
    fn each_rule_can_be_switched() {
        let game = game(&[], SHUFFLE);
        let rules = |first_move, without_repeats| Rules {
            selection: Selection { first_move, without_repeats, ..Selection::ALL },
            ..Rules::default()
        };
        assert_eq!(plies(&game, &rules(1, false)).0, [0, 1, 2, 3, 4, 5, 6, 7]);
        // After 2... Ng8 the initial position is there again, and two that followed it.
        let (found, left_out) = plies(&game, &rules(1, true));
        assert_eq!((found, left_out.repeated), (vec![0, 1, 2, 3, 7], 3));
        // What came up before the first move that counts came up.
        let (found, left_out) = plies(&game, &rules(3, true));
        assert_eq!((found, left_out.early, left_out.repeated), (vec![7], 4, 3));
        assert_eq!(plies(&game, &Rules::default()).0, [0_u16; 0]);
    }

    #[test]
    fn forced_moves_are_left_out_unless_kept() {
        // Only Kxb2.
        let game = game(&[("FEN", "8/8/8/8/8/7k/1q6/K7 w - - 0 30")], "30. Kxb2 Kg3 *");
        assert_eq!(plies(&game, &Rules::default()), (vec![59], LeftOut { forced: 1, ..LeftOut::default() }));
        assert_eq!(plies(&game, &Rules { keep_forced: true, ..Rules::default() }).0, [58, 59]);
    }

    #[test]
    fn move_numbers_beyond_all_games_are_refused() {
        let game = game(&[("FEN", "8/8/8/8/8/7k/8/K7 w - - 0 32769")], "1. Kb2 *");
        let found =
            candidates(&game, &TurnRow::default(), &Rules::default(), |_| true, &mut LeftOut::default(), &Silent);
        assert_eq!(found.err(), Some(Refusal::MoveNumber));
    }

    #[test]
    fn mileposts_are_read_from_tags() {
        let read = |tags: &[(&str, &str)]| facts(&game(tags, "1. e4 *"), 7, "games.pgn").milepost;
        let elos = [("WhiteElo", "2111"), ("BlackElo", "2119")];
        assert_eq!(read(&elos), None);
        assert_eq!(read(&[&elos[..], &[("MilepostDelta", "19")]].concat()), Some(2100));
        assert_eq!(read(&[("WhiteElo", "2095"), ("BlackElo", "2110"), ("MilepostDelta", "10")]), Some(2100));
        assert_eq!(read(&[("WhiteElo", "2095"), ("BlackElo", "2110"), ("MilepostDelta", "11")]), None);
        assert_eq!(read(&[("Milepost", "2050")]), Some(2050));
    }
}
