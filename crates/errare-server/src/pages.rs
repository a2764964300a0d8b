//! The pages that belong to the server: what there is, a list of players, a player with a form.

use crate::content::Content;
use crate::questions::address;
use crate::refusal::{EXAMPLE, Refusal};
use crate::work::Answer;
use errare_lab::{Field, OWN_CALIBRATION, Page, PlayersResponse, RatingBench, grouped};
use errare_ratings::{PlayerSummary, RatedPlayer};
use errare_work::Progress;
use std::sync::Arc;

/// The page on the turns that the server was started with.
pub fn home(bench: &RatingBench) -> Answer {
    let mut page = Page::new("errare");
    page.paragraph("A laboratory for fallible chess play. Here: ratings from what an engine thinks of the moves.");
    if bench.has_turns() {
        page.heading("Turns");
        page.paragraph(&format!("{}.", bench.describe()?));
        page.heading("Calibration");
        match bench.calibration() {
            Ok((_, true)) => page.paragraph(OWN_CALIBRATION),
            Ok((given, false)) => page.paragraph(&format!("Ratings use a calibration on {}.", given.data)),
            Err(error) => page.paragraph(&format!("None, so nobody can be rated: {error}.")),
        }
        page.heading("Pages");
        let players = format!("{} players", grouped(bench.player_counts()?.0 as u64));
        page.links(&[("/ratings", "Mileposts, beside those of 2011"), ("/players", &players)]);
        page.note("The same for programs, as JSON:");
        page.links(
            &["/api/v1/ratings", "/api/v1/players", "/api/v1/schema", "/api/v1/openapi.json"].map(|path| (path, path)),
        );
    } else {
        page.paragraph("The server was started without turns, so there are no ratings to show. Start it with some:");
        page.command(EXAMPLE);
        page.note("Operations for programs, with JSON in and JSON out:");
        page.links(&["/api/v1/schema", "/api/v1/openapi.json"].map(|path| (path, path)));
    }
    Ok(Content::page(&page))
}

/// A list of players.
pub fn players(bench: &RatingBench, search: &str, found: &PlayersResponse) -> Answer {
    let mut page = Page::new("Players");
    page.form("/players", &[Field { name: "search", kind: "search", label: "Name", value: search }], "Find");
    page.paragraph(&counted(found));
    let calibration = bench.calibration();
    let is_rated = |player: &PlayerSummary| calibration.is_ok() && player.turns >= found.min_turns;
    let rows: Vec<Vec<String>> = found.players.iter().map(row).collect();
    page.linked_table(&["player", "games", "turns", "Elo", "mm", "ad"], &rows, |place| {
        let player = found.players.get(place).filter(|player| is_rated(player))?;
        Some(address("/player", &[("name", &player.name)]))
    });
    let neighbours = neighbours(found, search);
    page.links(&neighbours.iter().map(|(address, words)| (address.as_str(), *words)).collect::<Vec<_>>());
    page.note(
        "Elo is the mean over the games that give it, mm the share of moves that were the engine's first choice, ad the \
         mean loss in pawns, corrected for the size of the evaluation.",
    );
    match calibration {
        Ok(_) => {
            page.note(&format!("A rating takes {} turns: names of players with fewer have no link.", found.min_turns))
        }
        Err(error) => page.note(&format!("Nobody can be rated: {}.", Refusal::from(error).sentence)),
    }
    let (_, nameless_turns) = bench.player_counts()?;
    if nameless_turns > 0 {
        page.note(&format!("{} turns are of players without a name.", grouped(nameless_turns as u64)));
    }
    Ok(Content::page(&page))
}

fn counted(found: &PlayersResponse) -> String {
    let total = match found.total {
        1 => "1 player".to_owned(),
        total => format!("{} players", grouped(total as u64)),
    };
    if found.pages > 1 { format!("{total}, page {} of {}.", found.page, found.pages) } else { format!("{total}.") }
}

fn row(player: &PlayerSummary) -> Vec<String> {
    let elo = player.elo.map_or_else(String::new, |elo| format!("{elo:.0}"));
    let numbers = [player.games, player.turns].map(|count| grouped(count as u64));
    let shares = [player.mm, player.ad].map(|value| format!("{value:.3}"));
    [player.name.clone()].into_iter().chain(numbers).chain([elo]).chain(shares).collect()
}

/// Addresses of the pages before and after, in words.
fn neighbours(found: &PlayersResponse, search: &str) -> Vec<(String, &'static str)> {
    let to = |page: usize, words| (address("/players", &[("search", search), ("page", &page.to_string())]), words);
    let before = (found.page > 1).then(|| to(found.page - 1, "Previous page"));
    let after = (found.page < found.pages).then(|| to(found.page + 1, "Next page"));
    before.into_iter().chain(after).collect()
}

/// A player, with a form to compare the moves with another rating.
pub fn player(bench: &RatingBench, rated: &Arc<RatedPlayer>, claimed: Option<f64>, progress: &dyn Progress) -> Answer {
    let mut page = bench.player_page(rated, claimed, progress)?;
    if bench.calibration()?.1 {
        page.remark(OWN_CALIBRATION);
    }
    let claimed = claimed.map_or_else(String::new, |elo| elo.to_string());
    let fields = [
        Field { name: "name", kind: "hidden", label: "", value: &rated.player },
        Field { name: "claimed", kind: "number", label: "Compare the moves with a rating of", value: &claimed },
    ];
    page.form("/player", &fields, "Show");
    Ok(Content::page(&page))
}
