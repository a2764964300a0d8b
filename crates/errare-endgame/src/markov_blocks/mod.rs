//! A Markov model with a block of states for each endgame, in which play goes on past conversions.
//!
//! [`MarkovModel`](crate::MarkovModel) has one block, and a win that goes on after a conversion counts in its states. Here
//! each endgame that may come up has states of its own, with the errors that players make there.

mod recorder;

use crate::error::EndgameError;
use crate::model::Model;
use crate::oracle::states_of_endgame;
use errare_choice::{AbsorbingChain, Competence, Depth, State, States, StochasticMatrix};
use errare_tables::{Library, Material, Metric, survey};
use errare_work::Progress;
use recorder::Recorder;
use shakmaty::Color;

/// The greatest value of the square of the number of states times the number of competences: a model's memory is a
/// small multiple of it.
pub const MAX_BLOCK_NUMBERS: usize = 1 << 24;

/// An endgame as a block of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The endgame of the block.
    pub material: Material,
    /// Whether the side that is White in the endgame asked about is named second in this endgame.
    pub swapped: bool,
    /// The states of the block, as the modelled side sees them.
    pub states: States,
    /// The number that the first state of the block has among all states.
    start: usize,
}

/// The blocks of all endgames that may come up, the one asked about first. Beyond their states there are three more
/// states, which end the contest.
#[derive(Clone, Debug)]
pub struct Blocks {
    metric: Metric,
    side: Color,
    list: Vec<Block>,
    count: usize,
}

impl Blocks {
    /// Refuses a metric under which contests end with a conversion, before any table is built.
    ///
    /// # Errors
    /// If it is neither DTM nor DTR.
    pub fn check(metric: Metric) -> Result<(), EndgameError> {
        if matches!(metric, Metric::Dtm | Metric::Dtr) { Ok(()) } else { Err(EndgameError::BlockMetric) }
    }

    /// Lists the blocks of an endgame for a side, White being the side named first.
    ///
    /// # Errors
    /// If the metric ends contests before mate, or a table is missing or damaged.
    pub fn new(
        library: &Library,
        material: Material,
        metric: Metric,
        side: Color,
        progress: &dyn Progress,
    ) -> Result<Blocks, EndgameError> {
        Blocks::check(metric)?;
        let mut blocks = Blocks { metric, side, list: Vec::new(), count: 0 };
        // Every endgame that follows, both ways round if it comes up both ways.
        let mut found = vec![(material, false)];
        let mut next = 0;
        while let Some(&(from, swapped)) = found.get(next) {
            let states = states_of_endgame(library, from, metric, progress)?;
            let is_first = (side == Color::White) != swapped;
            let states = if is_first { states } else { states.reversed() };
            blocks.list.push(Block { material: from, swapped, states, start: blocks.count });
            blocks.count += states.count();
            for (to, turned) in from.oriented_conversions() {
                let to = (to, turned != swapped);
                if to.0.men() > 2 && !found.contains(&to) {
                    found.push(to);
                }
            }
            next += 1;
        }
        Ok(blocks)
    }

    /// Lists the blocks, that of the endgame asked about first.
    pub fn list(&self) -> &[Block] {
        &self.list
    }

    /// The number of all states, with the three ends.
    pub fn count(&self) -> usize {
        self.count + 3
    }

    /// The number of a state of a block, as the modelled side sees it; the ends are the same in all blocks.
    ///
    /// # Panics
    /// If no such block exists.
    pub fn number(&self, block: usize, state: State) -> usize {
        let Block { states, start, .. } = self.list[block];
        match state {
            State::Win(Depth(0)) => self.won(),
            State::Loss(Depth(0)) => self.lost(),
            // Where nobody can win nothing is left to play for.
            State::Draw if states.count() == 3 => self.drawn(),
            state => start + states.clamped_number(state),
        }
    }

    /// The number of the end in which the modelled side has mated.
    pub fn won(&self) -> usize {
        self.count
    }

    /// The number of the end in which the modelled side is mated.
    pub fn lost(&self) -> usize {
        self.count + 1
    }

    /// The number of the end in which nobody can win any more.
    pub fn drawn(&self) -> usize {
        self.count + 2
    }

    /// The block and the state of a number; none for ends.
    fn place(&self, number: usize) -> Option<(usize, State)> {
        let block = self.list.iter().rposition(|block| block.start <= number)?;
        Some((block, self.list[block].states.state(number - self.list[block].start)?))
    }

    /// The state with a number, as the modelled side sees it.
    fn state(&self, number: usize) -> State {
        match number {
            number if number == self.won() => State::Win(Depth(0)),
            number if number == self.lost() => State::Loss(Depth(0)),
            number => self.place(number).map_or(State::Draw, |(_, state)| state),
        }
    }

    fn find(&self, material: Material, swapped: bool) -> Option<usize> {
        let is_same = |block: &Block| block.material == material && block.swapped == swapped;
        self.list.iter().position(is_same)
    }

    /// The matrix of a step with these rows of a side's moves. A state without any position is left without error.
    fn matrix(&self, rows: &Rows, lane: usize, lanes: usize) -> Result<StochasticMatrix, EndgameError> {
        let size = self.count();
        let mut entries = vec![0.0; size * size];
        for (from, row) in entries.chunks_exact_mut(size).enumerate() {
            let sums = rows.sums.get(from * size * lanes..(from + 1) * size * lanes).unwrap_or_default();
            let sums = || sums.iter().skip(lane).step_by(lanes);
            let total: f64 = sums().sum();
            if total > 0.0 {
                row.iter_mut().zip(sums()).for_each(|(entry, sum)| *entry = sum / total);
                continue;
            }
            let to = match self.place(from) {
                Some((block, State::Win(Depth(depth)))) if depth > 0 => {
                    self.number(block, State::Win(Depth(depth - 1)))
                }
                Some((_, State::Draw)) => self.drawn(),
                _ => from,
            };
            row[to] = 1.0;
        }
        Ok(StochasticMatrix::new(size, entries)?)
    }
}

/// The sums of probabilities by state before the move, state after it, and competence.
struct Rows {
    sums: Vec<f64>,
}

/// The moves of one side in all blocks, for several competences.
pub struct BlockModel {
    blocks: Blocks,
    competences: Vec<Competence>,
    rows: Rows,
}

/// The kind of player who moves: a fallible player, or one who does not err.
#[derive(Clone, Copy)]
enum Mover<'m> {
    Fallible(&'m Model, &'m [Competence]),
    Infallible,
}

impl BlockModel {
    /// Makes the model from all positions of all blocks with the modelled side to move.
    ///
    /// # Errors
    /// If the model has leanings, there are too many states and competences, a table is missing or damaged, or the work is
    /// cancelled.
    pub fn new(
        library: &Library,
        blocks: Blocks,
        model: &Model,
        competences: &[Competence],
        progress: &dyn Progress,
    ) -> Result<BlockModel, EndgameError> {
        if !model.habits().leanings.is_empty() {
            return Err(EndgameError::Leanings);
        }
        if blocks.count() * blocks.count() * competences.len() > MAX_BLOCK_NUMBERS {
            return Err(EndgameError::TooManyStates { states: blocks.count(), competences: competences.len() });
        }
        let side = blocks.side;
        let rows = go_through(library, &blocks, side, Mover::Fallible(model, competences), progress)?;
        Ok(BlockModel { blocks, competences: competences.to_vec(), rows })
    }

    /// The blocks of the model.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The matrix M_c for the competence at a place of the list, by the numbers of all states.
    ///
    /// # Errors
    /// If the rows are not probability distributions.
    pub fn matrix(&self, lane: usize) -> Result<StochasticMatrix, EndgameError> {
        self.blocks.matrix(&self.rows, lane, self.competences.len())
    }

    /// The contest of the modelled side, to move, with an opponent.
    ///
    /// # Errors
    /// As [`matrix`](BlockModel::matrix).
    pub fn against(&self, lane: usize, opponent: &BlockOpponent) -> Result<BlockContest, EndgameError> {
        BlockContest::new(&self.blocks, &self.matrix(lane)?.then(&opponent.matrix)?)
    }
}

/// The moves of the other side in all blocks, in the numbers of the modelled side.
pub struct BlockOpponent {
    matrix: StochasticMatrix,
}

impl BlockOpponent {
    /// Makes an opponent who does not err, and makes each of the best moves equally often: under DTR the best are those
    /// that make progress.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn infallible(
        library: &Library,
        blocks: &Blocks,
        progress: &dyn Progress,
    ) -> Result<BlockOpponent, EndgameError> {
        let rows = go_through(library, blocks, blocks.side.other(), Mover::Infallible, progress)?;
        Ok(BlockOpponent { matrix: blocks.matrix(&rows, 0, 1)? })
    }

    /// Makes an opponent of some competence.
    ///
    /// # Errors
    /// As [`infallible`](BlockOpponent::infallible).
    pub fn fallible(
        library: &Library,
        blocks: &Blocks,
        model: &Model,
        competence: Competence,
        progress: &dyn Progress,
    ) -> Result<BlockOpponent, EndgameError> {
        let mover = Mover::Fallible(model, &[competence]);
        let rows = go_through(library, blocks, blocks.side.other(), mover, progress)?;
        Ok(BlockOpponent { matrix: blocks.matrix(&rows, 0, 1)? })
    }

    /// The matrix of the opponent's moves.
    pub fn matrix(&self) -> &StochasticMatrix {
        &self.matrix
    }
}

/// A contest as a chain of the states that the modelled side's wins lead to, each step a move of either side.
pub struct BlockContest {
    chain: AbsorbingChain,
    /// The place of each state in the chain.
    places: Vec<Option<usize>>,
    won: usize,
}

/// The lengths of contests from the wins of one block, and the chances to win in time, by depth.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockOutlook {
    /// The expected number of moves to the end, by depth of the win.
    pub lengths: Vec<f64>,
    /// The standard deviation of the number of moves, by depth of the win.
    pub sds: Vec<f64>,
    /// The chance to win within each number of moves asked about, by depth of the win.
    pub win_within: Vec<Vec<f64>>,
}

impl BlockContest {
    fn new(blocks: &Blocks, matrix: &StochasticMatrix) -> Result<BlockContest, EndgameError> {
        let is_win = |number: &usize| matches!(blocks.state(*number), State::Win(_));
        let mut reached: Vec<bool> = (0..blocks.count()).map(|number| is_win(&number)).collect();
        let mut front: Vec<usize> = (0..blocks.count()).filter(is_win).collect();
        while let Some(from) = front.pop() {
            for (to, &chance) in matrix.row(from).iter().enumerate() {
                if chance > 0.0 && !reached[to] {
                    reached[to] = true;
                    front.push(to);
                }
            }
        }
        let states: Vec<usize> = (0..blocks.count()).filter(|&number| reached[number]).collect();
        let mut places = vec![None; blocks.count()];
        states.iter().enumerate().for_each(|(place, &state)| places[state] = Some(place));
        let entries = states.iter().flat_map(|&from| states.iter().map(move |&to| matrix.row(from)[to])).collect();
        let ends: Vec<usize> =
            [blocks.won(), blocks.lost(), blocks.drawn()].iter().filter_map(|&end| places[end]).collect();
        let chain = AbsorbingChain::new(StochasticMatrix::new(states.len(), entries)?, &ends)?;
        let no_end = EndgameError::Internal("a chain of wins without the finished win");
        let won = places[blocks.won()].ok_or(no_end)?;
        Ok(BlockContest { chain, places, won })
    }

    /// Solves the contest: an outlook for each block, and the condition number of the equations.
    ///
    /// # Errors
    /// If the chain cannot be solved, or the work is cancelled.
    pub fn solve(
        &self,
        blocks: &Blocks,
        within: &[u32],
        progress: &dyn Progress,
    ) -> Result<(Vec<BlockOutlook>, f64), EndgameError> {
        let proceed = || Ok::<_, EndgameError>(progress.proceed()?);
        let solution = self.chain.try_solve(proceed)?;
        let chances = within.iter().map(|&moves| self.chain.try_within(&[self.won], moves as usize, proceed));
        let chances: Vec<Vec<f64>> = chances.collect::<Result<_, _>>()?;
        let outlook = |(place, block): (usize, &Block)| {
            let wins = (0..=block.states.deepest_win().0).map(|depth| blocks.number(place, State::Win(Depth(depth))));
            let places: Vec<usize> = wins.filter_map(|number| self.places[number]).collect();
            let of = |numbers: &[f64]| places.iter().map(|&place| numbers[place]).collect();
            BlockOutlook {
                lengths: of(&solution.lengths),
                sds: of(&solution.sds),
                win_within: chances.iter().map(|chances| of(chances)).collect(),
            }
        };
        Ok((blocks.list.iter().enumerate().map(outlook).collect(), solution.condition.fixed))
    }
}

/// Goes through the positions of all blocks with one side to move.
fn go_through(
    library: &Library,
    blocks: &Blocks,
    mover: Color,
    kind: Mover<'_>,
    progress: &dyn Progress,
) -> Result<Rows, EndgameError> {
    let lanes = if let Mover::Fallible(_, competences) = kind { competences.len() } else { 1 };
    let mut rows = Rows { sums: vec![0.0; blocks.count * blocks.count() * lanes] };
    for place in 0..blocks.list.len() {
        let recorder = Recorder::new(blocks, place, mover, kind)?;
        let block = blocks.list[place];
        let turn = if block.swapped { mover.other() } else { mover };
        let sheets = survey(library, block.material, blocks.metric, turn, &recorder, progress)?;
        let length = block.states.count() * blocks.count() * lanes;
        let into = &mut rows.sums[block.start * blocks.count() * lanes..][..length];
        for sheet in sheets {
            if let Some(failure) = sheet.failure {
                return Err(failure.into());
            }
            into.iter_mut().zip(&sheet.sums).for_each(|(sum, more)| *sum += more);
        }
    }
    Ok(rows)
}
