//! Addresses of the turns that the server was started with: mileposts, players, their ratings.

use crate::content::Content;
use crate::kept::Kept;
use crate::lanes::Lanes;
use crate::questions::{PlayerQuestion, PlayersQuestion};
use crate::refusal::Refusal;
use crate::routes::{Shared, SharedState};
use crate::work::{Answer, Queue};
use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Redirect;
use axum::routing::get;
use errare_lab::RatingBench;
use errare_ratings::RatedPlayer;
use errare_work::{Progress, Silent};
use std::sync::Arc;

/// The greatest number of pieces of work that may wait for their turn.
const MAX_WAITING: usize = 32;

/// The greatest number of pages on players that are kept: each has all moves of a player.
const MAX_PAGES: usize = 64;

/// The greatest number of ratings that are kept, some kilobytes each.
const MAX_RATED: usize = 1024;

/// The greatest number of players who are rated before anybody asks: those with the most turns.
const MAX_PREPARED: usize = 256;

/// The ratings of a server: turns, and the answers that were worked out about them.
pub struct Ratings {
    bench: RatingBench,
    /// A second bench with its own threads, so that many comparisons with claimed ratings do not delay ratings.
    claims_bench: RatingBench,
    mileposts: Kept<(), Content>,
    /// Players with their ratings, which are kept whatever ratings are claimed.
    rated: Kept<String, Arc<RatedPlayer>>,
    /// The pages on players, without a claimed rating.
    players: Kept<String, Content>,
    /// Comparisons of moves with a claimed rating, in a lane for each player. These comparisons are quick and never
    /// kept: there are more ratings to claim than room for answers.
    claims: Lanes,
}

impl Ratings {
    pub fn new(bench: RatingBench, workers: usize) -> Ratings {
        let studies = Queue::new(workers, MAX_WAITING);
        Ratings {
            claims_bench: bench.with_own_threads(),
            bench: bench.with_own_threads(),
            mileposts: Kept::new(studies.clone(), 1),
            rated: Kept::new(studies, MAX_RATED),
            players: Kept::new(Queue::new(workers, MAX_WAITING), MAX_PAGES),
            claims: Lanes::new(Queue::new(workers, MAX_WAITING)),
        }
    }

    pub fn has_turns(&self) -> bool {
        self.bench.has_turns()
    }

    /// Works out in advance what clients ask for first: the mileposts, then the ratings of players, one after another,
    /// so that one place in the queue is enough for them. A client who then asks for many players at once holds up
    /// nobody.
    pub async fn prepare(&self) {
        if !self.has_turns() {
            return;
        }
        // What cannot be had is said to whoever asks for it.
        drop(self.mileposts.ask((), self.milepost_report()).await);
        for name in self.bench.players_to_rate(MAX_PREPARED).unwrap_or_default() {
            drop(self.rate(&name).await);
        }
    }

    /// Rates a player, unless the rating is kept.
    async fn rate(&self, name: &str) -> Result<Arc<RatedPlayer>, Refusal> {
        let (bench, owned) = (self.bench.clone(), name.to_owned());
        self.rated.ask(name.to_owned(), move || Ok(bench.rate(&owned, &Silent)?)).await
    }

    fn milepost_report(&self) -> impl FnOnce() -> Answer + Send + use<> {
        let bench = self.bench.clone();
        move || Content::json(&bench.milepost_report(&Silent)?)
    }
}

/// The router of addresses on ratings, below /api/v1.
pub fn api() -> Router<Arc<Shared>> {
    Router::new()
        .route("/ratings", get(mileposts))
        .route("/player", get(async |state: SharedState, address: Uri| player(state, &address).await))
        .route("/players", get(async |state: SharedState, address: Uri| players(&state, &address)))
}

/// The router of the addresses that pages on turns had before they became parts of the workbench.
pub fn moved() -> Router<Arc<Shared>> {
    let to = |page: &'static str| get(async move |address: Uri| Redirect::permanent(&with_query(page, &address)));
    Router::new()
        .route("/turns", to("/rate"))
        .route("/ratings", to("/rate/mileposts"))
        .route("/players", to("/rate/players"))
        .route("/player", to("/rate/player"))
}

/// The address of a page, with the query of another address.
fn with_query(page: &str, address: &Uri) -> String {
    address.query().map_or_else(|| page.to_owned(), |query| format!("{page}?{query}"))
}

fn players(State(shared): &SharedState, address: &Uri) -> Answer {
    let question = PlayersQuestion::read(address)?;
    Content::json(&shared.ratings.bench.players(&question.search, question.page)?)
}

async fn mileposts(State(shared): SharedState) -> Answer {
    let ratings = &shared.ratings;
    ratings.mileposts.ask((), ratings.milepost_report()).await
}

async fn player(State(shared): SharedState, address: &Uri) -> Answer {
    let PlayerQuestion { name, claimed } = PlayerQuestion::read(address)?;
    // Only questions that there may be an answer to are worth a place in the queue. The full name is the same question
    // however it was typed.
    let ratings = &shared.ratings;
    let name = ratings.bench.find_player(&name)?;
    let rated = ratings.rate(&name).await?;
    let bench = if claimed.is_some() { &ratings.claims_bench } else { &ratings.bench }.clone();
    let work = move |progress: &dyn Progress| Content::json(&bench.player(&rated, claimed, progress)?);
    match claimed {
        None => ratings.players.ask(name, move || work(&Silent)).await,
        Some(_) => ratings.claims.run(&name, move |cancel| work(cancel)).await,
    }
}
