//! A byte for every position of an endgame and of those that it converts to, in which passes note what they find.

use errare_tables::{Cells, Extent, Material, Metric, QuietMoves, endgames_after};
use shakmaty::{Chess, Color, Position};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// The marks of the positions of an endgame and of those that it converts to. Zero stands for what is not known yet.
pub(super) struct Marks(Vec<MarkedEndgame>);

struct MarkedEndgame {
    material: Material,
    cells: Cells,
    /// A mark for each placement, those with White to move first, by pages: few are needed to follow from one position.
    pages: Vec<OnceLock<Box<[AtomicU8]>>>,
}

/// Number of marks of a page.
const PAGE: u64 = 1 << 20;

/// The place of a mark: the endgame, and the number of the cell in the endgame, which is even with White to move.
pub(super) type MarkPlace = (usize, u64);

impl Marks {
    /// Makes room for the marks of an endgame; none for bare kings.
    pub fn new(material: Material) -> Option<Marks> {
        let endgame = |material| {
            let cells = Cells::new(material, Extent::Whole)?;
            let pages = (0..cells.count().div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
            Some(MarkedEndgame { material, cells, pages })
        };
        let endgames: Vec<_> = endgames_after(material, Metric::Dtm).into_iter().filter_map(endgame).collect();
        (!endgames.is_empty()).then_some(Marks(endgames))
    }

    /// Number of bytes that the marks of an endgame take at most.
    pub fn bytes(material: Material) -> u64 {
        let endgames = endgames_after(material, Metric::Dtm).into_iter();
        endgames.filter_map(|material| Cells::new(material, Extent::Whole)).map(|cells| cells.count()).sum()
    }

    /// The endgames that may come up, by number; the one asked about is the first.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.0.iter().map(|endgame| endgame.material)
    }

    /// The endgames by number, each after those that it converts to.
    pub fn in_order(&self) -> Vec<(usize, Material)> {
        let mut order: Vec<(usize, Material)> = self.materials().enumerate().collect();
        order.sort_by_key(|(_, material)| (material.men(), material.pawns()));
        order
    }

    /// The place of a position in an endgame; none if a pawn may be captured en passant.
    pub fn place(&self, position: &Chess, endgame: usize) -> Option<MarkPlace> {
        if position.legal_ep_square().is_some() {
            return None;
        }
        Some((endgame, self.0[endgame].cells.number(position)?))
    }

    /// The mark at a place.
    pub fn get(&self, place: MarkPlace) -> u8 {
        self.mark(place).load(Ordering::Relaxed)
    }

    /// Sets the mark at a place.
    pub fn set(&self, place: MarkPlace, mark: u8) {
        self.mark(place).store(mark, Ordering::Relaxed);
    }

    /// Makes the place of a mark from the number of the placement and the side to move.
    pub fn at(endgame: usize, place: u64, turn: Color) -> MarkPlace {
        (endgame, QuietMoves::number(place, turn))
    }

    #[inline]
    fn mark(&self, (endgame, number): MarkPlace) -> &AtomicU8 {
        let MarkedEndgame { cells, pages, .. } = &self.0[endgame];
        let place = (number & 1) * (cells.count() / 2) + number / 2;
        let page = pages[(place / PAGE) as usize].get_or_init(|| (0..PAGE).map(|_| AtomicU8::new(0)).collect());
        &page[(place % PAGE) as usize]
    }
}
