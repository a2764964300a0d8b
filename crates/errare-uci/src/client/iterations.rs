//! Iterations of an engine's search: which of the lines that it shows belong to one of them.

use super::info::SearchLine;
use std::collections::BTreeMap;

/// Gathers the lines of iterations. An engine deepens its search step by step and shows, for each step, as many lines
/// as were asked for; interrupted in a step it may show some lines of this and some of the step before, which cannot be
/// compared.
#[derive(Debug)]
pub(super) struct Iterations {
    /// Number of lines that make a step complete. Lines of a greater rank were not asked for, and are not kept.
    expected: usize,
    /// The lines of the step that is being shown, by rank.
    showing: BTreeMap<u32, SearchLine>,
    complete: Option<Vec<SearchLine>>,
    /// The newest exact line of each rank.
    latest: BTreeMap<u32, SearchLine>,
}

impl Iterations {
    pub fn new(expected: usize) -> Iterations {
        Iterations { expected, showing: BTreeMap::new(), complete: None, latest: BTreeMap::new() }
    }

    /// Number of lines that were asked for.
    pub fn asked(&self) -> usize {
        self.expected
    }

    pub fn add(&mut self, line: SearchLine) {
        if line.bound.is_some() || line.multipv as usize > self.expected {
            return;
        }
        let of_another = self.showing.values().next().is_some_and(|shown| shown.depth != line.depth);
        if of_another || self.showing.contains_key(&line.multipv) {
            self.showing.clear();
        }
        self.latest.insert(line.multipv, line.clone());
        self.showing.insert(line.multipv, line);
        if self.showing.len() == self.expected {
            self.complete = Some(std::mem::take(&mut self.showing).into_values().collect());
        }
    }

    /// The lines of the last complete step, best first, and true; or, if no step was complete, the newest line of each
    /// rank and false.
    pub fn finish(self) -> (Vec<SearchLine>, bool) {
        match self.complete {
            Some(lines) => (lines, true),
            None => (self.latest.into_values().collect(), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depth, rank and first move of lines that end up in the result.
    fn gathered(expected: usize, shown: &[(u32, u32, &str)]) -> (Vec<(u32, u32, String)>, bool) {
        let mut iterations = Iterations::new(expected);
        for (depth, multipv, rest) in shown {
            iterations.add(SearchLine::parse(&format!("depth {depth} multipv {multipv} score cp 1 {rest}")).unwrap());
        }
        let (lines, is_complete) = iterations.finish();
        (lines.iter().map(|line| (line.depth, line.multipv, line.pv[0].to_string())).collect(), is_complete)
    }

    fn expected(lines: &[(u32, u32, &str)]) -> Vec<(u32, u32, String)> {
        lines.iter().map(|&(depth, rank, mv)| (depth, rank, mv.to_owned())).collect()
    }

    #[test]
    fn the_last_complete_step_counts() {
        let shown = [(1, 1, "pv a2a3"), (1, 2, "pv b2b3"), (2, 1, "pv b2b3"), (2, 2, "pv a2a3"), (3, 1, "pv a2a3")];
        assert_eq!(gathered(2, &shown), (expected(&[(2, 1, "b2b3"), (2, 2, "a2a3")]), true));
    }

    /// As Stockfish does when it is stopped: the rest of the lines are those of the step before.
    #[test]
    fn a_mixed_showing_is_not_complete() {
        let shown = [
            (1, 1, "pv a2a3"),
            (1, 2, "pv b2b3"),
            (1, 3, "pv c2c3"),
            (2, 1, "pv c2c3"),
            (1, 2, "pv a2a3"),
            (1, 3, "pv b2b3"),
            (2, 1, "pv c2c3"),
            (2, 2, "pv b2b3"),
            (1, 3, "pv a2a3"),
        ];
        let whole = [(1, 1, "a2a3"), (1, 2, "b2b3"), (1, 3, "c2c3")];
        assert_eq!(gathered(3, &shown), (expected(&whole), true));
    }

    #[test]
    fn the_order_within_a_showing_is_free() {
        let shown = [(1, 2, "pv b2b3"), (1, 1, "pv a2a3"), (2, 2, "pv a2a3"), (2, 1, "pv c2c3")];
        assert_eq!(gathered(2, &shown), (expected(&[(2, 1, "c2c3"), (2, 2, "a2a3")]), true));
    }

    #[test]
    fn bounds_are_no_lines() {
        let shown = [(1, 1, "pv a2a3"), (2, 1, "lowerbound pv b2b3")];
        assert_eq!(gathered(1, &shown), (expected(&[(1, 1, "a2a3")]), true));
    }

    /// An engine that numbers its lines without end must not fill the memory.
    #[test]
    fn lines_that_were_not_asked_for_are_not_kept() {
        let mut iterations = Iterations::new(2);
        for rank in (2..10_000).chain([u32::MAX]) {
            iterations.add(SearchLine::parse(&format!("depth 1 multipv {rank} score cp 1 pv a2a3")).unwrap());
        }
        assert_eq!((iterations.showing.len(), iterations.latest.len()), (1, 1));
        let shown = [(1, 1, "pv a2a3"), (1, 3, "pv c2c3"), (1, 2, "pv b2b3")];
        assert_eq!(gathered(2, &shown), (expected(&[(1, 1, "a2a3"), (1, 2, "b2b3")]), true));
    }

    #[test]
    fn without_a_complete_step_there_is_what_there_is() {
        let shown = [(1, 1, "pv a2a3"), (1, 2, "pv b2b3")];
        assert_eq!(gathered(3, &shown), (expected(&[(1, 1, "a2a3"), (1, 2, "b2b3")]), false));
    }
}
