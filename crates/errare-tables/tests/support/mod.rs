//! What the tests of tables share.

pub mod facts;
pub mod placements;
pub mod probe;
pub mod symmetry;
pub mod tables;
