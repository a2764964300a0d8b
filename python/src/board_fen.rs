//! FENs from the bitboards of python-chess, whose own way to write a FEN takes a hundred times as long.

use pyo3::intern;
use pyo3::prelude::*;

/// Appends the FEN of a `chess.Board`, without its clocks, which no table knows; none if it is another object.
pub fn append(board: &Bound<'_, PyAny>, fen: &mut String) -> PyResult<Option<()>> {
    let py = board.py();
    // Each board has its men by role, White's in all, whose turn it is, and two rights.
    let Ok(pawns) = board.getattr(intern!(py, "pawns")) else { return Ok(None) };
    let number = |name| board.getattr(name)?.extract::<u64>();
    let roles = [
        (pawns.extract::<u64>()?, b'p'),
        (number(intern!(py, "knights"))?, b'n'),
        (number(intern!(py, "bishops"))?, b'b'),
        (number(intern!(py, "rooks"))?, b'r'),
        (number(intern!(py, "queens"))?, b'q'),
        (number(intern!(py, "kings"))?, b'k'),
    ];
    let white = board.getattr(intern!(py, "occupied_co"))?.get_item(true)?.extract::<u64>()?;
    let is_whites_turn: bool = board.getattr(intern!(py, "turn"))?.extract()?;
    let has_castling = number(intern!(py, "castling_rights"))? != 0
        && board.call_method0(intern!(py, "clean_castling_rights"))?.extract::<u64>()? != 0;
    let ep_square: Option<u8> = board.getattr(intern!(py, "ep_square"))?.extract()?;
    append_placement(&roles, white, fen);
    fen.push_str(if is_whites_turn { " w " } else { " b " });
    // Which rights there are makes no difference: tables know none.
    fen.push_str(if has_castling { "KQkq " } else { "- " });
    match ep_square {
        Some(square @ 0..64) => {
            fen.push(char::from(b'a' + square % 8));
            fen.push(char::from(b'1' + square / 8));
        }
        _ => fen.push('-'),
    }
    fen.push_str(" 0 1");
    Ok(Some(()))
}

fn append_placement(roles: &[(u64, u8); 6], white: u64, fen: &mut String) {
    let occupied = roles.iter().fold(0, |all, (some, _)| all | some);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = 1_u64 << (8 * rank + file);
            if occupied & square == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                fen.push(char::from(b'0' + empty));
                empty = 0;
            }
            let man = roles.iter().find(|(men, _)| men & square != 0).map_or(b'p', |&(_, man)| man);
            fen.push(char::from(if white & square == 0 { man } else { man.to_ascii_uppercase() }));
        }
        if empty > 0 {
            fen.push(char::from(b'0' + empty));
        }
        if rank > 0 {
            fen.push('/');
        }
    }
}
