//! Goals that the strategies SR_1 to SR_4 adopt (Haworth 2000, section 6), in plies.

/// A goal: to end the phase by some ply, counted from its beginning, in a position of at most some DTR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The greatest DTR (dr) of the position in which the phase ends, in plies.
    pub depth: u32,
    /// The latest ply at which the phase ends (bm).
    pub by: u32,
}

/// The goals that a player has adopted in this phase; the last one is the current goal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Goals(Vec<Goal>);

/// A won successor as the goals see it, in plies.
#[derive(Clone, Copy, Debug)]
pub struct Prospect {
    /// The DTR (dr) of the position after the move.
    pub depth: u32,
    /// The earliest ply at which the phase can be ended: the plies made, the move itself, and dz after it.
    pub ends_by: u32,
}

impl Goals {
    /// The goals adopted, of which the first is the default one.
    pub fn all(&self) -> &[Goal] {
        &self.0
    }

    /// Finds by the algorithm of section 6.3 the prospects that do not exclude the current goal, which may be a new
    /// one. The list is empty if all exclude it.
    ///
    /// `made` plies of the phase have been made, `limit` are allowed (2k), and `kind` is a of SR_a.
    pub fn pursue(&mut self, prospects: &[Prospect], made: u32, limit: u32, kind: u8) -> Vec<usize> {
        // A phase that has only begun, by a move of ours or of the opponent's, has no history.
        if made < 2 || self.0.is_empty() {
            self.0 = vec![Goal { depth: limit, by: limit }];
        }
        let compatible = |goal: Goal| -> Vec<usize> {
            let fits = |prospect: &Prospect| {
                prospect.ends_by <= limit && prospect.depth <= goal.depth && prospect.ends_by <= goal.by
            };
            (0..prospects.len()).filter(|&place| fits(&prospects[place])).collect()
        };
        let mut current = self.0[self.0.len() - 1];
        let mut left = compatible(current);
        // Step 2: back to an earlier goal if this one cannot be reached any more.
        while left.is_empty() && self.0.len() > 1 {
            self.0.pop();
            current = self.0[self.0.len() - 1];
            left = compatible(current);
        }
        // Step 3: a stronger goal, if the moves at hand imply one.
        let best = left.iter().map(|&place| prospects[place].depth).min();
        if let (Some(depth), 2..) = (best, kind) {
            let by = made + 1 + depth;
            let latest = match kind {
                2 => current.by,
                3 => limit,
                _ => u32::MAX,
            };
            if depth < current.depth && by <= latest {
                current = Goal { depth, by };
                self.0.push(current);
                let within = compatible(current);
                if !within.is_empty() {
                    left = within;
                }
            }
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prospect(depth: u32, ends_by: u32) -> Prospect {
        Prospect { depth, ends_by }
    }

    /// Figure 2 of Haworth (2000) in plies: goals 50/50, 30/30, 25/43 and 22/56 in moves, under a rule of 50 moves.
    #[test]
    fn each_kind_adopts_what_it_may() {
        let game = [(59, 20, 0), (49, 60, 36), (43, 80, 66)];
        for (kind, expected) in [(1, vec![100]), (2, vec![100, 59]), (3, vec![100, 59, 49]), (4, vec![100, 59, 49, 43])]
        {
            let mut goals = Goals::default();
            let mut adopted = Vec::new();
            for (depth, ends_by, made) in game {
                goals.pursue(&[prospect(depth, ends_by)], made, 100, kind);
                adopted.extend(
                    goals
                        .all()
                        .iter()
                        .map(|goal| goal.depth)
                        .filter(|depth| !adopted.contains(depth))
                        .collect::<Vec<_>>(),
                );
            }
            assert_eq!(adopted, expected, "SR{kind}");
        }
    }

    #[test]
    fn what_cannot_be_reached_is_given_up() {
        let mut goals = Goals::default();
        assert_eq!(goals.pursue(&[prospect(59, 20), prospect(70, 10)], 0, 100, 3), [0]);
        // Nothing is left for 59 by ply 60: the default goal is taken up again, and no better one implied.
        assert_eq!(goals.pursue(&[prospect(99, 70)], 30, 100, 3), [0]);
        assert_eq!(goals.all(), [Goal { depth: 100, by: 100 }]);
        // Beyond the rule nothing fits.
        assert_eq!(goals.pursue(&[prospect(10, 101)], 40, 100, 3), Vec::<usize>::new());
        // A new phase begins with the default goal.
        goals.pursue(&[prospect(100, 5)], 0, 100, 4);
        assert_eq!(goals.all().len(), 1);
    }
}
