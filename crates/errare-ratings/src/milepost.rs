//! Players of known rating, and the skill that was fitted to them.

use crate::projection::Projection;
use errare_choice::Skill;

/// Players near one Elo, and the skill that was fitted to them: a row of the table of Regan and Haworth (2011).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Milepost {
    /// The Elo of the players.
    pub elo: f64,
    /// Number of games.
    pub games: usize,
    /// The fitted s and c.
    pub skill: Skill,
    /// The standard errors of s and c.
    pub se: [f64; 2],
    /// The c of the line through all mileposts at this Elo.
    pub c_fit: f64,
    /// The s that was fitted again with c held at `c_fit`.
    pub s_fit: f64,
    /// The expected and the actual mm and ad on the milepost's own turns.
    pub projection: Projection,
    /// The quality Q_fit: the sum of squares of R_q - q.
    pub quality: f64,
    /// The expected loss of the fitted skill on the reference set.
    pub reference_ad: f64,
    /// The standard error of `reference_ad`.
    pub se_reference_ad: f64,
}
