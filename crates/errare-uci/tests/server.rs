//! Whatever comes in is survived, and what goes out reads back.

use errare_uci::Score;
use errare_uci::server::{Clock, Command, Declaration, Go, Info, InputLine, Kind, Lines, Message, Start};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};

fn uci_move() -> impl Strategy<Value = UciMove> {
    let promotion =
        proptest::option::of(prop::sample::select(vec![Role::Queen, Role::Rook, Role::Bishop, Role::Knight]));
    (0_u32..64, 0_u32..64, promotion)
        .prop_filter("a move goes somewhere", |(from, to, _)| from != to)
        .prop_map(|(from, to, promotion)| UciMove::Normal { from: Square::new(from), to: Square::new(to), promotion })
}

fn words() -> impl Strategy<Value = String> {
    let word = "[A-Za-z0-9_/+.<>-]{1,8}".prop_filter("the word that ends a name", |word| word != "value");
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn fen() -> impl Strategy<Value = String> {
    words().prop_filter("the word that ends a FEN", |fen| !fen.split(' ').any(|word| word == "moves"))
}

fn clock() -> impl Strategy<Value = Clock> {
    (any::<Option<u64>>(), any::<Option<u64>>()).prop_map(|(left, increment)| Clock { left, increment })
}

fn go() -> impl Strategy<Value = Go> {
    let numbers =
        (any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<u64>>());
    (prop::collection::vec(uci_move(), 0..4), any::<[bool; 2]>(), clock(), clock(), numbers).prop_map(
        |(search_moves, [ponder, infinite], white, black, (moves_to_go, depth, nodes, mate, move_time))| Go {
            search_moves,
            ponder,
            white,
            black,
            moves_to_go,
            depth,
            nodes,
            mate,
            move_time,
            infinite,
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(Start::Initial), fen().prop_map(Start::Fen)];
    prop_oneof![
        prop::sample::select(vec![Command::Uci, Command::IsReady, Command::NewGame]),
        prop::sample::select(vec![Command::Stop, Command::PonderHit, Command::Quit]),
        any::<bool>().prop_map(Command::Debug),
        (words(), proptest::option::of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        words().prop_map(Command::Register),
        (start, prop::collection::vec(uci_move(), 0..6)).prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
    ]
}

proptest! {
    #[test]
    fn commands_read_back(command in command()) {
        prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
    }

    #[test]
    fn no_text_is_too_much(text in "\\PC{0,200}") {
        let _ = Command::parse(&text);
    }

    /// Words that mean something, in any order.
    #[test]
    fn no_sentence_is_too_much(words in prop::collection::vec(prop::sample::select(vec![
        "uci", "debug", "on", "setoption", "name", "value", "position", "startpos", "fen", "moves", "e2e4", "0000", "go",
        "searchmoves", "ponder", "wtime", "-1", "99999999999999999999999", "depth", "é", "stop", "\u{0}", "Q@f7",
    ]), 0..12)) {
        let _ = Command::parse(&words.join(" "));
    }

    #[test]
    fn lines_are_those_of_the_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let found: Vec<InputLine> = Lines::new(&bytes[..]).collect::<Result<_, _>>().unwrap();
        let mut expected: Vec<_> = bytes.split(|&byte| byte == b'\n').map(String::from_utf8_lossy).collect();
        if expected.last().is_some_and(|last| last.is_empty()) {
            expected.pop();
        }
        let expected: Vec<InputLine> = expected.into_iter().map(|text| InputLine::Text(text.into_owned())).collect();
        prop_assert_eq!(found, expected);
    }

    /// Every number that is told stands behind its word, and everything in one line.
    #[test]
    fn infos_can_be_read(depth in 0_u32..200, cp in any::<i32>(), nodes in any::<u64>(), time in any::<u64>(),
                         line in prop::collection::vec(uci_move(), 1..5)) {
        let info = Info { depth, score: Some(Score::Centipawns(cp)), nodes, time, line: line.clone(), ..Info::default() };
        let text = Message::Info(info).to_string();
        let words: Vec<&str> = text.split(' ').collect();
        let after = |word: &str| words.iter().position(|found| *found == word).map(|at| words[at + 1]);
        let (depth, nodes, time, cp) = (depth.to_string(), nodes.to_string(), time.to_string(), cp.to_string());
        prop_assert_eq!(after("depth"), Some(depth.as_str()));
        prop_assert_eq!(after("nodes"), Some(nodes.as_str()));
        prop_assert_eq!(after("time"), Some(time.as_str()));
        prop_assert_eq!(after("cp"), Some(cp.as_str()));
        let pv: Vec<UciMove> = text.split_once(" pv ").unwrap().1.split(' ').map(|mv| mv.parse().unwrap()).collect();
        prop_assert_eq!(pv, line);
    }

    #[test]
    fn a_message_is_one_line(text in any::<String>()) {
        for message in [
            Message::Text(text.clone()),
            Message::Name(text.clone()),
            Message::Option(Declaration::new("Tables", Kind::Text { default: text })),
        ] {
            prop_assert!(!message.to_string().contains(['\n', '\r', '\0']));
        }
    }

    #[test]
    fn no_value_is_too_much(value in any::<Option<String>>()) {
        for kind in [
            Kind::Check { default: true },
            Kind::Spin { default: 1, min: i64::MIN, max: i64::MAX },
            Kind::Combo { default: "a".to_owned(), choices: vec!["a".to_owned()] },
            Kind::Button,
            Kind::Text { default: String::new() },
        ] {
            let _ = Declaration::new("X", kind).read(value.as_deref());
        }
    }
}
