//! Solved positions as the zeroing moves of a pawn structure reach them.

use super::Work;
use crate::error::TableError;
use crate::kings::Kings;
use crate::layout::{Layout, MAX_FIXED, Outer};
use crate::legality::{Around, Scene};
use crate::material::{Man, Material};
use crate::seeds::Keying;
use crate::structures::Structure;
use crate::symmetry::Symmetry;
use crate::value::Outcome;
use crate::view::{Known, Solved, View};
use crate::words::Bits;
use shakmaty::{Color, Role};

/// The men of a view: the axis, the rest, and perhaps a new piece.
const MAX_MEN: usize = MAX_FIXED + 2;

/// Which positions a view shows, in the squares and colours of the structure it is made for.
///
/// A word's number has the squares of the rest as its digits in base 64, the first man's last, as
/// the words of a layout.
pub struct Shown<'a> {
    pub axis: Man,
    pub rest: &'a [Man],
    /// A piece that a pawn has just become, and its square.
    pub promoted: Option<(Man, u8)>,
    pub pawns: Structure,
    pub turn: Color,
}

impl Shown<'_> {
    fn words(&self) -> usize {
        1 << (6 * self.rest.len())
    }

    /// The rest, then the promoted piece.
    fn men(&self) -> Vec<Man> {
        self.rest.iter().copied().chain(self.promoted.map(|(man, _)| man)).collect()
    }

    /// The axis squares of a word that make a position; `squares` are those of [`Shown::men`].
    #[inline(always)]
    fn legal(&self, men: &[Man], squares: &[u8]) -> u64 {
        let around = Around { kings: None, pawns: self.pawns };
        Scene { axis: self.axis, men, squares, around }.legal(self.turn)
    }

    /// The squares of [`Shown::men`] in a word.
    #[inline(always)]
    fn squares(&self, word: usize) -> [u8; MAX_MEN] {
        let mut squares = [0; MAX_MEN];
        for (place, square) in squares[..self.rest.len()].iter_mut().enumerate() {
            *square = (word >> (6 * place) & 63) as u8;
        }
        if let Some((_, square)) = self.promoted {
            squares[self.rest.len()] = square;
        }
        squares
    }
}

/// The positions of another endgame, `material`; `swapped` says that its White is our Black.
pub fn of_endgame(
    work: &Work<'_>,
    (material, swapped): (Material, bool),
    shown: &Shown<'_>,
    keying: Keying,
) -> Result<View, TableError> {
    let mut view = View::empty(shown.rest.len(), shown.words(), keying != Keying::Once);
    let Some(sub) = (work.subs)(material) else {
        fill_drawn(shown, &mut view);
        return Ok(view);
    };
    let reading = Reading::new(sub, swapped, shown, keying);
    let mut symbols = Vec::new();
    match sub.layout().outer() {
        Outer::Pawns(structures) => {
            let (pawns, turned) =
                if swapped { (shown.pawns.swapped(), Symmetry::RANKS) } else { (shown.pawns, Symmetry::IDENTITY) };
            let Some((slice, mirrored)) = structures.find(pawns) else { return Ok(view) };
            sub.symbols(reading.turn, slice, &mut symbols)?;
            let map = turned.and(mirrored).squares();
            for word in 0..shown.words() {
                let squares = shown.squares(word);
                let bits = shown.legal(&reading.men, &squares);
                reading.row(&symbols, map, &squares, bits, word, &mut view);
            }
        }
        Outer::Kings(kings) => {
            let mut loaded = None;
            for (white, black) in king_pairs_by_slice(kings, swapped) {
                let (of_white, of_black) = if swapped { (black, white) } else { (white, black) };
                let Some((slice, symmetry)) = kings.find(of_white, of_black) else { continue };
                if loaded != Some(slice) {
                    sub.symbols(reading.turn, slice, &mut symbols)?;
                    loaded = Some(slice);
                }
                for (word, squares, bits) in reading.words_with_kings(shown, white, black) {
                    reading.row(&symbols, symmetry.squares(), &squares, bits, word, &mut view);
                }
            }
        }
    }
    Ok(view)
}

/// The positions of another structure of the endgame in work, all its men in the order of its
/// layout. Its keys are bare depths.
pub fn of_structure(work: &Work<'_>, shown: &Shown<'_>, keyed: bool) -> Option<View> {
    let (solution, mirrored) = work.solution(shown.pawns)?;
    let mut view = View::empty(shown.rest.len(), shown.words(), keyed);
    let turn_word = mirror_of_words(shown.rest.len(), mirrored);
    for (value, set) in solution.verdicts.get(shown.turn) {
        for (word, bits) in set.iter() {
            let (word, bits) = (word as usize ^ turn_word, mirrored.word(bits));
            let place = &mut view.words[word];
            match value.outcome {
                Outcome::Win => place.won |= bits,
                _ => place.lost |= bits,
            }
            if keyed {
                Bits(bits).for_each(|bit| view.keys[word * 64 + usize::from(bit)] = value.plies.0);
            }
        }
    }
    let men = shown.men();
    for word in 0..shown.words() {
        let legal = shown.legal(&men, &shown.squares(word));
        view.words[word].open = legal & !view.words[word].won;
    }
    Some(view)
}

/// What exchanging the wings does to the number of a word: every digit's file turns.
pub fn mirror_of_words(rest: usize, mirrored: Symmetry) -> usize {
    if mirrored.is_identity() { 0 } else { (0..rest).fold(0, |word, place| word | 7 << (6 * place)) }
}

/// Two bare kings.
fn fill_drawn(shown: &Shown<'_>, view: &mut View) {
    let men = shown.men();
    for (word, place) in view.words.iter_mut().enumerate() {
        place.open = shown.legal(&men, &shown.squares(word));
    }
}

/// All pairs of kings apart, those of one slice together.
fn king_pairs_by_slice(kings: &Kings, swapped: bool) -> Vec<(u8, u8)> {
    let all = (0..64).flat_map(|white| (0..64).map(move |black| (white, black)));
    let slice = |&(white, black): &(u8, u8)| {
        let (white, black) = if swapped { (black, white) } else { (white, black) };
        kings.find(white, black).map(|(slice, _)| slice)
    };
    let mut pairs: Vec<(u8, u8)> = all.filter(|pair| slice(pair).is_some()).collect();
    pairs.sort_by_cached_key(slice);
    pairs
}

/// How the men of a view are found in another endgame's layout.
struct Reading<'a> {
    layout: &'a Layout,
    meanings: Vec<Known>,
    keying: Keying,
    /// The side to move there.
    turn: Color,
    /// The rest, then the promoted piece.
    men: Vec<Man>,
    /// Which man of the view each fixed man there is; `None` for the view's axis.
    fixed: Vec<Option<usize>>,
    /// Which man of the view the axis there is; `None` for the view's axis.
    axis: Option<usize>,
}

impl<'a> Reading<'a> {
    fn new(sub: &'a dyn Solved, swapped: bool, shown: &Shown<'_>, keying: Keying) -> Reading<'a> {
        let colored = |color: Color| if swapped { color.other() } else { color };
        let men = shown.men();
        let mut free: Vec<(Man, Option<usize>)> = men.iter().enumerate().map(|(i, &man)| (man, Some(i))).collect();
        free.push((shown.axis, None));
        // Any of several like men will do.
        let mut find = |man: Man| {
            let wanted = Man { color: colored(man.color), role: man.role };
            let place = free.iter().position(|&(man, _)| man == wanted);
            place.and_then(|place| free.swap_remove(place).1)
        };
        let layout = sub.layout();
        let fixed = layout.fixed().iter().map(|&man| find(man)).collect();
        let axis = find(layout.axis());
        Reading { layout, meanings: sub.meanings(), keying, turn: colored(shown.turn), men, fixed, axis }
    }

    /// Reads the positions of a view's word at `bits`. `map` takes our squares to those there.
    #[inline(always)]
    fn row(&self, symbols: &[u16], map: &[u8; 64], squares: &[u8; MAX_MEN], bits: u64, word: usize, view: &mut View) {
        if bits == 0 {
            return;
        }
        let mut fixed = [0; MAX_FIXED];
        for (place, man) in fixed.iter_mut().zip(&self.fixed) {
            *place = man.map_or(0, |man| map[usize::from(squares[man])]);
        }
        let there = self.layout.word(&fixed);
        match self.axis {
            None => {
                let row = &symbols[there * 64..there * 64 + 64];
                self.cells(bits, word, view, |bit| row[usize::from(map[usize::from(bit)])]);
            }
            Some(axis) => {
                let at = usize::from(map[usize::from(squares[axis])]);
                match self.fixed.iter().position(Option::is_none) {
                    Some(man) => {
                        let lifted = self.layout.lift(man, there, &fixed);
                        self.cells(bits, word, view, |bit| symbols[lifted.at(map[usize::from(bit)]) * 64 + at]);
                    }
                    // The view's axis is a king, and the slice tells where it is.
                    None => self.cells(bits, word, view, |_| symbols[there * 64 + at]),
                }
            }
        }
    }

    #[inline(always)]
    fn cells(&self, bits: u64, word: usize, view: &mut View, symbol: impl Fn(u8) -> u16) {
        for bit in Bits(bits) {
            let known = self.meanings[usize::from(symbol(bit))];
            view.words[word].put(bit, known.standing);
            if self.keying != Keying::Once {
                view.keys[word * 64 + usize::from(bit)] = self.keying.key(known.depth);
            }
        }
    }

    /// The words of a view that have the kings on these squares, with the squares of its men and
    /// the axis squares that make a position.
    fn words_with_kings<'b>(
        &'b self,
        shown: &'b Shown<'_>,
        white: u8,
        black: u8,
    ) -> impl Iterator<Item = (usize, [u8; MAX_MEN], u64)> + 'b {
        let place_of = |color| shown.rest.iter().position(|&man| man == Man { color, role: Role::King });
        let places = [(place_of(Color::White), white), (place_of(Color::Black), black)];
        let digits = |(place, square): (Option<usize>, u8)| place.map_or(0, |place| usize::from(square) << (6 * place));
        let kings: usize = places.into_iter().map(digits).sum();
        let others: Vec<usize> =
            (0..shown.rest.len()).filter(|&i| places.iter().all(|&(at, _)| at != Some(i))).collect();
        // A king that is the axis is one bit of the word.
        let axis = places.iter().find(|(place, _)| place.is_none()).map_or(!0, |&(_, square)| 1 << square);
        (0..1_usize << (6 * others.len())).map(move |number| {
            let spread = |(i, &place): (usize, &usize)| (number >> (6 * i) & 63) << (6 * place);
            let word = kings | others.iter().enumerate().map(spread).sum::<usize>();
            let squares = shown.squares(word);
            (word, squares, axis & shown.legal(&self.men, &squares))
        })
    }
}
