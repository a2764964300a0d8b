//! Guesses of what captures and pawn moves lead to, by their kind alone.
//!
//! Whether a capture wins is mostly a matter of who captures what, and of whether the other side can recapture. So a table
//! has a guess for each *kind* of such moves, and only what is guessed wrong has to be stored as an exception.

use crate::attacks::{attacks, between, pawn_attacks, reach};
use crate::layout::{Fixed, Layout, MAX_FIXED};
use crate::legality::{Around, Scene};
use crate::material::Man;
use crate::words::Bits;
use shakmaty::{Color, Role};

/// The numbers of men in kinds of moves: the fixed men come first.
const AXIS: usize = MAX_FIXED;
const KING: usize = MAX_FIXED + 1;
const PAWN: usize = MAX_FIXED + 2;
const MEN: usize = MAX_FIXED + 3;

/// The number of kinds: captures by who captures whom and steps of pawns, each with a target that is guarded or not, by a
/// side that is in check or not.
pub const KINDS: usize = (MEN * MEN + 2) * 4;

/// The guess of what moves of a kind lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guess {
    /// The moves are guessed to lead to a loss for the mover.
    #[default]
    Loss,
    /// The moves are guessed to lead to a draw.
    Draw,
    /// The moves are guessed to lead to a win for the mover.
    Win,
    /// The moves are guessed to win if a quiet move wins too, else to lead to nothing better than that.
    AsQuiet,
}

impl Guess {
    /// All guesses, in the order of their numbers in files.
    pub const ALL: [Guess; 4] = [Guess::Loss, Guess::Draw, Guess::Win, Guess::AsQuiet];
}

/// The guesses of a table, by kind.
pub type Guesses = [Guess; KINDS];

/// The positions of a word by what is guessed of their captures and pawn moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guessed {
    pub loss: u64,
    pub draw: u64,
    pub win: u64,
    pub as_quiet: u64,
}

impl Guessed {
    /// Lists each guess with its positions.
    #[inline(always)]
    pub fn each(&self) -> impl Iterator<Item = (Guess, u64)> {
        Guess::ALL.into_iter().zip([self.loss, self.draw, self.win, self.as_quiet])
    }

    /// Adds moves, guessed alike, that are possible in some positions.
    #[inline(always)]
    pub fn add(&mut self, guess: Guess, bits: u64) {
        match guess {
            Guess::Loss => self.loss |= bits,
            Guess::Draw => self.draw |= bits,
            Guess::Win => self.win |= bits,
            Guess::AsQuiet => self.as_quiet |= bits,
        }
    }
}

/// The captures and pawn moves of a side in the 64 positions of a word. Some of them may leave the king to be captured: those
/// of men that shield it, and pawn moves.
pub struct ZeroingMoves<'a> {
    pub layout: &'a Layout,
    pub around: Around,
    pub squares: &'a Fixed,
    /// The squares of all men but the axis.
    pub occupied: u64,
    pub turn: Color,
}

impl ZeroingMoves<'_> {
    /// Calls `seen` with each kind of moves and the positions that have such a move.
    #[inline(always)]
    pub fn each(&self, mut seen: impl FnMut(usize, u64)) {
        let &ZeroingMoves { layout, around, squares, occupied, turn } = self;
        let other = turn.other();
        let axis = layout.axis();
        let scene = Scene { axis, men: layout.fixed(), squares, around };
        let mut check = None;
        let mut seen = |kind: usize, guarded: u64, bits: u64| {
            if bits == 0 {
                return;
            }
            let check = *check.get_or_insert_with(|| scene.attacked(turn, occupied));
            for (number, part) in
                [!guarded & !check, !guarded & check, guarded & !check, guarded & check].into_iter().enumerate()
            {
                if bits & part != 0 {
                    seen(4 * kind + number, bits & part);
                }
            }
        };
        let own_pawns = around.pawns.of(turn);
        for (captured, man) in layout.fixed().iter().enumerate() {
            if man.color != turn && man.role != Role::King {
                self.captures_on(squares[captured], captured, &mut seen);
            }
        }
        Bits(around.pawns.of(other)).for_each(|target| self.captures_on(target, PAWN, &mut seen));
        if axis.color != turn && axis.role != Role::King {
            let guarded = self.guarded();
            let legal = !self.checks(around.pawns.of(other), None, false);
            for (i, man) in layout.fixed().iter().enumerate().filter(|(_, man)| man.color == turn) {
                let bits = attacks(man.role, squares[i], occupied) & !occupied;
                seen(MEN * i + AXIS, guarded, bits & if man.role == Role::King { !guarded } else { legal });
            }
            if let Some(pair) = around.kings {
                seen(MEN * KING + AXIS, guarded, reach(Role::King, pair.of(turn)) & !occupied & !guarded);
            }
            seen(MEN * PAWN + AXIS, guarded, pawn_attacks(turn, own_pawns) & !occupied & legal);
        }
        let ahead = turn.fold_wb(own_pawns << 8, own_pawns >> 8) & !occupied;
        for to in Bits(ahead) {
            let is_promotion = !(8..56).contains(&to);
            let guarded = self.guards_of(to);
            seen(MEN * MEN + usize::from(is_promotion), guarded, !(1 << to));
        }
    }

    /// Captures on a square that does not depend on the axis.
    #[inline(always)]
    fn captures_on(&self, target: u8, captured: usize, seen: &mut impl FnMut(usize, u64, u64)) {
        let &ZeroingMoves { layout, around, squares, occupied, turn } = self;
        let axis = layout.axis();
        let by_axis = if axis.color == turn { attacks(axis.role, target, occupied) & !occupied } else { 0 };
        let takers = layout.fixed().iter().zip(squares).enumerate();
        let takers =
            takers.filter(|(_, (man, square))| man.color == turn && reach(man.role, **square) >> target & 1 != 0);
        let takers = takers.filter(|(_, (_, square))| between(**square, target) & occupied == 0);
        let by_king = around.kings.is_some_and(|pair| reach(Role::King, pair.of(turn)) >> target & 1 != 0);
        let by_pawn = pawn_attacks(turn, around.pawns.of(turn)) >> target & 1 != 0;
        if by_axis == 0 && !by_king && !by_pawn && takers.clone().next().is_none() {
            return;
        }
        let guarded = self.guards_of(target);
        let legal = !self.checks(around.pawns.of(turn.other()) & !(1 << target), Some(captured), axis.color != turn);
        let legal_for = |role: Role| if role == Role::King { !guarded } else { legal };
        seen(MEN * AXIS + captured, guarded, by_axis & legal_for(axis.role));
        for (i, (man, &square)) in takers {
            seen(MEN * i + captured, guarded, !between(square, target) & legal_for(man.role));
        }
        if by_king {
            seen(MEN * KING + captured, guarded, !guarded);
        }
        if by_pawn {
            seen(MEN * PAWN + captured, guarded, legal);
        }
    }

    /// The axis squares for which the other side attacks a square.
    #[inline(always)]
    fn guards_of(&self, target: u8) -> u64 {
        let &ZeroingMoves { layout, around, squares, occupied, turn } = self;
        let other = turn.other();
        let axis = layout.axis();
        if pawn_attacks(other, around.pawns.of(other)) >> target & 1 != 0
            || around.kings.is_some_and(|pair| reach(Role::King, pair.of(other)) >> target & 1 != 0)
        {
            return !0;
        }
        let mut bits = if axis.color == turn { 0 } else { attacks(axis.role, target, occupied) };
        for (man, &square) in layout.fixed().iter().zip(squares) {
            if man.color != turn && reach(man.role, square) >> target & 1 != 0 {
                let path = between(square, target);
                if path & occupied == 0 {
                    bits |= !path;
                }
            }
        }
        bits
    }

    /// The axis squares for which the king is attacked by these pawns, by a fixed man other than `but`, or perhaps by the
    /// axis: a capture of another man does not help against that. Nothing is known of a king that is the axis.
    #[inline(always)]
    fn checks(&self, pawns: u64, but: Option<usize>, by_axis: bool) -> u64 {
        let &ZeroingMoves { layout, around, squares, occupied, turn } = self;
        let men = || layout.fixed().iter().zip(squares);
        let own = Man { color: turn, role: Role::King };
        let in_word = || men().find(|(man, _)| **man == own).map(|(_, &square)| square);
        let Some(king) = around.kings.map(|pair| pair.of(turn)).or_else(in_word) else { return 0 };
        if pawn_attacks(turn.other(), pawns) >> king & 1 != 0 {
            return !0;
        }
        let mut bits = if by_axis { attacks(layout.axis().role, king, occupied) } else { 0 };
        for (i, (man, &square)) in men().enumerate() {
            if man.color != turn && Some(i) != but && reach(man.role, square) >> king & 1 != 0 {
                let path = between(square, king);
                if path & occupied == 0 {
                    bits |= !path;
                }
            }
        }
        bits
    }

    /// The squares that men of the other side besides the axis attack.
    #[inline(always)]
    fn guarded(&self) -> u64 {
        let &ZeroingMoves { layout, around, squares, occupied, turn } = self;
        let other = turn.other();
        let king = around.kings.map_or(0, |pair| reach(Role::King, pair.of(other)));
        let men = layout.fixed().iter().zip(squares).filter(|(man, _)| man.color != turn);
        men.fold(king | pawn_attacks(other, around.pawns.of(other)), |set, (man, &square)| {
            set | attacks(man.role, square, occupied)
        })
    }
}
