//! Games to test with.

use errare_games::{Annotation, Game, Nag};
use proptest::collection::vec;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Outcome, Position};

/// Where games begin: castling, en passant, promotions, Black to move, and what no game could lead to.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 9 12",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/PPPPk3/8/8/8/8/ppppK3/8 b - - 0 4294967295",
    "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
    "NNNNNNNN/NNNN4/NNN5/8/8/8/7k/K7 w - - 4 99",
    "4r3/8/8/8/4K3/8/4r3/7k w - - 0 1",
];

fn outcome() -> impl Strategy<Value = Option<Outcome>> {
    prop_oneof![
        Just(None),
        Just(Some(Outcome::Unknown)),
        Just(Some(Outcome::Known(KnownOutcome::Draw))),
        Just(Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::White }))),
        Just(Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }))),
    ]
}

/// Text with what is dangerous in a PGN.
pub fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,6}",
        Just("\n[Event \"x\"]\n\n1. e4".to_owned()),
        Just("} 1-0 {".to_owned()),
        Just("\\\"\\".to_owned()),
        Just("\r\n%\t".to_owned()),
        Just("; [%clk 1:02:03]".to_owned()),
        Just(" word word word word word word word word word word word word word word word".to_owned()),
    ];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn tags() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop_oneof![
        Just("Event".to_owned()),
        Just("White".to_owned()),
        Just("Result".to_owned()),
        Just("FEN".to_owned()),
        "[A-Za-z0-9_]{1,9}",
    ];
    vec((name, text()), 0..8)
}

/// A legal game of random moves, with annotations for some of them.
pub fn game() -> impl Strategy<Value = (Game, Vec<Annotation>)> {
    let nags = vec(any::<u8>().prop_map(Nag), 0..3);
    let annotation = (nags, proptest::option::of(text())).prop_map(|(nags, comment)| Annotation { nags, comment });
    (
        proptest::sample::select(STARTS.to_vec()),
        vec(any::<proptest::sample::Index>(), 0..120),
        tags(),
        vec(text(), 0..2),
        outcome(),
        vec(annotation, 0..120),
    )
        .prop_map(|(fen, choices, tags, comments, result, annotations)| {
            let mut game = Game::new(position(fen));
            game.tags = tags;
            game.comments = comments;
            game.result = result;
            for choice in choices {
                let moves = game.end().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.push(*choice.get(&moves)).expect("a legal move");
            }
            (game, annotations)
        })
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .expect("a position")
}
