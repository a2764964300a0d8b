//! Reading of tidy, untidy and broken files.

use errare_games::{Flaw, Game, Games, GamesError, Nag};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Color, EnPassantMode, KnownOutcome, Outcome};
use std::io::{self, Read, Write};

type Test = Result<(), Box<dyn std::error::Error>>;

const BROWNE_BELLE: &[u8] = include_bytes!("data/browne_belle.pgn");
const BROKEN: &[u8] = include_bytes!("data/broken.pgn");
const UNTIDY: &[u8] = include_bytes!("data/untidy.pgn");

fn sans(game: &Game) -> String {
    let san = |(_, before, played): (usize, _, &errare_games::PlayedMove)| SanPlus::from_move(before, played.mv);
    game.positions().map(|step| san(step).to_string()).collect::<Vec<_>>().join(" ")
}

fn win(winner: Color) -> Option<Outcome> {
    Some(Outcome::Known(KnownOutcome::Decisive { winner }))
}

#[test]
fn browne_against_belle() -> Test {
    let games: Vec<Game> = Games::new(BROWNE_BELLE).collect::<Result<_, _>>()?;
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].result, Some(Outcome::Known(KnownOutcome::Draw)));
    assert_eq!(games[1].result, win(Color::White));
    assert_eq!(games[1].number, 2);
    assert_eq!(games[1].white(), Some("Browne, Walter"));
    assert_eq!(games[1].black(), Some("BELLE"));
    assert_eq!(games[1].title(), "Browne, Walter - BELLE, Browne-BELLE KQKR exhibition game 2, 1978.12.30");
    assert_eq!(games[1].tags[0].0, "Event");
    assert_eq!(games[1].tags.len(), 9);
    // "Browne won exactly on move 50 in the second game", by taking the rook.
    assert_eq!(games[1].moves().len(), 99);
    assert_eq!(games[1].move_number(98).to_string(), "50.");
    assert!(sans(&games[1]).ends_with("Kg3 Qg7+ Kh3 Qxa1"));
    // The game says where it began, and each step where it stood.
    let fens: Vec<String> = games[0]
        .positions()
        .map(|(_, before, _)| Fen::from_position(&before, EnPassantMode::Legal).to_string())
        .collect();
    assert_eq!(fens[0], "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1");
    assert_eq!(fens[1], "4r3/1K6/5k2/Q7/8/8/8/8 b - - 1 1");
    assert_eq!(fens.len(), 90);
    Ok(())
}

#[test]
fn broken_games_are_named_and_the_others_read() {
    let mut good = Vec::new();
    let mut complaints = Vec::new();
    for game in Games::new(BROKEN) {
        match game {
            Ok(game) => good.push((game.number, game.white().unwrap_or_default().to_owned(), sans(&game))),
            Err(error) => complaints.push(error.to_string()),
        }
    }
    let expected: Vec<_> = (1..=12).map(|n| (2 * n, n.to_string(), "e4".to_owned())).collect();
    assert_eq!(good, expected);
    assert_eq!(
        complaints,
        [
            "game 1 (Adams - Baker, Illegal, 2001.05.??), line 6: illegal move 3... Bxb5",
            "game 3 (Ambiguous), line 18: ambiguous move 42. Rd1",
            "game 5 (Ambiguous), line 28: ambiguous move 3. Nd2",
            "game 7 (Unreadable), line 37: invalid move 2... Qxh9: expected algebraic notation",
            "game 9 (FEN), line 45: invalid FEN `8/8/8/8/8/8/8/8 w - - 0 1`: \
         illegal position: empty board, missing king",
            "game 11 (SetUp), line 55: missing FEN: the tag SetUp announces a start position",
            "game 13 (Variant), line 65: unsupported variant `Atomic`",
            "game 15 (Open comment), line 76: unclosed comment: expected `}` before the next game",
            "game 17 (Open variation), line 86: unclosed variation: expected `)` before the end of the game",
            "game 19 (Stray bracket), line 96: invalid move 2... ): expected algebraic notation",
            "game 21 (After the result), line 105: unexpected text after the result",
            "game 23 (Null move), line 114: illegal move 1... --",
        ]
    );
}

#[test]
fn a_broken_game_says_how_far_it_went() {
    let plies: Vec<usize> = Games::new(BROKEN)
        .filter_map(|game| match game {
            Err(GamesError::Broken { ply, .. }) => Some(ply),
            _ => None,
        })
        .collect();
    assert_eq!(plies, [5, 3, 4, 3, 0, 0, 0, 1, 2, 3, 2, 1]);
}

#[test]
fn untidy_games_are_read_as_they_were_meant() -> Test {
    let games: Vec<Game> = Games::new(UNTIDY).collect::<Result<_, _>>()?;
    assert_eq!(
        games.iter().map(sans).collect::<Vec<_>>(),
        ["e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6", "exd6 Kg7 a8=Q Kf7 d7 Ke7 d8=N Kd6", "", "d4 d5 c4", "c4 c5", "b4", "g4",]
    );

    let first = &games[0];
    assert_eq!(first.tag("Event"), Some("The \"Big\" Open"));
    assert_eq!(first.tag("Site"), Some("Here \\ there"));
    assert_eq!(first.tag("White"), Some("No space"));
    assert_eq!(first.tag("Unquoted"), Some("value"));
    assert_eq!(first.comments, ["This file is untidy.", "Before the first move."]);
    let nags: Vec<&[Nag]> = first.moves().iter().map(|played| &played.nags[..]).collect();
    assert_eq!(nags[..4], [&[Nag::GOOD][..], &[Nag::DUBIOUS], &[Nag(14)], &[]]);
    assert_eq!(first.moves()[1].comments, ["After a variation."]);
    assert_eq!(first.moves()[6].comments, ["till the end of the line ) here"]);
    assert_eq!(first.moves()[7].comments, ["After the result."]);
    assert_eq!(first.result, Some(Outcome::Known(KnownOutcome::Draw)));

    assert_eq!(games[1].move_number(1).to_string(), "12...");
    assert_eq!(games[1].result, None);
    assert_eq!(games[2].tag("Result"), Some("1-0"));
    assert_eq!(games[2].result, None);
    assert_eq!(games[3].result, None);
    assert_eq!(games[4].result, win(Color::White));
    assert_eq!(games[6].moves()[0].comments, ["The last."]);
    Ok(())
}

#[test]
fn every_encoding_of_the_same_file_is_the_same() -> Test {
    let text = String::from_utf8(UNTIDY.to_vec())?;
    let expected: Vec<String> =
        Games::new(UNTIDY).map(|game| game.map(|game| sans(&game))).collect::<Result<_, _>>()?;
    for variant in [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}"), text + "\x1a\0\0"]
    {
        let found: Result<Vec<_>, _> =
            Games::new(variant.as_bytes()).map(|game| game.map(|game| sans(&game))).collect();
        assert_eq!(found?, expected);
    }
    Ok(())
}

#[test]
fn bytes_that_are_not_utf_8_are_latin_1() -> Test {
    let pgn = b"[White \"H\xfcbner\"]\n[Black \"nul \0\"]\n\n1. e4 {d\xe9j\xe0 vu} *";
    let games: Vec<Game> = Games::new(&pgn[..]).collect::<Result<_, _>>()?;
    assert_eq!(games[0].white(), Some("Hübner"));
    assert_eq!(games[0].black(), Some("nul \0"));
    assert_eq!(games[0].moves()[0].comments, ["déjà vu"]);
    Ok(())
}

#[test]
fn what_holds_no_game_yields_nothing() {
    for nothing in ["", "\n\n \r\n", "\u{feff}", "% escaped", "{only a comment}", "; likewise\n\n*\n", "1-0", "12."] {
        assert!(Games::new(nothing.as_bytes()).next().is_none(), "{nothing:?}");
    }
}

#[test]
fn what_is_no_pgn_is_one_broken_game() {
    let games: Vec<_> = Games::new(&b"Dear Sir or Madam,\n\nI regret to inform you"[..]).collect();
    assert!(matches!(
        &games[..],
        [Err(GamesError::Broken { number: 1, line: 1, flaw: Flaw::Unreadable(text), .. })] if text == "1. Dear"
    ));
}

#[test]
fn an_open_comment_anywhere_spares_the_next_game() {
    for before in ["{", "1. e4 {White", "1. e4 1-0 {White", "(1. e4 {White", "[White \"a\"]\n{"] {
        let pgn = format!("{before}\n\n[Event \"b\"]\n\n1. d4 *");
        let games: Vec<_> = Games::new(pgn.as_bytes()).collect();
        assert!(matches!(&games[0], Err(GamesError::Broken { flaw: Flaw::OpenComment, .. })), "{before}");
        assert!(matches!(&games[1], Ok(game) if game.tag("Event") == Some("b") && game.moves().len() == 1), "{before}");
    }
}

#[test]
fn stray_tags_do_not_cling_to_the_next_game() -> Test {
    let pgn = "1. e4 * [SetUp \"0\"]\n\n[Event \"b\"]\n\n1. d4 *";
    let games: Vec<Game> = Games::new(pgn.as_bytes()).collect::<Result<_, _>>()?;
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4", "", "d4"]);
    Ok(())
}

/// A stream of some bytes that then fails on every read.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            count => Ok(count),
        }
    }
}

#[test]
fn an_io_error_ends_the_iteration() {
    let pgn = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4";
    let games: Vec<_> = Games::new(Failing(pgn)).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_ok());
    let complaint = games[1].as_ref().map(|_| ()).map_err(ToString::to_string);
    assert_eq!(complaint, Err("cannot read the games: the disk is gone".to_owned()));
}

/// Archives of games are kept compressed, and nobody should have to unpack them.
#[test]
fn compressed_files_are_read_like_plain_ones() -> Test {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(UNTIDY)?;
    let titles = |bytes: &[u8]| -> Result<Vec<String>, GamesError> {
        Games::new(bytes).map(|game| game.map(|game| sans(&game))).collect()
    };
    let plain = titles(UNTIDY)?;
    assert!(plain.len() > 5);
    let gzip = gzip.finish()?;
    assert_eq!(titles(&gzip)?, plain);
    assert_eq!(titles(&zstd::encode_all(UNTIDY, 3)?)?, plain);
    assert!(titles(&gzip[..gzip.len() / 2]).is_err(), "a file that was cut off is no shorter file");
    Ok(())
}
