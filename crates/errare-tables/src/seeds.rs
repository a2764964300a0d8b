//! What captures bring into an endgame: wins taken from solved sub-endgames, ways out for the
//! side that would lose, and the positions where the game ends at once.

use crate::attacks::{attacks, between, reach};
use crate::kings::{KingPair, Kings};
use crate::layout::{Fixed, Layout, MAX_FIXED};
use crate::legality::{attacked, legal_given};
use crate::material::Man;
use crate::error::TableError;
use crate::packed::{Batch, Packed};
use crate::view::{Solved, View, ViewWord};
use crate::words::Bits;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::BTreeMap;

/// Sets of positions of a slice, by the depth at which they come into play.
pub type Keyed = BTreeMap<u16, Packed>;

/// One side to move: its legal positions and what its captures do, slice by slice.
pub struct SideSeeds {
    /// Legal positions.
    pub legal: Vec<u64>,
    /// Legal positions without any legal capture.
    pub quiet: Vec<u64>,
    /// In check and without a legal capture: mate, if no quiet move helps.
    pub checks: Vec<Batch>,
    /// A capture wins; by the least depth of the sub-endgame's loss.
    pub wins: Vec<Keyed>,
    /// Every capture loses; by the greatest depth of the sub-endgame's win. Such a position may
    /// be lost only once that capture is known to lose.
    pub releases: Vec<Keyed>,
}

/// The seeds of both sides.
pub type Seeds = ByColor<SideSeeds>;

/// Finds a solved sub-endgame by the man whose capture leads there; `true` if swapped.
pub type Subs<'a> = &'a dyn Fn(Man) -> Option<(&'a dyn Solved, bool)>;

/// Works out the seeds of an endgame. With `keyed` the sub-endgames' depths are kept apart;
/// without it everything comes under depth 0.
pub fn seeds(layout: &Layout, kings: &Kings, subs: Subs<'_>, keyed: bool) -> Result<Seeds, TableError> {
    let views = Views::new(layout, kings, subs, keyed)?;
    Ok(ByColor::new_with(|turn| {
        let words = layout.words();
        let slices = kings.slices();
        let mut legal = vec![0; slices * words];
        let mut quiet = vec![0; slices * words];
        let rest: Vec<_> = legal
            .par_chunks_mut(words)
            .zip(quiet.par_chunks_mut(words))
            .enumerate()
            .map_init(Scratch::default, |scratch, (slice, (legal, quiet))| {
                let mut finder = Finder { layout, kings, views: &views, slice, pair: kings.pair(slice), turn, keyed };
                finder.slice(legal, quiet, scratch)
            })
            .collect();
        let mut side =
            SideSeeds { legal, quiet, checks: Vec::new(), wins: Vec::new(), releases: Vec::new() };
        for (checks, wins, releases) in rest {
            side.checks.push(checks);
            side.wins.push(wins);
            side.releases.push(releases);
        }
        side
    }))
}

/// The views of every sub-endgame that the captures of a layout need.
struct Views {
    /// By the place of the captured man among the fixed men; bits of the layout's axis.
    of_fixed: Vec<Option<View>>,
    /// The axis captured: bits of the fixed man at this place.
    of_axis: Vec<Option<View>>,
}

impl Views {
    fn new(layout: &Layout, kings: &Kings, subs: Subs<'_>, keyed: bool) -> Result<Views, TableError> {
        let fixed = layout.fixed();
        let without = |i: usize| -> Vec<Man> {
            fixed.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &man)| man).collect()
        };
        let view = |captured: Man, axis: Man, rest: &[Man]| {
            let Some((sub, swapped)) = subs(captured) else { return Ok(None) };
            View::new(kings, sub, swapped, captured, axis, rest, keyed).map(Some)
        };
        // Twins share the first one's view.
        let first_twin = |i: usize| i == 0 || fixed[i - 1] != fixed[i];
        let of_fixed = (0..fixed.len())
            .map(|i| if first_twin(i) { view(fixed[i], layout.axis(), &without(i)) } else { Ok(None) })
            .collect::<Result<_, _>>()?;
        // The king's captures read the view of the first man, the others each their own.
        let taken = layout.axis();
        let of_axis = (0..fixed.len())
            .map(|i| {
                let read = i == 0 || first_twin(i) && fixed[i].color != taken.color;
                if read { view(taken, fixed[i], &without(i)) } else { Ok(None) }
            })
            .collect::<Result<_, _>>()?;
        Ok(Views { of_fixed, of_axis })
    }
}

/// What the captures found so far do to the 64 positions of a word.
struct Tally {
    win: u64,
    escape: u64,
    lose: u64,
    win_depth: [u16; 64],
    lose_depth: [u16; 64],
}

impl Tally {
    fn clear(&mut self) {
        if self.win | self.lose != 0 {
            self.win_depth = [u16::MAX; 64];
            self.lose_depth = [0; 64];
        }
        (self.win, self.escape, self.lose) = (0, 0, 0);
    }

    /// Captures possible at `mask`, each leading to the same bit of `word`.
    #[inline]
    fn add_word(&mut self, mask: u64, word: ViewWord<'_>) {
        self.add_mapped(mask, word.lost, word.won, word.open, |bit| word.depths.get(bit as usize).copied());
    }

    /// As [`Tally::add_word`] where the view's bits had to be moved to match.
    #[inline]
    fn add_mapped(&mut self, mask: u64, lost: u64, won: u64, open: u64, depth: impl Fn(u8) -> Option<u16>) {
        self.win |= lost & mask;
        self.escape |= open & mask;
        self.lose |= won & mask;
        for bit in Bits(lost & mask) {
            let Some(depth) = depth(bit) else { break };
            let least = &mut self.win_depth[bit as usize];
            *least = depth.min(*least);
        }
        for bit in Bits(won & mask) {
            let Some(depth) = depth(bit) else { break };
            let greatest = &mut self.lose_depth[bit as usize];
            *greatest = depth.max(*greatest);
        }
    }

    /// Captures possible at `mask`, all leading to one position, bit `square` of `word`.
    #[inline]
    fn add_one(&mut self, mask: u64, word: ViewWord<'_>, square: u8) {
        let all = |set: u64| if set >> square & 1 != 0 { !0 } else { 0 };
        let depth = word.depths.get(square as usize).copied();
        self.add_mapped(mask, all(word.lost), all(word.won), all(word.open), |_| depth);
    }
}

struct Scratch {
    tally: Tally,
    wins: Vec<Batch>,
    releases: Vec<Batch>,
    by_depth: Vec<u64>,
    bytes: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            tally: Tally { win: 0, escape: 0, lose: 0, win_depth: [u16::MAX; 64], lose_depth: [0; 64] },
            wins: Vec::new(),
            releases: Vec::new(),
            by_depth: Vec::new(),
            bytes: Vec::new(),
        }
    }
}

/// One slice, one side to move.
struct Finder<'a> {
    layout: &'a Layout,
    kings: &'a Kings,
    views: &'a Views,
    slice: usize,
    pair: KingPair,
    turn: Color,
    keyed: bool,
}

impl Finder<'_> {
    fn slice(&mut self, legal: &mut [u64], quiet: &mut [u64], scratch: &mut Scratch) -> (Batch, Keyed, Keyed) {
        let mut checks = Batch::new();
        for word in 0..self.layout.words() {
            let squares = self.layout.squares(word);
            let Some(occupied) = self.layout.occupied(&squares, self.pair.occupied()) else { continue };
            let here = legal_given(self.layout, &self.pair, self.turn, &squares, occupied);
            if here == 0 {
                continue;
            }
            legal[word] = here;
            let tally = &mut scratch.tally;
            tally.clear();
            self.captures(&squares, occupied, tally);
            let win = tally.win & here;
            let lose = tally.lose & here & !tally.escape;
            let calm = here & !(tally.win | tally.escape | tally.lose);
            quiet[word] = calm;
            let check = calm & attacked(self.layout, &self.pair, self.turn, &squares, occupied);
            if check != 0 {
                checks.push((word as u32, check));
            }
            for (set, depths, batches) in [
                (win, &tally.win_depth, &mut scratch.wins),
                (lose, &tally.lose_depth, &mut scratch.releases),
            ] {
                if set != 0 && !self.keyed {
                    grow(batches, 0).push((word as u32, set));
                } else if set != 0 {
                    scatter_by_depth(set, depths, word as u32, &mut scratch.by_depth, batches);
                }
            }
        }
        let bytes = &mut scratch.bytes;
        let mut pack = |batches: &mut Vec<Batch>| -> Keyed {
            let full = batches.iter_mut().enumerate().filter(|(_, batch)| !batch.is_empty());
            full.map(|(depth, batch)| {
                let packed = Packed::new(batch, bytes);
                batch.clear();
                (depth as u16, packed)
            })
            .collect()
        };
        let wins = pack(&mut scratch.wins);
        (checks, wins, pack(&mut scratch.releases))
    }

    fn captures(&self, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        let fixed = self.layout.fixed();
        for (i, man) in fixed.iter().enumerate() {
            if man.color != self.turn {
                self.captures_of_fixed(i, squares, occupied, tally);
            }
        }
        if self.layout.axis().color != self.turn {
            self.captures_of_axis(squares, occupied, tally);
        }
    }

    /// The fixed man `taken` is captured: by the axis from anywhere, by a king or a fixed man.
    fn captures_of_fixed(&self, taken: usize, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        let fixed = self.layout.fixed();
        let target = squares[taken];
        let first_twin = (0..=taken).rev().take_while(|&i| fixed[i] == fixed[taken]).last().unwrap_or(taken);
        let Some(view) = &self.views.of_fixed[first_twin] else { return };
        let count = fixed.len() - 1;
        let mut rest = [0_u8; MAX_FIXED];
        let others = (0..fixed.len()).filter(|&i| i != taken);
        others.zip(&mut rest).for_each(|(i, square)| *square = squares[i]);

        let axis = self.layout.axis();
        if axis.color == self.turn {
            let mask = attacks(axis.role, target, occupied);
            tally.add_one(mask, view.word(self.slice, &rest[..count]), target);
        }
        if let Some(step) = self.kings.moves(self.slice, self.turn).iter().find(|step| step.target == target) {
            let map = step.symmetry.squares();
            let moved = rest.map(|square| map[square as usize]);
            let word = view.word(step.slice as usize, &moved[..count]);
            let back = step.symmetry.inverse();
            tally.add_mapped(!0, back.word(word.lost), back.word(word.won), back.word(word.open), |bit| {
                word.depths.get(map[bit as usize] as usize).copied()
            });
        }
        for (i, man) in fixed.iter().enumerate() {
            let from = squares[i];
            if man.color != self.turn || reach(man.role, from) >> target & 1 == 0 {
                continue;
            }
            let path = between(from, target);
            if path & occupied == 0 {
                let mut moved = rest;
                moved[if i > taken { i - 1 } else { i }] = target;
                tally.add_word(!path, view.word(self.slice, &moved[..count]));
            }
        }
    }

    /// The axis man is captured where it stands: each bit is another target.
    fn captures_of_axis(&self, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        let fixed = self.layout.fixed();
        let without = |taker: usize| {
            let mut rest = [0_u8; MAX_FIXED];
            let others = (0..fixed.len()).filter(|&i| i != taker);
            others.zip(&mut rest).for_each(|(i, square)| *square = squares[i]);
            rest
        };
        let count = fixed.len().saturating_sub(1);
        for (i, man) in fixed.iter().enumerate() {
            if man.color != self.turn {
                continue;
            }
            let first_twin = (0..=i).rev().take_while(|&j| fixed[j] == fixed[i]).last().unwrap_or(i);
            if let Some(view) = &self.views.of_axis[first_twin] {
                let mask = attacks(man.role, squares[i], occupied);
                tally.add_word(mask, view.word(self.slice, &without(i)[..count]));
            }
        }
        for step in self.kings.moves(self.slice, self.turn) {
            if occupied >> step.target & 1 != 0 {
                continue;
            }
            let mask = 1 << step.target;
            match self.views.of_axis.first() {
                // Bare kings are left: a draw, always legal because the kings do not touch.
                None => tally.escape |= mask,
                Some(None) => {}
                Some(Some(view)) => {
                    let map = step.symmetry.squares();
                    let moved = without(0).map(|square| map[square as usize]);
                    let word = view.word(step.slice as usize, &moved[..count]);
                    tally.add_one(mask, word, map[squares[0] as usize]);
                }
            }
        }
    }
}

fn grow(batches: &mut Vec<Batch>, depth: usize) -> &mut Batch {
    if batches.len() <= depth {
        batches.resize_with(depth + 1, Batch::new);
    }
    &mut batches[depth]
}

fn scatter_by_depth(set: u64, depths: &[u16; 64], word: u32, by_depth: &mut Vec<u64>, batches: &mut Vec<Batch>) {
    let (mut low, mut high) = (usize::MAX, 0);
    for bit in Bits(set) {
        let depth = depths[bit as usize] as usize;
        if by_depth.len() <= depth {
            by_depth.resize(depth + 1, 0);
        }
        by_depth[depth] |= 1 << bit;
        low = low.min(depth);
        high = high.max(depth);
    }
    for depth in low..=high {
        let bits = std::mem::take(&mut by_depth[depth]);
        if bits != 0 {
            grow(batches, depth).push((word, bits));
        }
    }
}
