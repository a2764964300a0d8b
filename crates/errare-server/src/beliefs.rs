//! Beliefs about the person at the workbench, from their saved games.

use crate::refusal::Refusal;
use crate::saved_game::stored;
use crate::store::{EvidenceRow, Store};
use errare_lab::{Belief, GameEvidence, GridSpec, Outcome, StoredPosterior};
use schemars::JsonSchema;
use serde::Serialize;

/// The beliefs about a person in each endgame they played.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Beliefs {
    /// A belief for each endgame and task, in the order in which they were first played.
    pub beliefs: Vec<EndingBelief>,
}

/// The belief about a person in one endgame with one task.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EndingBelief {
    /// The endgame; the person's men are named first.
    pub material: String,
    /// What theory asks of the person: to win, to draw, or (loss) to hold out.
    pub task: String,
    /// Number of games in this endgame with this task.
    pub games: usize,
    /// Number of moves that the person made in these games.
    pub moves: i64,
    /// The person's expected competence.
    pub expected_c: f64,
    /// The interval that holds nine tenths of the probability of the competence.
    pub interval: [f64; 2],
    /// The belief, which games and predictions can begin with.
    pub posterior: StoredPosterior,
    /// The belief at the end of each day on which the person played, the first day first.
    pub days: Vec<DayBelief>,
}

/// A belief at the end of a day.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DayBelief {
    /// The day in universal time, as in 2026-01-31.
    pub day: String,
    /// Number of games of that day.
    pub games: usize,
    /// The person's expected competence at the end of the day.
    pub expected_c: f64,
    /// The interval that holds nine tenths of the probability of the competence.
    pub interval: [f64; 2],
}

/// Finds the belief from earlier games in an endgame with a task, on a grid; none before the first game.
pub fn of(store: &Store, endgame: &str, task: Outcome, grid: GridSpec) -> Result<Option<StoredPosterior>, Refusal> {
    let games = store.evidence(Some((endgame, task.name())))?;
    if games.is_empty() {
        return Ok(None);
    }
    let mut belief = Belief::new(grid.0)?;
    games.iter().try_for_each(|game| Ok::<_, Refusal>(belief.add(&evidence(game)?)?))?;
    Ok(Some(belief.stored()))
}

/// Lists the beliefs about the person in all endgames and tasks.
pub fn all(store: &Store) -> Result<Beliefs, Refusal> {
    let mut found: Vec<(EndingBelief, Belief)> = Vec::new();
    for game in store.evidence(None)? {
        let is_known =
            |(known, _): &(EndingBelief, Belief)| known.material == game.endgame && known.task == game.theory;
        let place = match found.iter().position(is_known) {
            Some(place) => place,
            None => {
                found.push(begun(&game)?);
                found.len() - 1
            }
        };
        let Some((ending, belief)) = found.get_mut(place) else { continue };
        belief.add(&evidence(&game)?)?;
        ending.learn(&game, belief);
    }
    Ok(Beliefs { beliefs: found.into_iter().map(|(ending, belief)| ending.with(&belief)).collect() })
}

fn evidence(game: &EvidenceRow) -> Result<GameEvidence, Refusal> {
    Ok(GameEvidence::new(&stored(&game.belief_before)?, &stored(&game.belief_now)?)?)
}

/// Begins an ending of which nothing is known yet.
fn begun(game: &EvidenceRow) -> Result<(EndingBelief, Belief), Refusal> {
    let belief = Belief::new(GridSpec::default().0)?;
    let ending = EndingBelief {
        material: game.endgame.clone(),
        task: game.theory.clone(),
        games: 0,
        moves: 0,
        expected_c: belief.expected_c(),
        interval: belief.interval(),
        posterior: belief.stored(),
        days: Vec::new(),
    };
    Ok((ending, belief))
}

impl EndingBelief {
    /// Counts a game, and notes the belief after it as the belief at the end of its day.
    fn learn(&mut self, game: &EvidenceRow, belief: &Belief) {
        self.games += 1;
        self.moves += game.moves;
        let (expected_c, interval) = (belief.expected_c(), belief.interval());
        // A game that was begun earlier and played on later belongs to the later day, which may be over already.
        match self.days.last_mut().filter(|last| last.day >= game.day) {
            Some(last) => {
                last.games += 1;
                (last.expected_c, last.interval) = (expected_c, interval);
            }
            None => self.days.push(DayBelief { day: game.day.clone(), games: 1, expected_c, interval }),
        }
    }

    fn with(self, belief: &Belief) -> EndingBelief {
        let (expected_c, interval, posterior) = (belief.expected_c(), belief.interval(), belief.stored());
        EndingBelief { expected_c, interval, posterior, ..self }
    }
}
