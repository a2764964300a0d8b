//! An endgame as a graph: every position, where its quiet moves lead from and its captures to.

use super::Men;
use crate::support::symmetry::{SYMMETRIES, Symmetry, king_pairs};
use rayon::prelude::*;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Piece, Position, PositionError, Role, Setup, Square};
use std::sync::LazyLock;

/// The number of a position in its endgame.
pub type Node = u32;

/// What there is to say of a node before any analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two men on one square, or the side that is not to move is in check.
    Broken,
    /// No legal move, in check.
    Mated,
    /// No legal move, not in check.
    Stalemate,
    /// There are moves.
    Open,
}

/// A capture: the man taken, by number, and the position in the endgame that is left.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    pub taken: u8,
    pub node: Node,
}

/// All positions of an endgame and all moves between them.
pub struct Graph {
    pub men: Men,
    pub kinds: Vec<Kind>,
    /// The number of quiet moves of each node.
    pub quiet_moves: Vec<u8>,
    captures: Lists<Capture>,
    predecessors: Lists<Node>,
}

/// A list for each node, one after the other.
struct Lists<T> {
    /// Where the list of each node starts, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn of(&self, node: Node) -> &[T] {
        &self.items[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// The king pairs, and which of them two kings are taken to by which symmetry.
struct Kings {
    pairs: Vec<[Square; 2]>,
    place: Vec<Option<(u32, Symmetry)>>,
}

static KINGS: LazyLock<Kings> = LazyLock::new(|| {
    let pairs = king_pairs(&SYMMETRIES);
    let mut place = vec![None; 64 * 64];
    for (number, &pair) in pairs.iter().enumerate() {
        for symmetry in SYMMETRIES {
            let [white, black] = pair.map(symmetry);
            let back = SYMMETRIES.into_iter().find(|back| [back(white), back(black)] == pair);
            place[usize::from(white) * 64 + usize::from(black)] = back.map(|back| (number as u32, back));
        }
    }
    Kings { pairs, place }
});

/// The node of men on their squares, the kings first.
fn node(turn: Color, squares: &[Square]) -> Node {
    let place = KINGS.place[usize::from(squares[0]) * 64 + usize::from(squares[1])];
    let (pair, symmetry) = place.expect("kings that do not touch");
    let start = turn.fold_wb(0, KINGS.pairs.len() as u32) + pair;
    squares[2..].iter().fold(start, |number, &square| number * 64 + u32::from(symmetry(square)))
}

/// The squares of the men of a node, the kings first; two men may share one.
fn squares(men: usize, node: Node) -> (Color, Vec<Square>) {
    let start = (node >> (6 * men)) as usize;
    let turn = if start < KINGS.pairs.len() { Color::White } else { Color::Black };
    let mut squares = KINGS.pairs[start % KINGS.pairs.len()].to_vec();
    squares.extend((0..men).rev().map(|place| Square::new(node >> (6 * place) & 63)));
    (turn, squares)
}

/// What the moves of one node are.
struct Moves {
    kind: Kind,
    quiet: Vec<Node>,
    captures: Vec<Capture>,
}

fn moves(men: &Men, node_of: Node) -> Moves {
    let (turn, squares) = squares(men.0.len(), node_of);
    let nothing = |kind| Moves { kind, quiet: Vec::new(), captures: Vec::new() };
    let Some(board) = board(men, &squares) else { return nothing(Kind::Broken) };
    let setup = Setup { board, turn, ..Setup::empty() };
    // Checks that no game could have led to are positions like others.
    let position = Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check);
    let Ok(position) = position else { return nothing(Kind::Broken) };
    let legal = position.legal_moves();
    if legal.is_empty() {
        return nothing(if position.is_check() { Kind::Mated } else { Kind::Stalemate });
    }
    let mut moves = nothing(Kind::Open);
    for legal in &legal {
        let man_on = |square| squares.iter().position(|&other| other == square);
        let mover = man_on(legal.from().expect("no drops")).expect("a man that moves");
        let mut after = squares.clone();
        let taken = man_on(legal.to());
        after[mover] = legal.to();
        match taken {
            None => moves.quiet.push(node(turn.other(), &after)),
            Some(man) => {
                after.remove(man);
                moves.captures.push(Capture { taken: (man - 2) as u8, node: node(turn.other(), &after) });
            }
        }
    }
    moves
}

/// The men on a board; `None` if two share a square.
fn board(men: &Men, squares: &[Square]) -> Option<Board> {
    let kings = [Color::White, Color::Black].map(|color| Piece { color, role: Role::King });
    let mut board = Board::empty();
    for (&square, &man) in squares.iter().zip(kings.iter().chain(&men.0)) {
        board.set_piece_at(square, man);
    }
    (board.occupied().count() == squares.len()).then_some(board)
}

impl Graph {
    /// Plays every legal move of every position.
    pub fn new(men: Men) -> Graph {
        let nodes = (2 * KINGS.pairs.len() as u32) << (6 * men.0.len());
        let parts: Vec<Part> = (0..nodes.div_ceil(Part::NODES))
            .into_par_iter()
            .map(|part| Part::new(&men, part * Part::NODES..nodes.min((part + 1) * Part::NODES)))
            .collect();
        let quiet_moves: Vec<u8> = parts.iter().flat_map(|part| &part.quiet_moves).copied().collect();
        let mut starts = vec![0; nodes as usize + 2];
        // Shifted by one node, so that filling a list moves its start to where it belongs.
        parts.iter().flat_map(|part| &part.quiet).for_each(|&to| starts[to as usize + 2] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut items = vec![0; parts.iter().map(|part| part.quiet.len()).sum()];
        let mut from = 0;
        for part in &parts {
            let mut targets = part.quiet.iter();
            for &count in &part.quiet_moves {
                for &to in targets.by_ref().take(usize::from(count)) {
                    let end = &mut starts[to as usize + 1];
                    items[*end as usize] = from;
                    *end += 1;
                }
                from += 1;
            }
        }
        starts.pop();
        let predecessors = Lists { starts, items };
        let captures = Lists {
            starts: std::iter::once(0)
                .chain(parts.iter().flat_map(|part| &part.capture_counts).scan(0, |end, &count| {
                    *end += u32::from(count);
                    Some(*end)
                }))
                .collect(),
            items: parts.iter().flat_map(|part| &part.captures).copied().collect(),
        };
        let kinds = parts.iter().flat_map(|part| &part.kinds).copied().collect();
        Graph { men, kinds, quiet_moves, captures, predecessors }
    }

    /// All nodes, broken ones included.
    pub fn nodes(&self) -> std::ops::Range<Node> {
        0..self.kinds.len() as Node
    }

    pub fn kind(&self, node: Node) -> Kind {
        self.kinds[node as usize]
    }

    pub fn captures(&self, node: Node) -> &[Capture] {
        self.captures.of(node)
    }

    /// The positions with a quiet move to this one, each once for every such move.
    pub fn predecessors(&self, node: Node) -> &[Node] {
        self.predecessors.of(node)
    }

    /// The position of a node as a board, turned by one of the eight symmetries and perhaps with
    /// the colours exchanged: another way to set up the same thing.
    pub fn board(&self, node: Node, symmetry: Symmetry, swapped: bool) -> (Board, Color) {
        let (turn, squares) = squares(self.men.0.len(), node);
        let squares: Vec<Square> = squares.into_iter().map(symmetry).collect();
        let board = board(&self.men, &squares).expect("a legal position");
        if swapped { (board.into_swapped_colors(), turn.other()) } else { (board, turn) }
    }
}

/// A run of nodes, worked on by one thread.
#[derive(Default)]
struct Part {
    kinds: Vec<Kind>,
    quiet_moves: Vec<u8>,
    quiet: Vec<Node>,
    capture_counts: Vec<u8>,
    captures: Vec<Capture>,
}

impl Part {
    const NODES: u32 = 1 << 14;

    fn new(men: &Men, nodes: std::ops::Range<Node>) -> Part {
        let mut part = Part::default();
        for node in nodes {
            let moves = moves(men, node);
            part.kinds.push(moves.kind);
            part.quiet_moves.push(moves.quiet.len() as u8);
            part.quiet.extend(moves.quiet);
            part.capture_counts.push(moves.captures.len() as u8);
            part.captures.extend(moves.captures);
        }
        part
    }
}
