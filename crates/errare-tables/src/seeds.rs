//! What captures bring into an endgame: wins taken from solved sub-endgames, ways out for the
//! side that would lose, and the positions where the game ends at once.

use crate::attacks::{attacks, between, reach};
use crate::error::TableError;
use crate::kings::{KingPair, Kings};
use crate::layout::{Fixed, Layout, MAX_FIXED};
use crate::legality::{attacked, legal_given};
use crate::material::Man;
use crate::packed::{Batch, Packed};
use crate::view::{Solved, View, Word};
use crate::words::Bits;
use rayon::prelude::*;
use shakmaty::{ByColor, Color, Role};
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
                let finder = Finder { layout, kings, views: &views, slice, pair: kings.pair(slice), turn, keyed };
                finder.slice(legal, quiet, scratch)
            })
            .collect();
        let mut side = SideSeeds { legal, quiet, checks: Vec::new(), wins: Vec::new(), releases: Vec::new() };
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
    /// The first of each fixed man's twins, which holds the view for all of them.
    twins: Vec<usize>,
}

impl Views {
    fn new(layout: &Layout, kings: &Kings, subs: Subs<'_>, keyed: bool) -> Result<Views, TableError> {
        let fixed = layout.fixed();
        let without =
            |i: usize| -> Vec<Man> { fixed.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &man)| man).collect() };
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
        let twins: Vec<usize> =
            (0..fixed.len()).map(|i| (0..=i).find(|&j| fixed[j] == fixed[i]).unwrap_or(i)).collect();
        Ok(Views { of_fixed, of_axis, twins })
    }

    #[inline(always)]
    fn of_fixed(&self, taken: usize) -> Option<&View> {
        self.of_fixed[self.twins[taken]].as_ref()
    }

    #[inline(always)]
    fn of_axis(&self, taker: usize) -> Option<&View> {
        self.of_axis[self.twins[taker]].as_ref()
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
    fn clear(&mut self, keyed: bool) {
        if keyed && self.win | self.lose != 0 {
            self.win_depth = [u16::MAX; 64];
            self.lose_depth = [0; 64];
        }
        (self.win, self.escape, self.lose) = (0, 0, 0);
    }

    /// Captures possible at `mask`, each leading to the same bit of `word`. `depth` tells the
    /// depth of the position a bit leads to, where depths are carried over.
    #[inline(always)]
    fn add(&mut self, mask: u64, word: Word, depth: Option<impl Fn(u8) -> u16>) {
        let (win, lose) = (word.lost & mask, word.won & mask);
        self.win |= win;
        self.escape |= word.open & mask;
        self.lose |= lose;
        if let Some(depth) = depth {
            for bit in Bits(win) {
                let least = &mut self.win_depth[bit as usize & 63];
                *least = depth(bit).min(*least);
            }
            for bit in Bits(lose) {
                let greatest = &mut self.lose_depth[bit as usize & 63];
                *greatest = depth(bit).max(*greatest);
            }
        }
    }

    /// Captures possible at `mask`, all leading to one position, bit `square` of a view's word.
    #[inline(always)]
    fn add_one(&mut self, mask: u64, view: &View, index: usize, square: u8) {
        let word = view.word(index);
        let all = |set: u64| (set >> square & 1).wrapping_neg();
        let word = Word { lost: all(word.lost), won: all(word.won), open: all(word.open) };
        let depth = view.depths(index).get(square as usize).copied();
        self.add(mask, word, depth.map(|depth| move |_| depth));
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
    fn slice(&self, legal: &mut [u64], quiet: &mut [u64], scratch: &mut Scratch) -> (Batch, Keyed, Keyed) {
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
            tally.clear(self.keyed);
            self.captures(&squares, occupied, tally);
            let win = tally.win & here;
            let lose = tally.lose & here & !tally.escape;
            let calm = here & !(tally.win | tally.escape | tally.lose);
            quiet[word] = calm;
            let check = calm & attacked(self.layout, &self.pair, self.turn, &squares, occupied);
            if check != 0 {
                checks.push((word as u32, check));
            }
            for (set, depths, batches) in
                [(win, &tally.win_depth, &mut scratch.wins), (lose, &tally.lose_depth, &mut scratch.releases)]
            {
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

    #[inline(always)]
    fn captures(&self, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        for (i, man) in self.layout.fixed().iter().enumerate() {
            if man.color != self.turn {
                self.captures_of_fixed(i, squares, occupied, tally);
            }
        }
        if self.layout.axis().color != self.turn {
            self.captures_of_axis(squares, occupied, tally);
        }
    }

    /// The fixed man `taken` is captured: by the axis from anywhere, by a king or a fixed man.
    #[inline(always)]
    fn captures_of_fixed(&self, taken: usize, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        let target = squares[taken];
        let Some(view) = self.views.of_fixed(taken) else { return };
        let rest = without(squares, taken);
        let axis = self.layout.axis();
        if axis.color == self.turn {
            let mask = attacks(axis.role, target, occupied);
            tally.add_one(mask, view, view.index(self.slice, &rest), target);
        }
        if reach(Role::King, self.pair.of(self.turn)) >> target & 1 != 0 {
            self.king_takes_fixed(view, target, &rest, tally);
        }
        for (i, man) in self.layout.fixed().iter().enumerate() {
            let from = squares[i];
            if man.color != self.turn || reach(man.role, from) >> target & 1 == 0 {
                continue;
            }
            let path = between(from, target);
            if path & occupied == 0 {
                let mut moved = rest;
                moved[if i > taken { i - 1 } else { i }] = target;
                let index = view.index(self.slice, &moved);
                let depths = view.depths(index);
                tally.add(!path, view.word(index), self.keyed.then_some(|bit: u8| depths[bit as usize & 63]));
            }
        }
    }

    fn king_takes_fixed(&self, view: &View, target: u8, rest: &Fixed, tally: &mut Tally) {
        let steps = self.kings.moves(self.slice, self.turn);
        let Some(step) = steps.iter().find(|step| step.target == target) else { return };
        let map = step.symmetry.squares();
        let index = view.index(step.slice as usize, &rest.map(|square| map[square as usize & 63]));
        let (word, depths) = (view.word(index), view.depths(index));
        let back = |set| step.back.word(set);
        let word = Word { lost: back(word.lost), won: back(word.won), open: back(word.open) };
        tally.add(!0, word, self.keyed.then_some(|bit: u8| depths[map[bit as usize & 63] as usize]));
    }

    /// The axis man is captured where it stands: each bit is another target.
    #[inline(always)]
    fn captures_of_axis(&self, squares: &Fixed, occupied: u64, tally: &mut Tally) {
        for (i, man) in self.layout.fixed().iter().enumerate() {
            if man.color != self.turn {
                continue;
            }
            if let Some(view) = self.views.of_axis(i) {
                let mask = attacks(man.role, squares[i], occupied);
                let index = view.index(self.slice, &without(squares, i));
                let depths = view.depths(index);
                tally.add(mask, view.word(index), self.keyed.then_some(|bit: u8| depths[bit as usize & 63]));
            }
        }
        let steps = self.kings.moves(self.slice, self.turn);
        if self.layout.fixed().is_empty() {
            // Bare kings are left: a draw, always legal because the kings do not touch.
            tally.escape |= steps.iter().fold(0, |all, step| all | 1 << step.target);
        } else if let Some(view) = self.views.of_axis(0) {
            let rest = without(squares, 0);
            for step in steps {
                if occupied >> step.target & 1 != 0 {
                    continue;
                }
                let map = step.symmetry.squares();
                let index = view.index(step.slice as usize, &rest.map(|square| map[square as usize & 63]));
                tally.add_one(1 << step.target, view, index, map[squares[0] as usize & 63]);
            }
        }
    }
}

/// The squares of the other men, moved up.
#[inline(always)]
fn without(squares: &Fixed, gone: usize) -> Fixed {
    let mut rest = [0; MAX_FIXED];
    for i in 0..MAX_FIXED - 1 {
        rest[i] = squares[if i < gone { i } else { i + 1 }];
    }
    rest
}

fn grow(batches: &mut Vec<Batch>, depth: usize) -> &mut Batch {
    if batches.len() <= depth {
        batches.resize_with(depth + 1, Batch::new);
    }
    &mut batches[depth]
}

/// Adds the bits of a word to the batches of their depths. `by_depth` is zero between calls.
fn scatter_by_depth(set: u64, depths: &[u16; 64], word: u32, by_depth: &mut Vec<u64>, batches: &mut Vec<Batch>) {
    let mut seen = [0_u16; 64];
    let mut count = 0;
    for bit in Bits(set) {
        let depth = depths[bit as usize];
        if by_depth.len() <= depth as usize {
            by_depth.resize(depth as usize + 1, 0);
        }
        let bits = &mut by_depth[depth as usize];
        if *bits == 0 {
            seen[count & 63] = depth;
            count += 1;
        }
        *bits |= 1 << bit;
    }
    for &depth in &seen[..count] {
        let bits = std::mem::take(&mut by_depth[depth as usize]);
        grow(batches, depth as usize).push((word, bits));
    }
}
