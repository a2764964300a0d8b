//! A reference solver for whole small endgames, for tests only.
//!
//! It shares nothing with the crate but the words for results. Moves are shakmaty's legal moves;
//! the graph of an endgame is written down move by move, and each metric is read off the graph by
//! its definition in plies.

mod graph;
mod solved;

pub use graph::{Kind, Node};
pub use solved::Solved;

use shakmaty::{Color, Piece, Role};

/// The men of an endgame besides the kings. No order of strength is asked of the sides: KKR is as
/// good as KRK, and is solved on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men(pub Vec<Piece>);

impl Men {
    /// Reads `KQKR`; White comes first.
    pub fn read(text: &str) -> Men {
        let mut color = Color::Black;
        let mut men = Vec::new();
        for letter in text.chars() {
            match Role::from_char(letter).expect("a letter of a man") {
                Role::King => color = color.other(),
                role => men.push(Piece { color, role }),
            }
        }
        Men(men)
    }

    /// What is left when the man of this number is taken.
    fn without(&self, man: usize) -> Men {
        let mut men = self.0.clone();
        men.remove(man);
        Men(men)
    }
}
