//! Gaviota tables, read by the C library of their author.

use super::gaviota_identity::cornered;
use super::gtb;
use super::libgaviotatb::{Answer, LONGEST_FOLDER, Men, NO_SQUARE, Question, ask};
use super::{Maker, OwnedError, entries, find, sides};
use crate::error::TableError;
use crate::material::Material;
use crate::metric::Metric;
use crate::probe::merit;
use crate::source::Source;
use crate::value::{Outcome, Value};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position};
use std::collections::HashSet;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

const EXTENSION: &str = ".gtb.cp4";

/// The step between positions that are worked out from their moves when a file is checked: one in so many.
const WORKED_OUT: usize = 128;

/// A set of Gaviota tables, whose depths are plies to mate.
///
/// The C library keeps one set open for the whole process and is called under a lock. Two values of this type
/// with different folders work, but restart the library whenever they take turns.
#[derive(Debug)]
pub struct Gaviota {
    folders: Vec<PathBuf>,
    names: Vec<CString>,
    /// Endgames whose files have been checked.
    sound: RwLock<HashSet<Material>>,
}

impl Gaviota {
    /// Opens the tables of some folders, of which the first has precedence.
    ///
    /// # Errors
    /// If a folder cannot be read, has no such tables, or has too long a name.
    pub fn open(folders: &[PathBuf]) -> Result<Gaviota, OwnedError> {
        let maker = Maker::Gaviota;
        let mut names = Vec::new();
        for path in folders {
            if !entries(path)?.iter().any(|path| is_table(path)) {
                return Err(OwnedError::NoTables { maker, path: path.clone() });
            }
            let name = CString::new(path.as_os_str().as_bytes());
            let name = name.ok().filter(|name| name.count_bytes() <= LONGEST_FOLDER);
            names.push(name.ok_or_else(|| OwnedError::FolderName { maker, path: path.clone() })?);
        }
        Ok(Gaviota { folders: folders.to_owned(), names, sound: RwLock::default() })
    }

    /// Looks up the outcome of a position and the plies to mate.
    ///
    /// # Errors
    /// If a table is missing or damaged, or if the position has too many men.
    pub fn dtm(&self, position: &Chess) -> Result<Value, OwnedError> {
        let (material, _) = Material::of_board(position.board());
        Maker::Gaviota.check_men(material.men())?;
        if material.men() == 2 {
            return Ok(Value::DRAW);
        }
        self.check(material)?;
        if position.ep_square(EnPassantMode::Legal).is_some() {
            let moves = position.legal_moves();
            let (captures, others): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(|mv| mv.is_en_passant());
            // The library takes the better of the table and these captures, but the table does not consider
            // them, and takes a position without any other move for mate or stalemate.
            if others.is_empty() {
                return self.best(position, &captures);
            }
            for mv in captures {
                self.check(Material::of_board(after(position, mv).board()).0)?;
            }
        }
        self.stored(material, position)
    }

    fn best(&self, position: &Chess, moves: &[Move]) -> Result<Value, OwnedError> {
        let values: Vec<Value> = moves.iter().map(|&mv| self.dtm(&after(position, mv))).collect::<Result<_, _>>()?;
        best_reply(&values).ok_or(OwnedError::Internal("a position with an en passant square has no legal move"))
    }

    /// The value of a position as stored in the table of its own endgame.
    fn stored(&self, material: Material, position: &Chess) -> Result<Value, OwnedError> {
        self.value_of(material, position, ask(&self.names, &question(position)))
    }

    /// The value of a position as its moves determine it; none if some of them lead to another endgame, or there are
    /// none.
    fn worked_out(&self, material: Material, position: &Chess) -> Result<Option<Value>, OwnedError> {
        let moves = position.legal_moves();
        let mut values = Vec::new();
        for &mv in &moves {
            let after = after(position, mv);
            if Material::of_board(after.board()).0 != material || after.ep_square(EnPassantMode::Legal).is_some() {
                return Ok(None);
            }
            values.push(self.stored(material, &after)?);
        }
        Ok(best_reply(&values))
    }

    fn value_of(&self, material: Material, position: &Chess, answer: Answer) -> Result<Value, OwnedError> {
        let decided = |winner: Color, plies: u32| {
            let outcome = if winner == position.turn() { Outcome::Win } else { Outcome::Loss };
            let too_deep = |_| self.damaged(material, format!("it has a depth of {plies} plies"));
            u16::try_from(plies).map(|plies| Value::new(outcome, plies)).map_err(too_deep)
        };
        let reason = match answer {
            Answer::Draw => return Ok(Value::DRAW),
            Answer::WhiteMates { plies } => return decided(Color::White, plies),
            Answer::BlackMates { plies } => return decided(Color::Black, plies),
            Answer::Illegal => "it has no entry for a legal position",
            Answer::Failed => "it cannot be decompressed",
        };
        Err(self.damaged(material, reason.to_owned()))
    }

    /// Checks that the table of an endgame exists, that its index is sound, and that it holds the endgame of its name.
    fn check(&self, material: Material) -> Result<(), OwnedError> {
        if material.men() == 2 || self.sound.read().unwrap_or_else(PoisonError::into_inner).contains(&material) {
            return Ok(());
        }
        let file = file_name(material);
        let Some(path) = find(&self.folders, &file) else {
            return Err(OwnedError::Missing { maker: Maker::Gaviota, file, folders: self.folders.clone() });
        };
        gtb::check(&path, material).map_err(|error| self.damaged(material, error.to_string()))?;
        self.check_identity(material)?;
        self.sound.write().unwrap_or_else(PoisonError::into_inner).insert(material);
        Ok(())
    }

    /// Checks that a file holds the endgame of its name, by positions that tell endgames apart.
    fn check_identity(&self, material: Material) -> Result<(), OwnedError> {
        for (number, position) in cornered(material).enumerate() {
            let answer = ask(&self.names, &question(&position));
            let is_mate = matches!(answer, Answer::WhiteMates { plies: 0 } | Answer::BlackMates { plies: 0 });
            let is_other = match answer {
                // A table has no entries for positions that cannot occur in its endgame.
                Answer::Illegal => true,
                answer if is_mate == position.is_checkmate() && number % WORKED_OUT == 0 => {
                    // Some endgames have no such mates, but their men move differently.
                    let value = self.value_of(material, &position, answer)?;
                    self.worked_out(material, &position)?.is_some_and(|expected| expected != value)
                }
                _ => is_mate != position.is_checkmate(),
            };
            if is_other {
                let reason = format!("it does not hold {material}: its values are those of another endgame");
                return Err(self.damaged(material, reason));
            }
        }
        Ok(())
    }

    fn damaged(&self, material: Material, reason: String) -> OwnedError {
        let file = file_name(material);
        let path = find(&self.folders, &file).unwrap_or_else(|| file.into());
        OwnedError::Damaged { maker: Maker::Gaviota, path, reason }
    }
}

impl Source for Gaviota {
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        Maker::Gaviota.check_metric(metric).and_then(|()| self.dtm(position)).map_err(TableError::Owned)
    }

    fn metric(&self) -> Metric {
        Maker::Gaviota.metric()
    }

    fn max_men(&self) -> usize {
        Maker::Gaviota.max_men()
    }
}

fn is_table(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_bytes().ends_with(EXTENSION.as_bytes()))
}

fn file_name(material: Material) -> String {
    let (first, second) = sides(material);
    format!("{}{}{EXTENSION}", first.to_ascii_lowercase(), second.to_ascii_lowercase())
}

/// The best of the values that moves lead to, seen by the side that moves; none without moves.
fn best_reply(values: &[Value]) -> Option<Value> {
    let seen = |&Value { outcome, plies, .. }: &Value| match outcome {
        Outcome::Draw => Value::DRAW,
        outcome => Value::new(outcome.reversed(), plies.0.saturating_add(1)),
    };
    values.iter().map(seen).max_by_key(merit)
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

fn question(position: &Chess) -> Question {
    let men = |color: Color| {
        let mut men = Men::NONE;
        for (square, piece) in position.board().clone().into_iter().filter(|(_, piece)| piece.color == color) {
            // The library and shakmaty both number roles from the pawn to the king.
            men.push(u32::from(square), piece.role as u8);
        }
        men
    };
    Question {
        black_to_move: position.turn() == Color::Black,
        en_passant: position.ep_square(EnPassantMode::Legal).map_or(NO_SQUARE, u32::from),
        white: men(Color::White),
        black: men(Color::Black),
    }
}
