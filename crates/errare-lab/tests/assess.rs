//! Assessments as a door for pages has them: rows of games, boards, and how far the work is.

use crate::common::LAB;
use errare_lab::{AssessRequest, AssessResponse, GameDetail, Side};
use errare_work::{Progress, Silent, Status};
use serde_json::{from_value, json};
use std::sync::Mutex;

const BROWNE_BELLE: &str = include_str!("../../errare-games/tests/data/browne_belle.pgn");

/// A queen is thrown away in the endgame; before it a game without one.
const OTHERS: &str = "[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 *\n\n\
    [White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n\n1. Qd8+ Rxd8+ 0-1\n\n";

fn assess(pgn: &str, detail: GameDetail) -> AssessResponse {
    let request = AssessRequest { detail, ..AssessRequest::of_pgn(pgn) };
    LAB.run(&request, &Silent).expect("an assessment")
}

#[test]
fn rows_say_in_brief_what_moves_say_at_length() {
    let text = format!("{OTHERS}{BROWNE_BELLE}");
    let (brief, whole) = (assess(&text, GameDetail::Rows), assess(&text, GameDetail::Moves));
    assert!(brief.games.is_empty() && whole.index.is_empty() && whole.annotated.is_empty());
    // The game without an endgame has no row.
    assert_eq!((brief.index.len(), whole.games.len()), (3, 4));
    assert_eq!(brief.index.iter().map(|row| row.heading.number).collect::<Vec<_>>(), [2, 3, 4]);
    for (row, game) in brief.index.iter().zip(&whole.games[1..]) {
        assert_eq!((&row.heading.white, &row.heading.black), (&game.heading.white, &game.heading.black));
        let moves: Vec<_> = game.segments.iter().flat_map(|segment| &segment.moves).collect();
        assert_eq!(row.moves, moves.len() as u64);
        for (side, play) in [(Side::White, &row.white_play), (Side::Black, &row.black_play)] {
            let own: Vec<_> = moves.iter().filter(|mv| mv.heading.side == side).collect();
            let (play, last) = (play.as_ref().expect("moves"), own.last().expect("moves"));
            assert_eq!((play.expected_c, play.interval), (last.expected_c, last.interval));
            assert_eq!(play.too_little_to_say, last.too_little_to_say);
            assert_eq!(play.conceded, u64::from(last.conceded_total));
            assert_eq!(play.given_up, own.iter().filter(|mv| mv.effect.given_up.is_some()).count() as u64);
        }
    }
    let thrown = brief.index[0].worst.as_ref().expect("a worst move");
    let made = &thrown.heading;
    assert_eq!((made.san.as_str(), made.ply, made.side), ("Qd8+", 1, Side::White));
    // 32.Qc4 of the first game concedes four moves.
    let slip = brief.index[1].worst.as_ref().expect("a worst move");
    assert_eq!((slip.heading.move_number.as_str(), slip.heading.san.as_str(), slip.conceded), ("32.", "Qc4", Some(4)));
    assert_eq!(brief.index[1].endgames, ["KQKR"]);
    // Players are the same, in fewer words.
    assert!(brief.players.iter().all(|player| player.posterior.is_none()));
    assert!(whole.players.iter().all(|player| player.posterior.is_some()));
    let expected = |found: &AssessResponse| found.players.iter().map(|one| one.total.expected_c).collect::<Vec<_>>();
    assert_eq!(expected(&brief), expected(&whole));
}

#[test]
fn annotated_games_are_assessed_as_the_games_were() {
    let rows = assess(BROWNE_BELLE, GameDetail::Rows);
    assert_eq!((rows.index.len(), rows.annotated.len(), rows.unlisted_games), (2, 2, 0));
    assert!(rows.annotated[0].replace('\n', " ").contains("17. Qc6 $6 {win in 16, now in 18; 3 moves conceded"));
    for (row, pgn) in rows.index.iter().zip(&rows.annotated) {
        let again = assess(pgn, GameDetail::Rows);
        let [one] = &again.index[..] else { panic!("one game") };
        let (one, two) = (one.white_play.as_ref().expect("moves"), row.white_play.as_ref().expect("moves"));
        assert_eq!((one.expected_c, one.moves), (two.expected_c, two.moves));
    }
}

#[test]
fn a_board_follows_the_whole_game() {
    let whole = assess(OTHERS, GameDetail::Boards);
    let boards: Vec<_> = whole.games.iter().map(|game| game.board.as_ref().expect("a board")).collect();
    assert_eq!(boards[0].start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((boards[0].moves[1].uci.as_str(), boards[0].moves[1].san.as_str()), ("e7e5", "e5"));
    assert_eq!(boards[1].moves[0].fen, "K2Qr3/8/5k2/8/8/8/8/8 b - - 1 1");
    assert!(boards[1].moves[0].check && !boards[0].moves[0].check);
    assert!(assess(OTHERS, GameDetail::Moves).games[0].board.is_none());
    let json = serde_json::to_value(&whole.games[1]).expect("JSON");
    assert_eq!(json["segments"][0]["moves"][0]["glyph"], "??");
    assert_eq!(json["result"], "0-1");
}

/// Keeps what is reported.
#[derive(Default)]
struct Reports(Mutex<Vec<(String, u64, Option<u64>)>>);

impl Progress for Reports {
    fn report(&self, status: &Status<'_>) {
        self.0.lock().expect("reports").push((status.activity.to_owned(), status.done, status.total));
    }
}

#[test]
fn progress_counts_games_of_all_games() {
    let many: String =
        (1..=300).map(|round| OTHERS.replace("[White", &format!("[Round \"{round}\"]\n[White"))).collect();
    let request: AssessRequest = from_value(json!({"pgn": many, "detail": "rows"})).expect("a request");
    let reports = Reports::default();
    let found = LAB.run(&request, &reports).expect("an assessment");
    let reports = reports.0.into_inner().expect("reports");
    let games: Vec<_> = reports.iter().filter(|(activity, ..)| activity == "assessing").collect();
    assert_eq!(found.totals.games + found.totals.duplicates, 600);
    assert!(games.iter().all(|(_, done, total)| *total == Some(600) && *done < 600), "{games:?}");
    assert!(games.iter().any(|(_, done, _)| *done > 256), "the second batch");
}
