//! The metrics, read off the graph of an endgame.

use super::graph::{Capture, Graph, Kind, Node};
use errare_tables::{Metric, Outcome, Plies, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Who wins for the side to move, and in how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Loss(u16),
    Draw,
    Win(u16),
}

use Depth::{Draw, Loss, Win};

impl Depth {
    /// The plies of a decisive one.
    fn plies(self) -> Option<u16> {
        match self {
            Loss(plies) | Win(plies) => Some(plies),
            Draw => None,
        }
    }

    /// For the side that could make the move that led here, with that move counted.
    fn before(self) -> Depth {
        match self {
            Loss(plies) => Win(plies + 1),
            Draw => Draw,
            Win(plies) => Loss(plies + 1),
        }
    }

    /// The depth at the start of a new phase: the winner stays, the count begins at zero.
    fn restarted(self) -> Depth {
        match self {
            Loss(_) => Loss(0),
            Draw => Draw,
            Win(_) => Win(0),
        }
    }
}

/// An endgame with its values in every metric.
pub struct Solved {
    pub graph: Graph,
    mate: Vec<Depth>,
    zeroing: Vec<Depth>,
    /// By the moves of the rule; what cannot be won under it is drawn here.
    rule: BTreeMap<u16, Vec<Depth>>,
    by_the_rule: Vec<Depth>,
    /// z_i for i = dr.
    by_the_rule_phase: Vec<u16>,
}

/// The endgames that captures lead to, by the number of the man taken; `None` for bare kings.
type Subs = Vec<Option<Solved>>;

impl Solved {
    /// Solves an endgame and all those it may turn into, for the given move rules too.
    pub fn new(men: super::Men, rules: &[u16]) -> Solved {
        let of_sub = |man| (men.0.len() > 1).then(|| Solved::new(men.without(man), rules));
        let subs: Subs = (0..men.0.len()).map(of_sub).collect();
        let graph = Graph::new(men);
        // What the side to move has of a capture, given what the position it leads to is worth.
        let capture = |values: fn(&Solved) -> &[Depth], capture: Capture| {
            subs[usize::from(capture.taken)].as_ref().map_or(Draw, |sub| values(sub)[capture.node as usize])
        };
        let mate = minimax(&graph, u16::MAX, |c| capture(|sub| &sub.mate, c).before());
        let zeroing = minimax(&graph, u16::MAX, |c| capture(|sub| &sub.zeroing, c).restarted().before());
        let under = |&moves: &u16| {
            let value =
                |c: Capture| subs[usize::from(c.taken)].as_ref().map_or(Draw, |sub| sub.rule[&moves][c.node as usize]);
            (moves, minimax(&graph, 2 * moves, |c| value(c).restarted().before()))
        };
        let rule = rules.iter().map(under).collect();
        let (by_the_rule, by_the_rule_phase) = by_the_rule(&graph, |c| capture(|sub| &sub.by_the_rule, c));
        Solved { graph, mate, zeroing, rule, by_the_rule, by_the_rule_phase }
    }

    /// What a table should say of a node.
    pub fn value(&self, node: Node, metric: Metric) -> Value {
        let at = node as usize;
        match metric {
            Metric::Dtm => value(self.mate[at]),
            Metric::Dtc | Metric::Dtz => value(self.zeroing[at]),
            Metric::DtzRule(moves) => match (self.rule[&moves][at], self.zeroing[at]) {
                (Draw, Win(plies)) => Value::new(Outcome::CursedWin, plies),
                (Draw, Loss(plies)) => Value::new(Outcome::BlessedLoss, plies),
                (under_the_rule, _) => value(under_the_rule),
            },
            Metric::Dtr => Value { phase: Plies(self.by_the_rule_phase[at]), ..value(self.by_the_rule[at]) },
        }
    }
}

fn value(depth: Depth) -> Value {
    match depth {
        Loss(plies) => Value::new(Outcome::Loss, plies),
        Draw => Value::DRAW,
        Win(plies) => Value::new(Outcome::Win, plies),
    }
}

/// The value of every node when the winner minimises plies and the loser maximises them.
///
/// `after` gives what the side to move gets from a capture, the capture counted. Only what is
/// decided within `limit` plies is; the rest is drawn.
fn minimax(graph: &Graph, limit: u16, after: impl Fn(Capture) -> Depth) -> Vec<Depth> {
    let mut depths = vec![Draw; graph.kinds.len()];
    // Moves not yet known to lose. A capture that does not lose stays among them for ever.
    let mut hopes = graph.quiet_moves.clone();
    // The best that losing captures do: so long the loser holds out.
    let mut respite = vec![0_u16; graph.kinds.len()];
    let mut due: BTreeMap<u16, (Vec<Node>, Vec<Node>)> = BTreeMap::new();
    for node in graph.nodes() {
        match graph.kind(node) {
            Kind::Broken | Kind::Stalemate => continue,
            Kind::Mated => due.entry(0).or_default().0.push(node),
            Kind::Open => {
                for &capture in graph.captures(node) {
                    match after(capture) {
                        Loss(plies) => respite[node as usize] = respite[node as usize].max(plies),
                        Draw => hopes[node as usize] += 1,
                        Win(plies) => {
                            hopes[node as usize] += 1;
                            due.entry(plies).or_default().1.push(node);
                        }
                    }
                }
                if hopes[node as usize] == 0 {
                    due.entry(respite[node as usize]).or_default().0.push(node);
                }
            }
        }
    }
    while let Some((ply, (lost, won))) = due.pop_first() {
        if ply > limit {
            break;
        }
        for node in lost {
            depths[node as usize] = Loss(ply);
            let undecided = graph.predecessors(node).iter().filter(|&&before| depths[before as usize] == Draw);
            due.entry(ply + 1).or_default().1.extend(undecided);
        }
        for node in won {
            // The same node may be found won by several moves.
            if depths[node as usize] != Draw {
                continue;
            }
            depths[node as usize] = Win(ply);
            for &before in graph.predecessors(node) {
                hopes[before as usize] -= 1;
                if hopes[before as usize] == 0 {
                    due.entry(respite[before as usize].max(ply + 1)).or_default().0.push(before);
                }
            }
        }
    }
    depths
}

/// Depth by the rule: dr = min { i : z_i <= i } and, with it, z_i for that i.
///
/// z_i is the minimax to mate or to a capture into X_i, where dr <= i; it is worked out anew for
/// each i at which X_i of the endgames to come has grown, no further than the i for which it holds.
fn by_the_rule(graph: &Graph, after: impl Fn(Capture) -> Depth) -> (Vec<Depth>, Vec<u16>) {
    let all = graph.nodes().flat_map(|node| graph.captures(node));
    let growing: BTreeSet<u16> = all.filter_map(|&capture| after(capture).plies()).chain([0]).collect();
    let mut depths = vec![Draw; graph.kinds.len()];
    let mut phases = vec![0; graph.kinds.len()];
    for &level in &growing {
        let in_x = |capture| Some(after(capture)).filter(|depth| depth.plies() <= Some(level)).unwrap_or(Draw);
        let holds_to = growing.range(level + 1..).next().map_or(u16::MAX, |next| next - 1);
        let z = minimax(graph, holds_to, |capture| in_x(capture).restarted().before());
        for (at, z) in z.into_iter().enumerate() {
            if depths[at] == Draw {
                depths[at] = match z {
                    Loss(plies) => Loss(plies.max(level)),
                    Draw => Draw,
                    Win(plies) => Win(plies.max(level)),
                };
                phases[at] = z.plies().unwrap_or(0);
            }
        }
    }
    (depths, phases)
}
