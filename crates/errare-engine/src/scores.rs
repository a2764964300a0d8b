//! Values as UCI shows them: scores and chances.

use crate::search::MATE;
use errare_tables::{Metric, Outcome, Successor};
use errare_uci::Score;
use errare_uci::server::Permille;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};

/// The score of a win without a distance to mate, in hundredths of a pawn.
const WON: i32 = 2000;

/// The score of a win that the move rule turns into a draw: it is worth trying.
const CURSED: i32 = 50;

/// The lead, in hundredths of a pawn, at which half of the games are won; by a logistic curve, one slope more or less
/// makes it 73% or 27%.
const EVEN_ODDS: f64 = 150.0;
const SLOPE: f64 = 80.0;

/// The FEN of a position.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A move in UCI notation.
pub fn uci(mv: Move) -> UciMove {
    mv.to_uci(CastlingMode::Standard)
}

/// The score of a move by its value in a table. Only DTM counts to mate.
pub fn table_score(metric: Metric, successor: &Successor, fifty: bool) -> Score {
    let plies = i32::from(successor.through.plies.0);
    match (successor.value.outcome, metric) {
        (Outcome::Draw, _) => Score::Centipawns(0),
        (Outcome::Win, Metric::Dtm) => Score::Mate((plies + 1) / 2),
        (Outcome::Loss, Metric::Dtm) => Score::Mate(-(plies / 2)),
        (Outcome::CursedWin, _) if fifty => Score::Centipawns(CURSED),
        (Outcome::BlessedLoss, _) if fifty => Score::Centipawns(-CURSED),
        (outcome, _) => Score::Centipawns(if outcome.is_win() { WON } else { -WON }),
    }
}

/// A score as a number on the scale of our search.
pub fn number(score: Score) -> i32 {
    const MOST: i32 = MATE - 2000;
    match score {
        Score::Centipawns(lead) => lead.clamp(-MOST, MOST),
        Score::Mate(moves) if moves > 0 => MATE - (2 * moves.min(400) - 1),
        Score::Mate(moves) => -MATE - 2 * moves.max(-400),
    }
}

/// The chances of the results by a table's value, which are certainties.
pub fn table_chances(outcome: Outcome, fifty: bool) -> Permille {
    let is_spoilt = fifty && matches!(outcome, Outcome::CursedWin | Outcome::BlessedLoss);
    let share = |is_so: bool| if is_so { 1000 } else { 0 };
    let (win, loss) = (share(outcome.is_win() && !is_spoilt), share(outcome.is_loss() && !is_spoilt));
    Permille { win, draw: 1000 - win - loss, loss }
}

/// The chances of the results by the score of a search.
pub fn chances(score: Score) -> Permille {
    let share = |lead: f64| (1000.0 / (1.0 + ((EVEN_ODDS - lead) / SLOPE).exp())).round() as u16;
    let (win, loss) = match score {
        Score::Mate(moves) => (if moves > 0 { 1000 } else { 0 }, if moves > 0 { 0 } else { 1000 }),
        Score::Centipawns(lead) => (share(lead.into()), share((-lead).into())),
    };
    Permille { win, draw: 1000_u16.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up() {
        for score in (-5000..=5000).step_by(7).map(Score::Centipawns).chain([Score::Mate(3), Score::Mate(-2)]) {
            let Permille { win, draw, loss } = chances(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
        }
        assert_eq!(chances(Score::Mate(0)).loss, 1000);
        let Permille { win, draw, loss } = chances(Score::Centipawns(0));
        assert!(win == loss && draw > 500);
    }

    #[test]
    fn scores_keep_their_meaning() {
        use crate::search::score;
        for shown in [Score::Mate(1), Score::Mate(5), Score::Mate(-1), Score::Mate(-7), Score::Centipawns(-321)] {
            assert_eq!(score(number(shown)), shown);
        }
        assert_eq!(score(number(Score::Centipawns(i32::MAX))), Score::Centipawns(MATE - 2000));
        assert!(matches!(score(number(Score::Mate(i32::MIN))), Score::Mate(moves) if moves < 0));
    }

    #[test]
    fn only_dtm_shows_mates() {
        use errare_tables::{Plies, Value};
        use shakmaty::{Chess, Position};
        let score = |metric, outcome, plies, fifty| {
            let (value, through) = (Value::new(outcome, plies), Value::new(outcome, plies + 1));
            let mv = Chess::default().legal_moves()[0];
            let successor = Successor { mv, value, zeroing: false, converting: false, stalemate: false, through };
            assert_eq!(successor.through.plies, Plies(plies + 1));
            table_score(metric, &successor, fifty)
        };
        assert_eq!(score(Metric::Dtm, Outcome::Win, 0, true), Score::Mate(1));
        assert_eq!(score(Metric::Dtm, Outcome::Win, 68, true), Score::Mate(35));
        assert_eq!(score(Metric::Dtm, Outcome::Loss, 1, true), Score::Mate(-1));
        assert_eq!(score(Metric::Dtm, Outcome::Draw, 0, true), Score::Centipawns(0));
        assert_eq!(score(Metric::Dtc, Outcome::Loss, 1, true), Score::Centipawns(-WON));
        let rule = Metric::DtzRule(50);
        assert_eq!(score(rule, Outcome::CursedWin, 110, true), Score::Centipawns(CURSED));
        assert_eq!(score(rule, Outcome::BlessedLoss, 110, true), Score::Centipawns(-CURSED));
        assert_eq!(score(rule, Outcome::CursedWin, 110, false), Score::Centipawns(WON));
    }

    #[test]
    fn what_the_rule_spoils_is_a_draw_only_under_the_rule() {
        assert_eq!(table_chances(Outcome::CursedWin, true), Permille { win: 0, draw: 1000, loss: 0 });
        assert_eq!(table_chances(Outcome::CursedWin, false), Permille { win: 1000, draw: 0, loss: 0 });
        assert_eq!(table_chances(Outcome::Loss, true), Permille { win: 0, draw: 0, loss: 1000 });
    }
}
