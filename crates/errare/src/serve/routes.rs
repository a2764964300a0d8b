//! Which address leads where.

use super::bench::Bench;
use super::content::Form;
use super::questions::{PlayerQuestion, PlayersQuestion};
use super::refusal::Refusal;
use super::work::{Answer, Work};
use super::{api, guard, pages};
use axum::extract::State;
use axum::http::Uri;
use axum::routing::get;
use axum::{Router, middleware};
use errare_work::Silent;
use std::net::IpAddr;
use std::sync::Arc;

/// What takes time to answer, in the form that is wanted.
#[derive(Clone, Debug, PartialEq)]
enum Question {
    Ratings(Form),
    Player(Form, PlayerQuestion),
}

/// What the answers come from.
struct Server {
    bench: Bench,
    work: Work<Question>,
}

type Shared = State<Arc<Server>>;

/// All of it, for a server at this address with so many threads to work with.
pub fn router(bench: Bench, bound: IpAddr, threads: usize) -> Router {
    let server = Arc::new(Server { bench, work: Work::new(threads) });
    Router::new()
        .route("/", get(async |State(server): Shared| pages::home(&server.bench)))
        .route("/ratings", get(async |state: Shared| answer(state, Question::Ratings(Form::Page)).await))
        .route("/api/ratings", get(async |state: Shared| answer(state, Question::Ratings(Form::Json)).await))
        .route("/player", get(async |state: Shared, address: Uri| player(state, Form::Page, &address).await))
        .route("/api/player", get(async |state: Shared, address: Uri| player(state, Form::Json, &address).await))
        .route("/players", get(async |state: Shared, address: Uri| players(&state, Form::Page, &address)))
        .route("/api/players", get(async |state: Shared, address: Uri| players(&state, Form::Json, &address)))
        .fallback(async |address: Uri| -> Answer { Err(nothing(&address)) })
        .layer(middleware::from_fn_with_state(bound, guard::guard))
        .with_state(server)
}

fn nothing(address: &Uri) -> Refusal {
    Refusal::not_found(format!("there is nothing at {}", address.path()))
}

fn players(State(server): &Shared, form: Form, address: &Uri) -> Answer {
    let question = PlayersQuestion::read(address)?;
    match form {
        Form::Page => pages::players(&server.bench, &question),
        Form::Json => api::players(&server.bench, &question),
    }
}

async fn player(state: Shared, form: Form, address: &Uri) -> Answer {
    let PlayerQuestion { name, claimed } = PlayerQuestion::read(address)?;
    // Only questions that there may be an answer to are worth a place in the queue. The full name is the same question
    // however it was typed.
    let question = PlayerQuestion { name: state.bench.player(&name)?, claimed };
    answer(state, Question::Player(form, question)).await
}

async fn answer(State(server): Shared, question: Question) -> Answer {
    let working = (Arc::clone(&server), question.clone());
    server.work.ask(question, move || work_out(&working.0.bench, &working.1)).await
}

fn work_out(bench: &Bench, question: &Question) -> Answer {
    match question {
        Question::Ratings(Form::Page) => pages::ratings(bench, &Silent),
        Question::Ratings(Form::Json) => api::ratings(bench),
        Question::Player(Form::Page, question) => pages::player(bench, question, &Silent),
        Question::Player(Form::Json, question) => api::player(bench, question, &Silent),
    }
}
