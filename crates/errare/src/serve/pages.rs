//! The pages, for people.

use super::bench::{Bench, EXAMPLE};
use super::content::Content;
use super::questions::{PlayerQuestion, PlayersQuestion, address};
use super::refusal::Refusal;
use super::work::Answer;
use crate::fit::turns::summary;
use crate::output::{cell, grouped};
use crate::report::html::{Field, Page};
use crate::report::{player, ratings};
use errare_ratings::{PlayerSummary, PlayersPage};
use errare_work::Progress;

/// Where ratings come from if nobody gave a calibration.
const OWN: &str = "Ratings use a calibration made from these turns themselves, the player's own among them; \
                   --calibration gives another.";

/// What there is.
pub fn home(bench: &Bench) -> Content {
    let mut page = Page::new("errare");
    page.paragraph("A laboratory for fallible chess play. Here: ratings from what an engine thinks of the moves.");
    let Some(data) = &bench.data else {
        page.paragraph("The server was started without turns, so there is nothing to show. Start it with some:");
        page.command(EXAMPLE);
        return Content::page(&page);
    };
    page.heading("Turns");
    page.paragraph(&format!("{}.", data.set.data));
    page.note(&format!("{}.", summary(&data.set)));
    page.heading("Calibration");
    match (&bench.given, &data.own) {
        (Some(given), _) => page.paragraph(&format!("Ratings use a calibration on {}.", given.data)),
        (None, Ok(_)) => page.paragraph(OWN),
        (None, Err(sentence)) => page.paragraph(&format!("None, so nobody can be rated: {sentence}.")),
    }
    page.heading("Pages");
    let players = format!("{} players", grouped(data.players.all().len() as u64));
    page.links(&[("/ratings", "Mileposts, beside the paper's"), ("/players", &players)]);
    page.note("The same for programs, as JSON:");
    page.links(&["/api/ratings", "/api/players"].map(|path| (path, path)));
    Content::page(&page)
}

/// The mileposts.
pub fn ratings(bench: &Bench, progress: &dyn Progress) -> Answer {
    let (data, calibration) = bench.mileposts()?;
    Ok(Content::page(&ratings::page(calibration, &data.set, progress)?))
}

/// A list of players.
pub fn players(bench: &Bench, question: &PlayersQuestion) -> Answer {
    let data = bench.data()?;
    let PlayersQuestion { search, page: number } = question;
    let found = data.players.search(search, *number)?;
    let mut page = Page::new("Players");
    page.form("/players", &[Field { name: "search", kind: "search", label: "Name", value: search }], "Find");
    page.paragraph(&counted(&found));
    let calibration = bench.calibration();
    let is_rated = |player: &PlayerSummary| calibration.is_ok() && player.turns >= bench.least_turns;
    let rows: Vec<Vec<String>> = found.players.iter().map(row).collect();
    page.linked_table(&["player", "games", "turns", "Elo", "mm", "ad"], &rows, |place| {
        let player = found.players.get(place).filter(|player| is_rated(player))?;
        Some(address("/player", &[("name", &player.name)]))
    });
    page.links(
        &neighbours(&found, search)
            .iter()
            .map(|(address, words)| (address.as_str(), words.as_str()))
            .collect::<Vec<_>>(),
    );
    page.note(
        "Elo is the mean over the games that give it, mm the share of moves that were the engine's first choice, ad the \
         mean loss in pawns, corrected for the size of the evaluation.",
    );
    match calibration {
        Ok(_) => {
            page.note(&format!("A rating takes {} turns: names of players with fewer have no link.", bench.least_turns))
        }
        Err(Refusal { sentence, .. }) => page.note(&format!("Nobody can be rated: {sentence}.")),
    }
    if data.players.nameless_turns > 0 {
        page.note(&format!("{} turns are of players without a name.", grouped(data.players.nameless_turns as u64)));
    }
    Ok(Content::page(&page))
}

fn counted(found: &PlayersPage) -> String {
    let total = match found.total {
        1 => "1 player".to_owned(),
        total => format!("{} players", grouped(total as u64)),
    };
    if found.pages > 1 { format!("{total}, page {} of {}.", found.page, found.pages) } else { format!("{total}.") }
}

fn row(player: &PlayerSummary) -> Vec<String> {
    let elo = cell(player.elo.map(|elo| format!("{elo:.0}")));
    let numbers = [player.games, player.turns].map(|count| grouped(count as u64));
    let shares = [player.mm, player.ad].map(|value| format!("{value:.3}"));
    [player.name.clone()].into_iter().chain(numbers).chain([elo]).chain(shares).collect()
}

/// Addresses of the pages before and after, in words.
fn neighbours(found: &PlayersPage, search: &str) -> Vec<(String, String)> {
    let to = |page: usize, words: &str| {
        (address("/players", &[("search", search), ("page", &page.to_string())]), words.to_owned())
    };
    let before = (found.page > 1).then(|| to(found.page - 1, "Previous page"));
    let after = (found.page < found.pages).then(|| to(found.page + 1, "Next page"));
    before.into_iter().chain(after).collect()
}

/// A player.
pub fn player(bench: &Bench, question: &PlayerQuestion, progress: &dyn Progress) -> Answer {
    let PlayerQuestion { name, claimed } = question;
    let (data, calibration, study) = bench.study(name, *claimed, progress)?;
    let mut page = player::page(calibration, &data.set.turns, &study)?;
    if bench.given.is_none() {
        page.remark(OWN);
    }
    let claimed = cell(*claimed);
    let fields = [
        Field { name: "name", kind: "hidden", label: "", value: name },
        Field { name: "claimed", kind: "number", label: "Compare the moves with a rating of", value: &claimed },
    ];
    page.form("/player", &fields, "Show");
    Ok(Content::page(&page))
}
