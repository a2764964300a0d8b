//! Views of solved positions that the zeroing moves of a pawn structure lead to.

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
use crate::view::{Known, View};
use crate::words::Bits;
use shakmaty::{Color, Role};

/// The greatest number of men of a view: the axis, the rest, and perhaps a new piece.
const MAX_MEN: usize = MAX_FIXED + 2;

/// The positions that a view shows, in the squares and colours of the structure it is made for.
///
/// The squares of the rest are the digits of a word's number in base 64, the first man's the lowest, as
/// in the words of a layout.
pub struct Shown<'a> {
    pub axis: Man,
    pub rest: &'a [Man],
    /// The piece that a pawn has just promoted to, and its square.
    pub promoted: Option<(Man, u8)>,
    pub pawns: Structure,
    pub turn: Color,
}

impl Shown<'_> {
    fn words(&self) -> usize {
        1 << (6 * self.rest.len())
    }

    /// The men of the rest and then the promoted piece.
    fn men(&self) -> Vec<Man> {
        self.rest.iter().copied().chain(self.promoted.map(|(man, _)| man)).collect()
    }

    /// The axis squares of a word that make a legal position; `squares` are those of [`Shown::men`].
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

/// Makes a view of another endgame, `material`; `swapped` means that its White is our Black.
///
/// # Errors
/// If the table of the other endgame is missing or damaged, or the work is cancelled.
pub fn of_endgame(
    work: &Work<'_>,
    (material, swapped): (Material, bool),
    shown: &Shown<'_>,
    keying: Keying,
) -> Result<View, TableError> {
    let mut view = View::empty(shown.rest.len(), shown.words(), keying != Keying::Once);
    if material.men() == 2 {
        fill_drawn(shown, &mut view);
        return Ok(view);
    }
    let sub = (work.subs)(material).ok_or(TableError::NO_SUB_ENDGAME)?;
    let cells = Cells { men: shown.men(), meanings: sub.meanings(), keying };
    let colored = |color: Color| if swapped { color.other() } else { color };
    let turn = colored(shown.turn);
    match sub.layout().outer() {
        Outer::Pawns(structures) => {
            let (pawns, turned) =
                if swapped { (shown.pawns.swapped(), Symmetry::RANKS) } else { (shown.pawns, Symmetry::IDENTITY) };
            let unknown = TableError::Internal("a move leads to a pawn structure that its endgame does not have");
            let (slice, mirrored) = structures.find(pawns).ok_or(unknown)?;
            let map = turned.and(mirrored).squares();
            let place = shown
                .promoted
                .map(|(man, square)| (Man { color: colored(man.color), role: man.role }, map[usize::from(square)]));
            let (left, symbols) = work.pages.read(sub, turn, slice, place)?;
            let digits = Digits::new(&left, shown, colored)?;
            for word in 0..shown.words() {
                let squares = shown.squares(word);
                let bits = shown.legal(&cells.men, &squares);
                if bits != 0 {
                    let base = digits.base(map, &squares);
                    let at = |bit: u8| base + (usize::from(map[usize::from(bit)]) << digits.axis);
                    cells.put(bits, word, &mut view, |bit| symbols[at(bit)]);
                }
            }
        }
        Outer::Kings(kings) => {
            let finding = Finding::new(sub.layout(), shown, colored)?;
            let mut symbols = Vec::new();
            let mut loaded = None;
            for ((white, black), slice, symmetry) in king_pairs_by_slice(kings, swapped) {
                if loaded != Some(slice) {
                    sub.symbols(turn, slice, &mut symbols)?;
                    loaded = Some(slice);
                }
                for (word, squares, bits) in words_with_kings(shown, &cells.men, white, black) {
                    if bits != 0 {
                        finding.row(&symbols, symmetry.squares(), &squares, |at| cells.put(bits, word, &mut view, at));
                    }
                }
            }
        }
    }
    Ok(view)
}

/// Makes a view of another structure of the endgame in work, all its men in the order of its
/// layout. Its keys are depths.
///
/// # Errors
/// [`TableError::Internal`] if the structure is not solved yet.
pub fn of_structure(work: &Work<'_>, shown: &Shown<'_>, keyed: bool) -> Result<View, TableError> {
    let (solution, mirrored) = work.solution(shown.pawns)?;
    let mut view = View::empty(shown.rest.len(), shown.words(), keyed);
    let turn_word = mirror_of_words(shown.rest.len(), mirrored);
    let mut buffer = Vec::new();
    for (value, set) in solution.verdicts.get(shown.turn) {
        let is_won = match value.outcome {
            Outcome::Win => true,
            Outcome::Loss => false,
            _ => return Err(TableError::Internal("the solver decided a position that is neither won nor lost")),
        };
        for (word, bits) in set.iter(&mut buffer) {
            let (word, bits) = (word as usize ^ turn_word, mirrored.word(bits));
            let place = &mut view.words[word];
            *(if is_won { &mut place.won } else { &mut place.lost }) |= bits;
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
    Ok(view)
}

/// The bits of a word's number that change when the wings are exchanged: the files of all digits.
pub fn mirror_of_words(rest: usize, mirrored: Symmetry) -> usize {
    if mirrored.is_identity() { 0 } else { (0..rest).fold(0, |word, place| word | 7 << (6 * place)) }
}

/// Fills a view of two bare kings, which are drawn in every legal position.
fn fill_drawn(shown: &Shown<'_>, view: &mut View) {
    let men = shown.men();
    for (word, place) in view.words.iter_mut().enumerate() {
        place.open = shown.legal(&men, &shown.squares(word));
    }
}

/// All pairs of kings that do not touch, with their slices and the symmetries that take them there; those of one slice
/// are together.
fn king_pairs_by_slice(kings: &Kings, swapped: bool) -> Vec<((u8, u8), usize, Symmetry)> {
    let all = (0..64).flat_map(|white| (0..64).map(move |black| (white, black)));
    let placed = |(white, black): (u8, u8)| {
        let (of_white, of_black) = if swapped { (black, white) } else { (white, black) };
        kings.find(of_white, of_black).map(|(slice, symmetry)| ((white, black), slice, symmetry))
    };
    let mut pairs: Vec<_> = all.filter_map(placed).collect();
    pairs.sort_by_key(|&(_, slice, _)| slice);
    pairs
}

/// A translator from symbols of another endgame to positions of a view.
struct Cells {
    /// The men of the view's rest, then the promoted piece.
    men: Vec<Man>,
    meanings: Vec<Known>,
    keying: Keying,
}

impl Cells {
    #[inline(always)]
    fn put(&self, bits: u64, word: usize, view: &mut View, symbol: impl Fn(u8) -> u16) {
        for bit in Bits(bits) {
            let known = self.meanings[usize::from(symbol(bit))];
            view.words[word].put(bit, known.standing);
            if self.keying != Keying::Once {
                view.keys[word * 64 + usize::from(bit)] = self.keying.key(known.depth);
            }
        }
    }
}

/// Matches men of another endgame with the men of a view, one by one: `None` is the view's axis. Like men are
/// interchangeable.
fn matched(men: &[Man], shown: &Shown<'_>, colored: impl Fn(Color) -> Color) -> Result<Vec<Option<usize>>, TableError> {
    let mut free: Vec<(Man, Option<usize>)> = vec![(shown.axis, None)];
    free.extend(shown.men().into_iter().enumerate().map(|(i, man)| (man, Some(i))));
    let find = |man: &Man| {
        let wanted = Man { color: colored(man.color), role: man.role };
        let place = free.iter().position(|&(man, _)| man == wanted);
        place.map(|place| free.swap_remove(place).1).ok_or(TableError::Internal("an endgame has a man too many"))
    };
    men.iter().map(find).collect()
}

/// The digits of a position's number in an endgame with pawns: the squares of its men in base 64.
struct Digits {
    /// The view's men with the shifts of their digits.
    men: Vec<(usize, usize)>,
    /// The shift of the digit of the view's axis.
    axis: usize,
}

impl Digits {
    /// The digits that belong to these men, the lowest first.
    fn new(men: &[Man], shown: &Shown<'_>, colored: impl Fn(Color) -> Color) -> Result<Digits, TableError> {
        let mut digits = Digits { men: Vec::new(), axis: 0 };
        for (place, man) in matched(men, shown, colored)?.into_iter().enumerate() {
            match man {
                Some(man) => digits.men.push((man, 6 * place)),
                None => digits.axis = 6 * place,
            }
        }
        Ok(digits)
    }

    /// The number of a position without the digit of the axis.
    #[inline(always)]
    fn base(&self, map: &[u8; 64], squares: &[u8; MAX_MEN]) -> usize {
        let digit = |&(man, shift): &(usize, usize)| usize::from(map[usize::from(squares[man])]) << shift;
        self.men.iter().map(digit).sum()
    }
}

/// The places of a view's men in the layout of another endgame without pawns.
struct Finding<'a> {
    layout: &'a Layout,
    /// The man of the view that each fixed man of the layout is; `None` for the view's axis.
    fixed: Vec<Option<usize>>,
    /// The man of the view that the layout's axis is; `None` for the view's axis.
    axis: Option<usize>,
}

impl<'a> Finding<'a> {
    fn new(layout: &'a Layout, shown: &Shown<'_>, colored: impl Fn(Color) -> Color) -> Result<Finding<'a>, TableError> {
        let men: Vec<Man> = layout.fixed().iter().copied().chain([layout.axis()]).collect();
        let mut fixed = matched(&men, shown, colored)?;
        let axis = fixed[layout.fixed().len()];
        fixed.truncate(layout.fixed().len());
        Ok(Finding { layout, fixed, axis })
    }

    /// Passes on a function that finds the symbol for each square of the view's axis. `map` takes our
    /// squares to those of the slice.
    #[inline(always)]
    fn row(&self, symbols: &[u16], map: &[u8; 64], squares: &[u8; MAX_MEN], put: impl FnOnce(&dyn Fn(u8) -> u16)) {
        let mut fixed = [0; MAX_FIXED];
        for (place, man) in fixed.iter_mut().zip(&self.fixed) {
            *place = man.map_or(0, |man| map[usize::from(squares[man])]);
        }
        let there = self.layout.word(&fixed);
        let Some(axis) = self.axis else {
            let row = &symbols[there * 64..there * 64 + 64];
            return put(&|bit| row[usize::from(map[usize::from(bit)])]);
        };
        let at = usize::from(map[usize::from(squares[axis])]);
        match self.fixed.iter().position(Option::is_none) {
            Some(man) => {
                let lifted = self.layout.lift(man, there, &fixed);
                put(&|bit| symbols[lifted.at(map[usize::from(bit)]) * 64 + at]);
            }
            // The view's axis is a king, whose square the slice determines.
            None => put(&|_| symbols[there * 64 + at]),
        }
    }
}

/// The words of a view that have the kings on these squares, with the squares of its `men` and the
/// axis squares that make a legal position.
fn words_with_kings<'a>(
    shown: &'a Shown<'_>,
    men: &'a [Man],
    white: u8,
    black: u8,
) -> impl Iterator<Item = (usize, [u8; MAX_MEN], u64)> + 'a {
    let place_of = |color| shown.rest.iter().position(|&man| man == Man { color, role: Role::King });
    let places = [(place_of(Color::White), white), (place_of(Color::Black), black)];
    let digits = |(place, square): (Option<usize>, u8)| place.map_or(0, |place| usize::from(square) << (6 * place));
    let kings: usize = places.into_iter().map(digits).sum();
    let others: Vec<usize> = (0..shown.rest.len()).filter(|&i| places.iter().all(|&(at, _)| at != Some(i))).collect();
    // A king that is the axis is one bit of the word.
    let axis = places.iter().find(|(place, _)| place.is_none()).map_or(!0, |&(_, square)| 1 << square);
    (0..1_usize << (6 * others.len())).map(move |number| {
        let spread = |(i, &place): (usize, &usize)| (number >> (6 * i) & 63) << (6 * place);
        let word = kings | others.iter().enumerate().map(spread).sum::<usize>();
        let squares = shown.squares(word);
        (word, squares, axis & shown.legal(men, &squares))
    })
}
