//! Written games are read back as the same games, by this crate and by another reader.

use crate::common::game;
use errare_games::{Annotation, Game, Games, Nag, write_game};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Outcome};
use std::ops::ControlFlow;

fn written(game: &Game, annotations: &[Annotation]) -> Vec<u8> {
    let mut pgn = Vec::new();
    write_game(&mut pgn, game, annotations).expect("memory takes everything");
    pgn
}

/// Anything that differs between two games, except their numbers. Counters count.
fn essence(game: &Game) -> impl PartialEq + std::fmt::Debug + use<> {
    let fen = Fen::from_position(game.start(), EnPassantMode::Legal).to_string();
    (fen, game.moves().to_vec(), game.comments.clone(), game.result)
}

fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")")
}

proptest! {
    #[test]
    fn written_games_are_read_back((game, annotations) in game()) {
        let pgn = written(&game, &annotations);
        // Twice, so that the end of the game is seen to be one.
        let games: Vec<Game> = Games::new(&[&pgn[..], &pgn[..]].concat()[..]).collect::<Result<_, _>>()
            .map_err(|error| TestCaseError::fail(format!("{error}\n{}", String::from_utf8_lossy(&pgn))))?;
        prop_assert_eq!(games.len(), 2);
        prop_assert_eq!(essence(&games[0]), essence(&games[1]));
        let read = &games[0];

        // Each move with what was said about it, the game before the annotation.
        prop_assert_eq!(read.moves().len(), game.moves().len());
        for (ply, (read, played)) in read.moves().iter().zip(game.moves()).enumerate() {
            prop_assert_eq!(read.mv, played.mv);
            let annotation = annotations.get(ply).cloned().unwrap_or_default();
            let mut nags = annotation.nags;
            let mut seen = Vec::new();
            nags.retain(|nag| !seen.contains(nag) && { seen.push(*nag); true });
            prop_assert_eq!(&read.nags, &nags);
            let comments: Vec<String> =
                annotation.comment.iter().map(|text| words(text)).filter(|text| !text.is_empty()).collect();
            prop_assert_eq!(&read.comments, &comments);
        }
        let comments: Vec<String> =
            game.comments.iter().map(|text| words(text)).filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(&read.comments, &comments);
        let result = game.result.or_else(|| game.tag("Result")?.parse().ok()).unwrap_or(Outcome::Unknown);
        prop_assert_eq!(read.result, Some(result));
        for (name, _) in game.tags.iter().filter(|(name, _)| name != "FEN") {
            let value = game.tag(name).map(|value| value.replace(['\r', '\n'], " "));
            prop_assert_eq!(read.tag(name).map(str::to_owned), value, "{}", name);
        }

        // Once written, a game does not change any more.
        prop_assert_eq!(String::from_utf8(written(read, &[])), String::from_utf8(pgn));
    }

    #[test]
    fn another_reader_reads_the_same((mut game, annotations) in game()) {
        // pgn-reader 0.29.0 gives up on long tags, and takes an escaped backslash for the beginning of another escape.
        game.tags.retain(|(_, value)| value.len() < 100 && !value.contains('\\'));
        let pgn = written(&game, &annotations);
        let ours: Vec<Game> = Games::new(&pgn[..]).collect::<Result<_, _>>()?;
        let theirs = Reader::build(&pgn[..]).set_supported_comment_length(4000).finish().read_game(&mut Collect)?;
        let theirs = theirs.ok_or_else(|| TestCaseError::fail("no game"))?;
        prop_assert_eq!(ours.len(), 1);
        let ours = &ours[0];
        prop_assert_eq!(&ours.tags, &theirs.tags);
        let sans: Vec<SanPlus> =
            ours.positions().map(|(_, before, played)| SanPlus::from_move(before, played.mv)).collect();
        prop_assert_eq!(&sans, &theirs.sans);
        let nags: Vec<u8> = ours.moves().iter().flat_map(|played| &played.nags).map(|nag| nag.0).collect();
        prop_assert_eq!(&nags, &theirs.nags);
        let comments = ours.comments.iter().chain(ours.moves().iter().flat_map(|played| &played.comments));
        prop_assert_eq!(&comments.cloned().collect::<Vec<_>>(), &theirs.comments);
        prop_assert_eq!(ours.result, theirs.result);
    }
}

#[test]
fn browne_and_belle_can_be_written_and_annotated() -> Result<(), Box<dyn std::error::Error>> {
    let pgn = include_bytes!("data/browne_belle.pgn");
    for game in Games::new(&pgn[..]) {
        let game = game?;
        let again: Vec<Game> = Games::new(&written(&game, &[])[..]).collect::<Result<_, _>>()?;
        assert_eq!(essence(&again[0]), essence(&game));
        assert_eq!(again[0].tag("FEN"), game.tag("FEN"));

        let mut annotations = vec![Annotation::default(); 3];
        annotations[1] = Annotation { nags: vec![Nag::GOOD], comment: Some("a check".to_owned()) };
        let pgn = String::from_utf8(written(&game, &annotations))?;
        assert!(pgn.contains("+ $1 {a check} 2. "), "{pgn}");
        assert!(pgn.lines().all(|line| line.len() < 80), "{pgn}");
        assert!(pgn.lines().skip(10).filter(|line| line.len() > 70).count() > 5, "{pgn}");
    }
    Ok(())
}

/// The contents of a game as pgn-reader finds them.
#[derive(Default)]
struct Found {
    tags: Vec<(String, String)>,
    sans: Vec<SanPlus>,
    nags: Vec<u8>,
    comments: Vec<String>,
    result: Option<Outcome>,
}

struct Collect;

impl Visitor for Collect {
    type Tags = Found;
    type Movetext = Found;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found::default())
    }

    fn tag(&mut self, found: &mut Found, name: &[u8], value: RawTag<'_>) -> ControlFlow<Found> {
        found.tags.push((String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, found: Found) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(found)
    }

    fn san(&mut self, found: &mut Found, san: SanPlus) -> ControlFlow<Found> {
        found.sans.push(san);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, found: &mut Found, nag: pgn_reader::Nag) -> ControlFlow<Found> {
        found.nags.push(nag.0);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, found: &mut Found, comment: RawComment<'_>) -> ControlFlow<Found> {
        found.comments.push(words(&String::from_utf8_lossy(comment.as_bytes())));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, found: &mut Found, outcome: Outcome) -> ControlFlow<Found> {
        found.result = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, found: Found) -> Found {
        found
    }
}
