//! Which address leads where.

use crate::calls::{self, Call};
use crate::content::{Content, Form};
use crate::questions::{PlayerQuestion, PlayersQuestion};
use crate::refusal::Refusal;
use crate::work::{Answer, Work};
use crate::{guard, pages};
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::routing::{get, post};
use axum::{Router, middleware};
use errare_lab::{Lab, LabError, RatingBench};
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
struct Shared {
    lab: Lab,
    bench: RatingBench,
    work: Work<Question>,
}

type SharedState = State<Arc<Shared>>;

/// All addresses of a server that listens on this one.
pub fn router(lab: Lab, bench: RatingBench, bound: IpAddr) -> Result<Router, LabError> {
    let work = Work::new(lab.thread_count()?);
    let shared = Arc::new(Shared { lab, bench, work });
    Ok(Router::new()
        .route("/", get(async |State(shared): SharedState| pages::home(&shared.bench)))
        .route("/ratings", get(async |state: SharedState| answer(state, Question::Ratings(Form::Page)).await))
        .route("/api/ratings", get(async |state: SharedState| answer(state, Question::Ratings(Form::Json)).await))
        .route("/player", get(async |state: SharedState, address: Uri| player(state, Form::Page, &address).await))
        .route("/api/player", get(async |state: SharedState, address: Uri| player(state, Form::Json, &address).await))
        .route("/players", get(async |state: SharedState, address: Uri| players(&state, Form::Page, &address)))
        .route("/api/players", get(async |state: SharedState, address: Uri| players(&state, Form::Json, &address)))
        .route("/api/schema", get(async || calls::operations()))
        .route("/api/schema/{operation}", get(async |address: Uri| calls::schema(&address)))
        .route("/api/{operation}", post(call).fallback(nothing))
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(bound, guard::guard))
        .with_state(shared))
}

async fn nothing(address: Uri) -> Answer {
    Err(Refusal::not_found(format!("there is nothing at {}", address.path())))
}

fn players(State(shared): &SharedState, form: Form, address: &Uri) -> Answer {
    let question = PlayersQuestion::read(address)?;
    let found = shared.bench.players(&question.search, question.page)?;
    match form {
        Form::Page => pages::players(&shared.bench, &question.search, &found),
        Form::Json => Content::json(&found),
    }
}

async fn player(state: SharedState, form: Form, address: &Uri) -> Answer {
    let PlayerQuestion { name, claimed } = PlayerQuestion::read(address)?;
    // Only questions that there may be an answer to are worth a place in the queue. The full name is the same question
    // however it was typed.
    let question = PlayerQuestion { name: state.bench.find_player(&name)?, claimed };
    answer(state, Question::Player(form, question)).await
}

async fn answer(State(shared): SharedState, question: Question) -> Answer {
    let working = (Arc::clone(&shared), question.clone());
    shared.work.ask(question, move || work_out(&working.0.bench, &working.1)).await
}

fn work_out(bench: &RatingBench, question: &Question) -> Answer {
    match question {
        Question::Ratings(Form::Page) => Ok(Content::page(&bench.milepost_page(&Silent)?)),
        Question::Ratings(Form::Json) => Content::json(&bench.mileposts()?),
        Question::Player(Form::Page, question) => pages::player(bench, question),
        Question::Player(Form::Json, PlayerQuestion { name, claimed }) => {
            Content::json(&bench.player(name, *claimed, &Silent)?)
        }
    }
}

async fn call(State(shared): SharedState, request: Request) -> Answer {
    let call = Call::read(request).await?;
    let lab = shared.lab.clone();
    shared.work.run(move |cancel| call.run(&lab, cancel)).await
}
