//! A board drawn with characters.

use clap::ValueEnum;
use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};
use std::io::{self, IsTerminal};

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardStyle {
    /// Chess pieces
    Unicode,
    /// Letters, capitals for White
    Ascii,
}

/// Draws boards in one style, on a terminal perhaps in colour.
#[derive(Clone, Copy, Debug)]
pub struct BoardPainter {
    style: BoardStyle,
    colour: bool,
}

impl BoardPainter {
    /// Makes a painter for stdout. Nothing but a terminal gets colours, and none if `NO_COLOR` is set.
    #[must_use]
    pub fn for_stdout(style: Option<BoardStyle>) -> BoardPainter {
        let is_terminal = io::stdout().is_terminal();
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_lowercase();
        let shows_unicode = is_terminal && (locale.contains("utf-8") || locale.contains("utf8"));
        let fitting = if shows_unicode { BoardStyle::Unicode } else { BoardStyle::Ascii };
        let is_dumb = set("TERM").is_some_and(|terminal| terminal == "dumb");
        let colour = is_terminal && set("NO_COLOR").is_none() && !is_dumb;
        BoardPainter { style: style.unwrap_or(fitting), colour }
    }

    /// The lines of a board seen from a side, with the squares of the last move marked.
    #[must_use]
    pub fn lines(&self, board: &Board, from: Color, last: Option<(Square, Square)>) -> Vec<String> {
        let ordered = |turned: bool| move |n: u32| if turned { 7 - n } else { n };
        let (rank_of, file_of) = (ordered(from.is_white()), ordered(from.is_black()));
        let mut lines: Vec<String> = (0..8)
            .map(|row| {
                let rank = Rank::new(rank_of(row));
                let cells = (0..8).map(|column| {
                    let square = Square::from_coords(File::new(file_of(column)), rank);
                    self.cell(board.piece_at(square), square, last)
                });
                format!(" {rank} {}", cells.collect::<String>())
            })
            .collect();
        let files: String = (0..8).map(|column| format!(" {} ", File::new(file_of(column)))).collect();
        lines.push(format!("   {}", files.trim_end()));
        lines
    }

    fn cell(&self, piece: Option<Piece>, square: Square, last: Option<(Square, Square)>) -> String {
        let is_marked = last.is_some_and(|(from, to)| square == from || square == to);
        let shown = piece.map_or(if self.colour { ' ' } else { '.' }, |piece| self.symbol(piece));
        if !self.colour {
            return if is_marked { format!("[{shown}]") } else { format!(" {shown} ") };
        }
        let background = match (is_marked, square.is_light()) {
            (true, true) => 186,
            (true, false) => 143,
            (false, true) => 180,
            (false, false) => 137,
        };
        let ink = if piece.is_some_and(|piece| piece.color.is_white()) { 231 } else { 16 };
        format!("\u{1b}[48;5;{background};38;5;{ink}m {shown} \u{1b}[0m")
    }

    fn symbol(&self, piece: Piece) -> char {
        // On coloured squares ink tells the sides apart, and filled pieces can be seen best.
        let is_outlined = piece.color.is_white() && !self.colour;
        let (outlined, filled) = match (self.style, piece.role) {
            (BoardStyle::Ascii, _) => return piece.char(),
            (BoardStyle::Unicode, Role::King) => ('♔', '♚'),
            (BoardStyle::Unicode, Role::Queen) => ('♕', '♛'),
            (BoardStyle::Unicode, Role::Rook) => ('♖', '♜'),
            (BoardStyle::Unicode, Role::Bishop) => ('♗', '♝'),
            (BoardStyle::Unicode, Role::Knight) => ('♘', '♞'),
            (BoardStyle::Unicode, Role::Pawn) => ('♙', '♟'),
        };
        if is_outlined { outlined } else { filled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        "8/8/8/8/8/2k5/1R6/K7".parse().expect("a board")
    }

    #[test]
    fn boards_are_seen_from_either_side_with_the_last_move_marked() {
        let painter = BoardPainter { style: BoardStyle::Ascii, colour: false };
        let last = Some((Square::B1, Square::B2));
        let white = painter.lines(&board(), Color::White, last);
        assert_eq!(white[5], " 3  .  .  k  .  .  .  .  . ");
        assert_eq!(white[6], " 2  . [R] .  .  .  .  .  . ");
        assert_eq!(white[7], " 1  K [.] .  .  .  .  .  . ");
        assert_eq!(white[8], "    a  b  c  d  e  f  g  h");
        let black = painter.lines(&board(), Color::Black, None);
        assert_eq!(black[0], " 1  .  .  .  .  .  .  .  K ");
        assert_eq!(black[8], "    h  g  f  e  d  c  b  a");
    }

    #[test]
    fn pieces_are_outlined_for_white_unless_ink_tells_the_sides_apart() {
        let plain = BoardPainter { style: BoardStyle::Unicode, colour: false };
        assert!(plain.lines(&board(), Color::White, None)[6].contains('♖'));
        assert!(!plain.lines(&board(), Color::White, None).concat().contains('\u{1b}'));
        let coloured = BoardPainter { style: BoardStyle::Unicode, colour: true };
        let line = &coloured.lines(&board(), Color::White, None)[6];
        assert!(line.contains("38;5;231m ♜ ") && line.ends_with("\u{1b}[0m"), "{line:?}");
    }
}
