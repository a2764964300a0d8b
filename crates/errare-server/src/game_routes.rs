//! Addresses of saved games, and of the beliefs that they lead to.

use crate::beliefs;
use crate::body;
use crate::content::Content;
use crate::games::Games;
use crate::refusal::Refusal;
use crate::routes::{Named, Shared, SharedState, named};
use crate::saved_game::SavedGame;
use crate::work::{Answer, blocking};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use errare_work::Cancel;
use serde_json::json;
use std::sync::Arc;

/// The router of addresses of games, below /api/v1.
pub fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/games", get(list).post(add).delete(erase_all))
        .route("/games/{id}", get(game).delete(erase))
        .route("/games/{id}/moves", post(make_move))
        .route("/games/{id}/take-back", post(take_back))
        .route("/games/{id}/finish", post(finish))
        .route("/games.pgn", get(pgn))
        .route("/games.json", get(export))
        .route("/beliefs", get(all_beliefs))
}

/// Does the work of a move in the queue of moves.
async fn play(
    shared: &Shared,
    work: impl FnOnce(&Games, &Cancel) -> Result<SavedGame, Refusal> + Send + 'static,
) -> Result<SavedGame, Refusal> {
    let games = shared.games.clone();
    shared.moves.run(move |cancel| work(&games, cancel)).await
}

/// Does work that reads the store, which may be large.
async fn read(shared: &Shared, work: impl FnOnce(&Games) -> Answer + Send + 'static) -> Answer {
    let games = shared.games.clone();
    blocking(move || work(&games)).await
}

async fn list(State(shared): SharedState) -> Answer {
    read(&shared, |games| Content::json(&games.list()?)).await
}

async fn add(State(shared): SharedState, request: Request) -> Result<Response, Refusal> {
    let new = body::json(request).await?;
    let games = shared.new_games.clone();
    let saved = shared.calls.run(move |cancel| games.add(new, cancel)).await?;
    let address = format!("/api/v1/games/{}", saved.id);
    Ok((StatusCode::CREATED, [(LOCATION, address)], Content::json(&saved)?).into_response())
}

async fn game(State(shared): SharedState, id: Named) -> Answer {
    let id = named(id)?;
    Content::json(&play(&shared, move |games, cancel| games.get(&id, cancel)).await?)
}

async fn make_move(State(shared): SharedState, id: Named, request: Request) -> Answer {
    let (id, new) = (named(id)?, body::json(request).await?);
    Content::json(&play(&shared, move |games, cancel| games.make_move(&id, new, cancel)).await?)
}

async fn take_back(State(shared): SharedState, id: Named, request: Request) -> Answer {
    let (id, asked) = (named(id)?, body::json(request).await?);
    Content::json(&play(&shared, move |games, cancel| games.take_back(&id, &asked, cancel)).await?)
}

async fn finish(State(shared): SharedState, id: Named, request: Request) -> Answer {
    let (id, end) = (named(id)?, body::json(request).await?);
    Content::json(&play(&shared, move |games, cancel| games.finish(&id, &end, cancel)).await?)
}

async fn erase(State(shared): SharedState, id: Named) -> Answer {
    let id = named(id)?;
    read(&shared, move |games| {
        games.erase(&id)?;
        Content::json(&json!({"erased": 1}))
    })
    .await
}

async fn erase_all(State(shared): SharedState) -> Answer {
    read(&shared, |games| Content::json(&json!({"erased": games.erase_all()?}))).await
}

async fn pgn(State(shared): SharedState) -> Answer {
    read(&shared, |games| Ok(Content::pgn_file(games.pgn()?, "errare-games.pgn"))).await
}

async fn export(State(shared): SharedState) -> Answer {
    read(&shared, |games| Content::json_file(&games.export()?, "errare-games.json")).await
}

async fn all_beliefs(State(shared): SharedState) -> Answer {
    let store = shared.store.clone();
    blocking(move || Content::json(&beliefs::all(&store)?)).await
}
