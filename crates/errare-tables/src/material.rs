//! Material signatures such as `KQKR` and `KBBKN`, and the material after captures and promotions.

use errare_work::did_you_mean;
use shakmaty::{Board, ByColor, Color, Role};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The men besides the king that a signature may name, strongest first.
pub const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The roles that pawns may promote to.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The greatest number of men, kings included, that a table can be built for.
pub const MAX_MEN: usize = 6;

/// The greatest number of men, kings included, that a table with pawns can be built for.
pub const MAX_MEN_WITH_PAWNS: usize = 5;

/// A kind of man: its colour and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// The colour of the man.
    pub color: Color,
    /// The role of the man.
    pub role: Role,
}

/// One side's men besides the king, by role in the order of [`ROLES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Force([u8; 5]);

impl Force {
    fn men(&self) -> usize {
        self.0.iter().map(|&n| n as usize).sum()
    }
}

/// The men of an endgame, the stronger side as White.
///
/// A signature and its colour-swap are one endgame. The side with the stronger best man comes
/// first, as in the literature: `KQKNN`, `KBBKN`, `KRBKR`.
///
/// ```
/// use errare_tables::Material;
/// let material: Material = "kbbvkq".parse()?;
/// assert_eq!(material.to_string(), "KQKBB");
/// assert_eq!(material.men(), 5);
/// # Ok::<(), errare_tables::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    white: Force,
    black: Force,
}

impl Hash for Material {
    /// Hashes a single number, because every probe of a library hashes a material.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let counts = self.white.0.iter().chain(&self.black.0);
        state.write_u64(counts.fold(0, |sum, &count| sum << 4 | u64::from(count)));
    }
}

/// A text that is not a valid material signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// A letter of the text does not stand for a man.
    #[error("invalid endgame `{text}`: expected K, Q, R, B, N or P, found `{letter}` at place {place}{}", near(.text))]
    Letter {
        /// The invalid text as given.
        text: String,
        /// The invalid letter.
        letter: char,
        /// The place of the letter in the text, from 1.
        place: usize,
    },
    /// There is not exactly one king for each side, before its other men.
    #[error(
        "invalid endgame `{text}`: expected two kings, each before the other men of its side, as in KQKR{}",
        near(.text)
    )]
    Kings {
        /// The invalid text as given.
        text: String,
    },
    /// The endgame has more men than tables are built for.
    #[error("invalid endgame `{text}`: expected at most {MAX_MEN} men, found {men}")]
    TooMany {
        /// The signature of the endgame, in upper case.
        text: String,
        /// Number of men of the endgame.
        men: usize,
    },
}

/// The endgame that was meant by a text that is almost its signature.
fn near(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let known = (3..=4).flat_map(|men| Material::all(men, true)).map(|material| material.to_string());
    did_you_mean(&plain, known)
}

impl Material {
    fn from_forces(forces: ByColor<Force>) -> (Material, bool) {
        let swapped = forces.black > forces.white;
        let (white, black) = if swapped { (forces.black, forces.white) } else { (forces.white, forces.black) };
        (Material { white, black }, swapped)
    }

    /// Parses a signature, and returns whether its sides had to be swapped to put the stronger first.
    ///
    /// # Errors
    /// If the text is not a signature of two kings and other men, or if it has more than [`MAX_MEN`] men.
    pub fn parse_oriented(text: &str) -> Result<(Material, bool), MaterialError> {
        let kings = || MaterialError::Kings { text: text.to_owned() };
        let mut forces = ByColor::<Force>::default();
        let mut side = None;
        for (place, letter) in text.chars().enumerate() {
            match (letter.to_ascii_uppercase(), side) {
                ('K', None) => side = Some(Color::White),
                ('K', Some(Color::White)) => side = Some(Color::Black),
                ('K', Some(Color::Black)) => return Err(kings()),
                ('V', Some(Color::White)) => {}
                (upper, side) => {
                    let index = ROLES
                        .iter()
                        .position(|role| role.upper_char() == upper)
                        .ok_or_else(|| MaterialError::Letter { text: text.to_owned(), letter, place: place + 1 })?;
                    let count = &mut forces.get_mut(side.ok_or_else(kings)?).0[index];
                    *count = count.saturating_add(1);
                }
            }
        }
        if side != Some(Color::Black) {
            return Err(kings());
        }
        let (material, swapped) = Material::from_forces(forces);
        if material.men() > MAX_MEN {
            return Err(MaterialError::TooMany { text: text.to_uppercase(), men: material.men() });
        }
        Ok((material, swapped))
    }

    /// The material on a board, and whether Black has the side that the signature names first.
    pub fn of_board(board: &Board) -> (Material, bool) {
        Material::from_forces(ByColor::new_with(|color| {
            Force(ROLES.map(|role| (board.by_color(color) & board.by_role(role)).count() as u8))
        }))
    }

    /// Lists every endgame with a number of men, kings included, in the order of their signatures; with or without
    /// pawns.
    pub fn all(men: usize, pawns: bool) -> Vec<Material> {
        let roles = if pawns { 5 } else { 4 };
        let mut found = Vec::new();
        let others = men.saturating_sub(2);
        for white in 0..=others {
            for strong in forces(white, roles) {
                for weak in forces(others - white, roles) {
                    if strong >= weak {
                        found.push(Material { white: strong, black: weak });
                    }
                }
            }
        }
        found.sort_by_cached_key(|material| {
            (material.to_string().len(), std::cmp::Reverse((material.white, material.black)))
        });
        found
    }

    /// The number of men, kings included.
    pub fn men(&self) -> usize {
        2 + self.white.men() + self.black.men()
    }

    /// Whether the endgame has any pawn.
    pub fn has_pawns(&self) -> bool {
        self.white.0[4] + self.black.0[4] > 0
    }

    /// The number of pawns of both sides.
    pub fn pawns(&self) -> usize {
        usize::from(self.white.0[4] + self.black.0[4])
    }

    /// Whether the two sides have the same men, so that either may be called White.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.white == self.black
    }

    fn force(&self, color: Color) -> &Force {
        color.fold_wb(&self.white, &self.black)
    }

    /// The number of men of a kind other than kings, which are not counted.
    pub fn count(&self, man: Man) -> usize {
        ROLES.iter().position(|&role| role == man.role).map_or(0, |i| self.force(man.color).0[i] as usize)
    }

    /// The kinds of men present besides kings, White's first, strongest first.
    pub fn kinds(&self) -> Vec<Man> {
        Color::ALL
            .into_iter()
            .flat_map(|color| ROLES.map(|role| Man { color, role }))
            .filter(|&man| self.count(man) > 0)
            .collect()
    }

    /// The number of orderings of like men: 2 for KBBKN, 6 for KBBBK.
    pub fn like_orderings(&self) -> u64 {
        self.kinds().iter().map(|&man| (1..=self.count(man) as u64).product::<u64>()).product()
    }

    /// The endgame after a man is captured, and whether its White is our Black.
    pub fn without(&self, man: Man) -> (Material, bool) {
        self.changed(&[man], None)
    }

    /// The endgame after some men of it are gone and perhaps a new one has appeared, and whether its White is our
    /// Black. Kings do not come or go.
    pub(crate) fn changed(&self, gone: &[Man], new: Option<Man>) -> (Material, bool) {
        let mut forces = ByColor { white: self.white, black: self.black };
        let mut count = |man: &Man, change: i8| {
            let place = ROLES.iter().position(|&role| role == man.role);
            debug_assert!(place.is_some(), "a king is captured or promoted to");
            if let Some(i) = place {
                let count = &mut forces.get_mut(man.color).0[i];
                debug_assert!(count.checked_add_signed(change).is_some(), "a man is captured that is not there");
                *count = count.saturating_add_signed(change);
            }
        };
        gone.iter().for_each(|man| count(man, -1));
        new.iter().for_each(|man| count(man, 1));
        Material::from_forces(forces)
    }

    /// Lists every endgame that one move leads to, by capture, promotion or both, each once.
    pub fn conversions(&self) -> Vec<Material> {
        let mut found: Vec<Material> = Vec::new();
        for (material, _) in self.oriented_conversions() {
            if !found.contains(&material) {
                found.push(material);
            }
        }
        found
    }

    /// Lists every endgame that one move leads to, and whether our second-named side is named first there. An endgame
    /// may be listed both ways.
    pub fn oriented_conversions(&self) -> Vec<(Material, bool)> {
        let mut found: Vec<(Material, bool)> = Vec::new();
        let mut add = |conversion: (Material, bool)| {
            if !found.contains(&conversion) {
                found.push(conversion);
            }
        };
        let kinds = self.kinds();
        kinds.iter().for_each(|&man| add(self.without(man)));
        for pawn in kinds.iter().filter(|man| man.role == Role::Pawn) {
            for role in PROMOTIONS {
                let new = Some(Man { color: pawn.color, role });
                add(self.changed(&[*pawn], new));
                let pieces = kinds.iter().filter(|man| man.color != pawn.color && man.role != Role::Pawn);
                pieces.for_each(|taken| add(self.changed(&[*pawn, *taken], new)));
            }
        }
        found
    }

    /// The signature with the weaker side first if `swapped`, else with the stronger side first.
    pub fn oriented(&self, swapped: bool) -> String {
        let [mut first, mut second] = self.sides();
        if swapped {
            std::mem::swap(&mut first, &mut second);
        }
        first + &second
    }

    /// The two halves of the signature, each with its king, the stronger side first.
    pub(crate) fn sides(&self) -> [String; 2] {
        [self.white, self.black].map(|force| {
            let men = ROLES.iter().zip(force.0);
            let letters = men.flat_map(|(role, count)| std::iter::repeat_n(role.upper_char(), usize::from(count)));
            ['K'].into_iter().chain(letters).collect()
        })
    }
}

fn forces(men: usize, roles: usize) -> Vec<Force> {
    fn fill(force: Force, men: usize, role: usize, roles: usize, found: &mut Vec<Force>) {
        if role == roles {
            if men == 0 {
                found.push(force);
            }
            return;
        }
        for count in 0..=men {
            let mut next = force;
            next.0[role] = count as u8;
            fill(next, men - count, role + 1, roles, found);
        }
    }
    let mut found = Vec::new();
    fill(Force::default(), men, 0, roles, &mut found);
    found
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        Material::parse_oriented(text).map(|(material, _)| material)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.oriented(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_in_every_spelling() {
        for text in ["KQKR", "kqkr", "KQvKR", "KRKQ", "krvkq"] {
            assert_eq!(text.parse::<Material>().map(|m| m.to_string()), Ok("KQKR".to_owned()));
        }
        assert_eq!(Material::parse_oriented("KNNKQ").map(|(m, s)| (m.oriented(s), s)), Ok(("KNNKQ".to_owned(), true)));
    }

    #[test]
    fn the_endgame_that_was_meant_is_suggested() {
        let refused =
            |text: &str| text.parse::<Material>().map_err(|error| error.to_string()).err().unwrap_or_default();
        assert!(refused("QKR").ends_with("as in KQKR; did you mean KQKR?"), "{}", refused("QKR"));
        assert!(refused("KR-KN").ends_with("; did you mean KRKN?"), "{}", refused("KR-KN"));
        assert!(refused("KQKX").ends_with("at place 4"), "several are as near: {}", refused("KQKX"));
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        assert!(matches!("KXKR".parse::<Material>(), Err(MaterialError::Letter { letter: 'X', place: 2, .. })));
        for text in ["", "K", "QKR", "KQKRK", "KQ", "vKQK"] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
        assert!(matches!("KQQQKQQQ".parse::<Material>(), Err(MaterialError::TooMany { men: 8, .. })));
    }

    #[test]
    fn the_sets_have_their_known_sizes() {
        assert_eq!((3..=5).map(|men| Material::all(men, true).len()).collect::<Vec<_>>(), [5, 30, 110]);
        assert_eq!((3..=5).map(|men| Material::all(men, false).len()).collect::<Vec<_>>(), [4, 20, 60]);
    }

    #[test]
    fn conversions_name_each_endgame_once() {
        let names = |text: &str| -> Vec<String> {
            text.parse::<Material>()
                .map(|m| m.conversions().iter().map(Material::to_string).collect())
                .unwrap_or_default()
        };
        assert_eq!(names("KBBKN"), ["KBKN", "KBBK"]);
        assert_eq!(names("KRBKR"), ["KRKB", "KRKR", "KRBK"]);
        assert_eq!(names("KPK"), ["KK", "KQK", "KRK", "KBK", "KNK"]);
        let both = ["KRK", "KPK", "KQKR", "KQK", "KRKR", "KRKB", "KBK", "KRKN", "KNK"];
        assert_eq!(names("KRKP").len(), 2 + 2 * 4 - 1);
        assert!(both.iter().all(|name| names("KRKP").contains(&(*name).to_owned())), "{:?}", names("KRKP"));
    }
}
