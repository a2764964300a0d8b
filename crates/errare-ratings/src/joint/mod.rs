//! The joint model: skill as a smooth function of Elo, fitted to all turns of players of known Elo at once.
//!
//! The probability of a move is a mixture. With probability 1 - w it is chosen as in Regan and Haworth (2011), with an s
//! and a c that belong to an Elo; with probability w it comes from a heavy tail, (1 + loss/0.3)^-2 in proportion, which
//! stands for blunders that s and c make all but impossible. ln s, ln c and the logit of w are linear in the Elo; ln s
//! and the logit of w depend also on [`Traits`] of the turn, which make moves harder to find for everybody.

mod assessment;
mod clusters;
mod document;
mod fit;
mod matrix;
mod model;
mod odds;
mod precision;
mod traits;

pub use assessment::{Assessment, Control, Estimate};
pub use clusters::Clusters;

pub(crate) use document::JointDocument;
pub use fit::{JointFit, MIN_JOINT_GAMES, MIN_JOINT_TURNS};
pub use model::{JointModel, PARAMETERS, TailedSkill};
pub use odds::JointOdds;
pub use precision::PrecisionAt;
pub use traits::Traits;
