//! Quiet moves by number, against another move generator.

use errare_tables::{Cells, Extent, Material, QuietMoves};
use shakmaty::{Board, Position};
use std::collections::HashSet;

/// The placement as text, the least of those that the symmetries of the board turn it into: tables hold one of them, or two.
fn least_image(board: &Board) -> String {
    let mut images = vec![board.clone()];
    let flips: &[fn(&mut Board)] = match board.pawns().is_empty() {
        true => &[Board::flip_horizontal, Board::flip_vertical, Board::flip_diagonal],
        false => &[Board::flip_horizontal],
    };
    for flip in flips {
        for mut image in images.clone() {
            flip(&mut image);
            images.push(image);
        }
    }
    images.iter().map(|image| image.board_fen().to_string()).min().unwrap_or_default()
}

/// The places that quiet moves lead to are those of shakmaty's moves.
#[test]
fn quiet_moves_are_those_of_another_move_generator() {
    for text in ["KQKR", "KBBKN", "KBBK", "KPK", "KNNKP", "KRPKP", "KPKP"] {
        let material: Material = text.parse().expect("an endgame");
        let quiet = QuietMoves::new(material).expect("men");
        let whole = Cells::new(material, Extent::Whole).expect("men");
        let drawn = Cells::new(material, Extent::Sample { placements: 3000, seed: 5 }).expect("men");
        let (mut seen, mut stepped) = (0, 0);
        for position in (0..drawn.count()).filter_map(|n| drawn.position(n)) {
            let number = whole.number(&position).expect("the same men");
            let mut places = Vec::new();
            let others = quiet.moves(position.turn(), number / 2, &mut places);
            for &to in &places {
                let mut before = Vec::new();
                quiet.unmoves(position.turn(), to, &mut before);
                assert!(before.contains(&(number / 2)), "{text}: back from {to} to {position:?}");
            }
            let after = |mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after
            };
            let (zeroing, calm): (Vec<_>, Vec<_>) = position.legal_moves().into_iter().partition(|mv| mv.is_zeroing());
            let captures = zeroing.iter().any(|mv| mv.is_capture() && !mv.is_en_passant());
            let pawn_moves = zeroing.iter().any(|mv| mv.role() == shakmaty::Role::Pawn);
            assert!((others.captures || !captures) && (others.pawns || !pawn_moves), "{text}: {position:?}");
            let turn = position.turn().other();
            let part = quiet.levels().into_iter().flatten().find(|part| part.contains(&(number / 2))).expect("a part");
            let promotes = zeroing.iter().any(|mv| mv.is_promotion());
            assert!(quiet.may_promote(position.turn(), &part) || !promotes, "{text}: {position:?}");
            if let Some(pushes) = quiet.pushes(position.turn(), &part) {
                let places = pushes.iter().filter_map(|push| {
                    let to = quiet.pushed(push, number / 2)?;
                    assert!(push.part.contains(&to));
                    quiet.position(to, turn).ok()
                });
                let found: HashSet<String> = places.map(|there| least_image(there.board())).collect();
                let steps = zeroing.iter().filter(|mv| !mv.is_capture() && !mv.is_promotion());
                let expected: HashSet<String> = steps.map(|&mv| least_image(after(mv).board())).collect();
                assert_eq!(found, expected, "{text}: pawn steps in {position:?}");
                stepped += expected.len();
            }
            let positions = places.iter().filter_map(|&place| quiet.position(place, turn).ok());
            let found: HashSet<String> = positions.map(|there| least_image(there.board())).collect();
            let expected: HashSet<String> = calm.iter().map(|&mv| least_image(after(mv).board())).collect();
            assert_eq!(found, expected, "{text}: {position:?}");
            seen += calm.len();
        }
        assert!(seen > 1000, "{text}: {seen}");
        assert!(stepped > 100 || !["KPK", "KNNKP"].contains(&text), "{text}: {stepped}");
    }
}
