//! The quiet moves of one position.

use crate::address::Address;
use crate::attacks::{attacks, between, pawn_attacks, reach};
use crate::layout::{Layout, Outer};
use crate::material::Man;
use crate::words::Bits;
use shakmaty::{Color, Role};

/// The greatest number of men of one side.
const MAX_MEN: usize = 8;

/// The men of the side that has moved, as far as they may attack a king.
struct Attackers {
    men: [(Role, u8); MAX_MEN],
    count: usize,
    /// The squares that pawns attack.
    pawns: u64,
}

impl Attackers {
    fn push(&mut self, role: Role, square: u8) {
        if let Some(place) = self.men.get_mut(self.count) {
            *place = (role, square);
            self.count += 1;
        }
    }

    /// Whether a king is attacked, all men being on `occupied`.
    #[inline(always)]
    fn attack(&self, king: u8, occupied: u64) -> bool {
        let sees = |&(role, from): &(Role, u8)| {
            reach(role, from) >> king & 1 != 0 && (role == Role::Knight || between(from, king) & occupied == 0)
        };
        self.pawns >> king & 1 != 0 || self.men[..self.count].iter().any(sees)
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
    let mut attackers =
        Attackers { men: [(Role::King, 0); MAX_MEN], count: 0, pawns: pawn_attacks(other, around.pawns.of(other)) };
    let king_of = |color: Color| {
        let in_word = || men().find(|&(man, _)| man == Man { color, role: Role::King }).map(|(_, square)| square);
        around.kings.map(|pair| pair.of(color)).or_else(in_word)
    };
    let (Some(king), Some(their_king)) = (king_of(turn), king_of(other)) else { return };
    attackers.push(Role::King, their_king);
    for (man, square) in men().filter(|(man, _)| man.color == other && man.role != Role::King) {
        attackers.push(man.role, square);
    }
    let is_legal = |role: Role, from: u8, to: u8| {
        let king = if role == Role::King { to } else { king };
        !attackers.attack(king, occupied & !(1 << from) | 1 << to)
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
