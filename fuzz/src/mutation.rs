//! Mutations of inputs: bytes changed, inserted, removed, repeated, and parts of two inputs joined.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// Words that mean something to one reader or another.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "1e308",
    "1e-308",
    "18446744073709551616",
    "NaN",
    "null",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "\n",
    "\r\n\r\n",
    "\0",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{feff}",
    "kKqQrRbBnNpP",
    "8/8/8/8",
    "{(;$",
    "-inf",
    "PAR1",
];

/// One step of a mutation.
#[derive(Clone, Debug)]
enum Edit {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// Repeats a part so often.
    Repeat(Index, usize, usize),
    Truncate(Index),
}

/// Inputs made of these seeds: one of them, or the start of one and the end of another, with a few edits.
pub fn mutated(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let edit = prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (any::<Index>(), 0u8..8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (any::<Index>(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, word)| Edit::Insert(at, word.get(&WORDS).as_bytes().to_vec())),
        (any::<Index>(), 1usize..32).prop_map(|(at, length)| Edit::Remove(at, length)),
        (any::<Index>(), 1usize..64, 2usize..200).prop_map(|(at, length, times)| Edit::Repeat(at, length, times)),
        any::<Index>().prop_map(Edit::Truncate),
    ];
    let parts = (any::<Index>(), any::<Index>(), any::<Index>(), any::<Index>(), prop::bool::weighted(0.2));
    (parts, vec(edit, 0..6)).prop_map(move |((first, second, cut, join, is_joined), edits)| {
        let mut bytes = first.get(&seeds).clone();
        if is_joined {
            let other = second.get(&seeds);
            bytes.truncate(cut.index(bytes.len() + 1));
            bytes.extend_from_slice(&other[join.index(other.len() + 1)..]);
        }
        edits.iter().for_each(|edit| apply(edit, &mut bytes));
        bytes
    })
}

fn apply(edit: &Edit, bytes: &mut Vec<u8>) {
    let length = bytes.len();
    match edit {
        Edit::Set(at, byte) if length > 0 => bytes[at.index(length)] = *byte,
        Edit::Flip(at, bit) if length > 0 => bytes[at.index(length)] ^= 1 << bit,
        Edit::Insert(at, new) => {
            let at = at.index(length + 1);
            bytes.splice(at..at, new.iter().copied());
        }
        Edit::Remove(at, count) if length > 0 => {
            let at = at.index(length);
            bytes.drain(at..(at + count).min(length));
        }
        Edit::Repeat(at, count, times) if length > 0 => {
            let at = at.index(length);
            let end = (at + count).min(length);
            let part = bytes[at..end].repeat(*times);
            bytes.splice(end..end, part);
        }
        Edit::Truncate(at) => bytes.truncate(at.index(length + 1)),
        _ => {}
    }
}
