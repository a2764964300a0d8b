//! The quiet moves of one position.

use crate::address::Address;
use crate::attacks::{attacks, between, pawn_attacks, reach};
use crate::layout::{Layout, Outer};
use crate::material::Man;
use crate::words::Bits;
use shakmaty::{Color, Role};

/// The greatest number of men of one side besides pawns.
const MAX_PIECES: usize = 6;

/// Men of the side that has moved, as far as they may attack a king.
#[derive(Clone, Copy)]
struct Attackers {
    men: [(Role, u8); MAX_PIECES],
    count: usize,
}

impl Attackers {
    fn none() -> Attackers {
        Attackers { men: [(Role::King, 0); MAX_PIECES], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, role: Role, square: u8) {
        if let Some(place) = self.men.get_mut(self.count) {
            *place = (role, square);
            self.count += 1;
        }
    }

    /// Whether a king is attacked, all men being on `occupied`.
    #[inline(always)]
    fn attack(&self, king: u8, occupied: u64) -> bool {
        // Leaps have no squares between that could be occupied.
        let sees =
            |&(role, from): &(Role, u8)| reach(role, from) >> king & 1 != 0 && between(from, king) & occupied == 0;
        self.men[..self.count].iter().any(sees)
    }
}

/// Calls `seen` with the address of the position after each legal quiet move of a legal position.
#[inline]
pub fn quiet_moves(layout: &Layout, address: Address, mut seen: impl FnMut(Address)) {
    let Address { turn, slice, word, bit } = address;
    let (squares, around, axis) = (layout.squares(word), layout.around(slice), layout.axis());
    let men = || layout.fixed().iter().zip(squares).map(|(&man, square)| (man, square)).chain([(axis, bit)]);
    let occupied = men().fold(around.occupied(), |set, (_, square)| set | 1 << square);
    let other = turn.other();
    let king_of = |color: Color| {
        let in_word = || men().find(|&(man, _)| man == Man { color, role: Role::King }).map(|(_, square)| square);
        around.kings.map(|pair| pair.of(color)).or_else(in_word)
    };
    let (Some(king), Some(their_king)) = (king_of(turn), king_of(other)) else { return };
    // Those in line with the king matter for all moves, the others only for those of the king.
    let (mut all, mut in_line) = (Attackers::none(), Attackers::none());
    for (man, square) in men().filter(|(man, _)| man.color == other && man.role != Role::King) {
        all.push(man.role, square);
        if reach(man.role, square) >> king & 1 != 0 {
            in_line.push(man.role, square);
        }
    }
    let by_pawns = pawn_attacks(other, around.pawns.of(other));
    let is_pawn_check = by_pawns >> king & 1 != 0;
    let out_of_reach = reach(Role::King, their_king) | by_pawns;
    let is_legal = |role: Role, from: u8, to: u8| {
        let after = occupied & !(1 << from) | 1 << to;
        if role == Role::King {
            out_of_reach >> to & 1 == 0 && !all.attack(to, after)
        } else {
            !is_pawn_check && !in_line.attack(king, after)
        }
    };
    for (index, (man, from)) in men().enumerate().filter(|(_, (man, _))| man.color == turn) {
        let targets = Bits(attacks(man.role, from, occupied) & !occupied);
        let targets = targets.filter(|&to| is_legal(man.role, from, to));
        if index == layout.fixed().len() {
            targets.for_each(|to| seen(Address { turn: other, slice, word, bit: to }));
        } else {
            let lifted = layout.lift(index, word, &squares);
            targets.for_each(|to| seen(Address { turn: other, slice, word: lifted.at(to), bit }));
        }
    }
    if let Outer::Kings(kings) = layout.outer() {
        for step in kings.slices().moves(slice, turn) {
            if occupied >> step.target & 1 == 0 && is_legal(Role::King, king, step.target) {
                let word = layout.images(step.symmetry)[word] as usize;
                let bit = step.symmetry.square(bit);
                seen(Address { turn: other, slice: step.slice as usize, word, bit });
            }
        }
    }
}
