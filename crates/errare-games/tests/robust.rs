//! No bytes cause a panic, the loss of a valid game elsewhere in the file, or a game that cannot be played.

use crate::common::game;
use errare_games::{Game, Games, GamesError, write_game};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use shakmaty::Position;

/// Reads the bytes and calls every public function on the games found.
fn exhaust(bytes: &[u8]) -> Result<(), TestCaseError> {
    for (game, number) in Games::new(bytes).zip(1..) {
        match game {
            Ok(game) => {
                prop_assert_eq!(game.number, number);
                for (_, before, played) in game.positions() {
                    prop_assert!(before.is_legal(played.mv));
                }
                let mut pgn = Vec::new();
                write_game(&mut pgn, &game, &[])?;
                let again: Vec<Game> = Games::new(&pgn[..]).collect::<Result<_, _>>()?;
                prop_assert_eq!(again.len(), 1);
                prop_assert_eq!(again[0].moves(), game.moves());
            }
            Err(GamesError::Io(error)) => return Err(error.into()),
            Err(error @ GamesError::Broken { .. }) => {
                let message = error.to_string();
                let name = format!("game {number}");
                prop_assert!(message.starts_with(&name));
                prop_assert!(message.chars().count() < 500);
            }
        }
    }
    Ok(())
}

/// Random bytes, biased towards those with a meaning in PGN.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..20),
        proptest::sample::select(
            [
                "[Event \"",
                "[FEN \"",
                "\"]",
                "[",
                "]",
                "{",
                "}",
                "(",
                ")",
                ";",
                "%",
                "\n",
                "\n\n",
                "\r",
                "1.",
                "1...",
                "1-0",
                "*",
                "e4",
                "Nf3",
                "O-O",
                "$1",
                "!",
                "\\",
                "\"",
                " ",
                "\0",
                "½",
                "\u{feff}",
                "[SetUp \"1\"]\n",
                "8/8/8/8/8/8/8/K6k w - - 0 1",
                "[Variant \"Chess960\"]\n",
            ]
            .to_vec()
        )
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

/// A change to a file: the place, the number of bytes to replace, and their replacement.
fn mutation() -> impl Strategy<Value = (Index, usize, Vec<u8>)> {
    (any::<Index>(), 0..4_usize, fragment())
}

const GUARD: &[u8] = b"\n\n[Event \"Guard\"]\n\n1. d4 d5 *\n\n";

proptest! {
    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..2000)) {
        exhaust(&bytes)?;
    }

    #[test]
    fn random_fragments(fragments in vec(fragment(), 0..60)) {
        exhaust(&fragments.concat())?;
    }

    #[test]
    fn a_damaged_game_does_not_harm_the_next((game, annotations) in game(), mutations in vec(mutation(), 1..6)) {
        let mut pgn = Vec::new();
        write_game(&mut pgn, &game, &annotations)?;
        for (place, removed, added) in mutations {
            let start = place.index(pgn.len() + 1);
            let end = (start + removed).min(pgn.len());
            pgn.splice(start..end, added);
        }
        exhaust(&pgn)?;
        // Wherever the damage ends, the game after the next tags is sound.
        pgn.extend_from_slice(GUARD);
        exhaust(&pgn)?;
        let last = Games::new(&pgn[..]).last();
        prop_assert!(matches!(&last, Some(Ok(game)) if game.tag("Event") == Some("Guard") && game.moves().len() == 2),
            "{:?}\n{}", last, String::from_utf8_lossy(&pgn));
    }
}
