//! The tables that lessons need, in words.

use crate::course::LessonTables;

impl LessonTables {
    /// Describes whether the tables exist, or how long they take to build.
    #[must_use]
    pub fn words(&self) -> String {
        match (self.ready, self.seconds) {
            (true, _) => "there".to_owned(),
            (false, None) => "too large for the memory".to_owned(),
            (false, Some(seconds)) if seconds < 90.0 => format!("{:.0} s to build", seconds.ceil()),
            (false, Some(seconds)) => format!("{:.0} min to build", (seconds / 60.0).ceil()),
        }
    }
}
