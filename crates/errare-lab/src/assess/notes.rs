//! Notes on an assessment: what a reader should know besides its figures.

use super::games::GameCounts;
use super::left_out::{LeftOutEndgames, Reason};
use crate::numbers::{counted, grouped};
use errare_endgame::{RECORDS_MEMORY, Unlisted};
use errare_games::SeenGames;

/// The greatest number of endgames that a note names.
const NAMED: usize = 3;

/// The circumstances of an assessment, which notes are about.
pub(super) struct Circumstances<'a> {
    pub counts: &'a GameCounts,
    /// The endgames that were looked for, in words.
    pub endgames: &'a str,
    /// The player that was asked for.
    pub player: Option<&'a str>,
    pub left_out: &'a [LeftOutEndgames],
    pub unlisted: Unlisted,
}

impl Circumstances<'_> {
    /// Writes the notes, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let counts = self.counts;
        let mut notes = Vec::new();
        if counts.assessed == 0 {
            notes.push(self.nothing());
        } else {
            notes.extend(self.left_out.iter().map(|left_out| format!("left out: {}", what_and_why(left_out))));
        }
        if counts.copies > 0 {
            let were = if counts.copies == 1 { "was" } else { "were" };
            let copies = counted(counts.copies, "copy");
            notes.push(format!("{copies} of games read before {were} left out: same players, date, start and moves"));
        }
        if counts.unremembered > 0 {
            notes.push(format!(
                "copies were looked for among the first {} games only",
                grouped(SeenGames::LIMIT as u64)
            ));
        }
        if counts.broken > 0 {
            let were = if counts.broken == 1 { "was" } else { "were" };
            notes.push(format!("{} {were} skipped", counted(counts.broken, "broken game")));
        }
        if self.unlisted.moves > 0 {
            notes.push(format!(
                "the memory for players is full ({} MiB): {} by players who came later, in {}, have no row; select players \
                 or endgames (--player, --material)",
                RECORDS_MEMORY >> 20,
                counted(self.unlisted.moves, "move"),
                counted(self.unlisted.games, "appearance"),
            ));
        }
        notes
    }

    /// Explains why nothing was assessed.
    fn nothing(&self) -> String {
        let games = counted(self.counts.wanted, "game");
        let mut text = match (self.player, self.counts.wanted) {
            (Some(player), _) => format!("{player} made no move in {} in {games}", self.endgames),
            (None, 1) => format!("the only game has no move in {}", self.endgames),
            (None, _) => format!("none of {games} has a move in {}", self.endgames),
        };
        text.insert_str(0, "nothing was assessed: ");
        self.left_out.iter().for_each(|left_out| text += &format!("; left out: {}", what_and_why(left_out)));
        text
    }
}

/// Describes how much was left out, why, and which flag includes it.
fn what_and_why(left_out: &LeftOutEndgames) -> String {
    let named: Vec<&str> = left_out.endgames.iter().take(NAMED).map(|endgame| endgame.material.as_str()).collect();
    let more = match left_out.endgames.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (kind, why) = match (left_out.reason, &left_out.remedy) {
        (Reason::Men, Some(flag)) => ("", format!("{flag} builds the tables")),
        (Reason::Pawns, Some(flag)) => {
            (" with pawns", format!("errare builds no such tables, {flag} reads those that you have"))
        }
        _ => ("", "the source has no such tables".to_owned()),
    };
    format!(
        "{} of {} in endgames of {} men{kind} ({}{more}): {why}",
        counted(left_out.moves, "move"),
        counted(left_out.games, "game"),
        left_out.men,
        named.join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::super::left_out::LeftOutEndgame;
    use super::*;

    fn left_out(men: u8, reason: Reason, remedy: Option<&str>) -> LeftOutEndgames {
        let endgames = ["KRPKR", "KBNKN", "KQPKQ", "KRBKR"].map(|material| LeftOutEndgame {
            material: material.to_owned(),
            games: 1,
            moves: 10,
        });
        let remedy = remedy.map(str::to_owned);
        LeftOutEndgames { men, reason, remedy, games: 1, moves: 1234, endgames: endgames.to_vec() }
    }

    #[test]
    fn what_was_left_out_is_explained() {
        let counts = GameCounts { games: 3, wanted: 3, assessed: 2, copies: 1, broken: 2, ..GameCounts::default() };
        let left_out = [left_out(5, Reason::Men, Some("--men 5"))];
        let unlisted = Unlisted::default();
        let some = Circumstances { counts: &counts, endgames: "KQKR", player: None, left_out: &left_out, unlisted };
        assert_eq!(
            some.notes(),
            [
                "left out: 1,234 moves of 1 game in endgames of 5 men (KRPKR, KBNKN, KQPKQ and 1 more): --men 5 builds the \
             tables",
                "1 copy of games read before was left out: same players, date, start and moves",
                "2 broken games were skipped",
            ]
        );
    }

    #[test]
    fn that_nothing_was_assessed_is_one_sentence() {
        let counts = GameCounts { games: 9, wanted: 2, ..GameCounts::default() };
        let left_out = [left_out(6, Reason::Pawns, Some("--source syzygy:DIR"))];
        let endgames = "an endgame of up to 4 men";
        let unlisted = Unlisted { games: 1, moves: 2 };
        let none = Circumstances { counts: &counts, endgames, player: Some("Li"), left_out: &left_out, unlisted };
        let notes = none.notes();
        let expected = "nothing was assessed: Li made no move in an endgame of up to 4 men in 2 games; left out: 1,234 \
                        moves of 1 game in endgames of 6 men with pawns (KRPKR, KBNKN, KQPKQ and 1 more): errare builds \
                        no such tables, --source syzygy:DIR reads those that you have";
        assert_eq!(notes[0], expected);
        assert!(
            notes[1].contains("(128 MiB): 2 moves by players who came later, in 1 appearance, have no row"),
            "{}",
            notes[1]
        );
        let anybody = Circumstances { player: None, left_out: &[], unlisted: Unlisted::default(), ..none };
        let expected = "nothing was assessed: none of 2 games has a move in an endgame of up to 4 men";
        assert_eq!(anybody.notes(), [expected]);
    }
}
