//! Which address leads where.

use crate::calls::{self, Call};
use crate::content::{Content, Form};
use crate::hosts::Hosts;
use crate::job_events::Streams;
use crate::jobs::{Jobs, status_content};
use crate::kept::Kept;
use crate::lanes::Lanes;
use crate::questions::{PlayerQuestion, PlayersQuestion};
use crate::refusal::Refusal;
use crate::work::{Answer, Queue};
use crate::{guard, openapi, pages};
use axum::extract::{Request, State};
use axum::http::header::LOCATION;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use errare_lab::{Lab, LabError, RatingBench};
use errare_ratings::RatedPlayer;
use errare_work::{Progress, Silent};
use std::sync::Arc;

/// Number of pieces of work that may wait for their turn.
const MAX_WAITING: usize = 32;

/// What the answers come from.
struct Shared {
    /// A handle for clients: no request reaches files by it.
    lab: Lab,
    bench: RatingBench,
    mileposts: Kept<Form, Content>,
    /// Players with their ratings, which take seconds, and are kept whatever ratings are claimed.
    ratings: Kept<String, Arc<RatedPlayer>>,
    /// What is shown of players without a claimed rating.
    players: Kept<(Form, String), Content>,
    /// Comparisons of moves with a claimed rating, in a lane for each player. They are quick and never kept: there are
    /// more ratings to claim than room for answers.
    claims: Lanes,
    calls: Queue,
    jobs: Jobs,
    streams: Streams,
}

type SharedState = State<Arc<Shared>>;

/// All addresses of a server that answers to these hosts.
pub fn router(lab: Lab, bench: RatingBench, hosts: Hosts) -> Result<Router, LabError> {
    let (lab, workers) = (lab.for_clients(), lab.thread_count()?);
    let studies = Queue::new(workers, MAX_WAITING);
    let shared = Arc::new(Shared {
        mileposts: Kept::new(studies.clone()),
        ratings: Kept::new(studies),
        players: Kept::new(Queue::new(workers, MAX_WAITING)),
        claims: Lanes::new(Queue::new(workers, MAX_WAITING)),
        calls: Queue::new(workers, MAX_WAITING),
        jobs: Jobs::new(&lab),
        streams: Streams::default(),
        lab,
        bench,
    });
    Ok(Router::new()
        .route("/", get(async |State(shared): SharedState| pages::home(&shared.bench)))
        .route("/ratings", get(async |state: SharedState| mileposts(state, Form::Page).await))
        .route("/api/ratings", get(async |state: SharedState| mileposts(state, Form::Json).await))
        .route("/player", get(async |state: SharedState, address: Uri| player(state, Form::Page, &address).await))
        .route("/api/player", get(async |state: SharedState, address: Uri| player(state, Form::Json, &address).await))
        .route("/players", get(async |state: SharedState, address: Uri| players(&state, Form::Page, &address)))
        .route("/api/players", get(async |state: SharedState, address: Uri| players(&state, Form::Json, &address)))
        .route("/api/schema", get(async || calls::operations()))
        .route("/api/schema/{operation}", get(async |address: Uri| calls::schema(&address)))
        .route("/api/openapi.json", get(async || openapi::description()))
        .route("/api/jobs/{job}", post(start_job).get(job).delete(cancel_job))
        .route("/api/jobs/{job}/response", get(job_response))
        .route("/api/jobs/{job}/events", get(job_events))
        .route("/api/{operation}", post(call).fallback(nothing))
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(Arc::new(hosts), guard::guard))
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

async fn mileposts(State(shared): SharedState, form: Form) -> Answer {
    let working = Arc::clone(&shared);
    let work = move || match form {
        Form::Page => Ok(Content::page(&working.bench.milepost_page(&Silent)?)),
        Form::Json => Content::json(&working.bench.mileposts()?),
    };
    shared.mileposts.ask(form, work).await
}

async fn player(State(shared): SharedState, form: Form, address: &Uri) -> Answer {
    let PlayerQuestion { name, claimed } = PlayerQuestion::read(address)?;
    // Only questions that there may be an answer to are worth a place in the queue. The full name is the same question
    // however it was typed.
    let name = shared.bench.find_player(&name)?;
    let working = (Arc::clone(&shared), name.clone());
    let rated = shared.ratings.ask(name.clone(), move || Ok(working.0.bench.rate(&working.1, &Silent)?)).await?;
    let working = Arc::clone(&shared);
    let work = move |progress: &dyn Progress| match form {
        Form::Page => pages::player(&working.bench, &rated, claimed, progress),
        Form::Json => Content::json(&working.bench.player(&rated, claimed, progress)?),
    };
    match claimed {
        None => shared.players.ask((form, name), move || work(&Silent)).await,
        Some(_) => shared.claims.run(&name, move |cancel| work(cancel)).await,
    }
}

async fn call(State(shared): SharedState, request: Request) -> Answer {
    let call = Call::read(request).await?;
    let lab = shared.lab.clone();
    shared.calls.run(move |cancel| call.run(&lab, cancel)).await
}

async fn start_job(State(shared): SharedState, request: Request) -> Result<Response, Refusal> {
    let job = shared.jobs.start(Call::read(request).await?)?;
    let status = status_content(&job.status())?;
    Ok((StatusCode::ACCEPTED, [(LOCATION, job.address())], status).into_response())
}

/// The id of the job that an address names.
fn job_id(address: &Uri) -> &str {
    let rest = address.path().strip_prefix("/api/jobs/").unwrap_or_default();
    rest.split('/').next().unwrap_or_default()
}

async fn job(State(shared): SharedState, address: Uri) -> Answer {
    status_content(&shared.jobs.find(job_id(&address))?.status())
}

async fn cancel_job(State(shared): SharedState, address: Uri) -> Answer {
    status_content(&shared.jobs.cancel(job_id(&address))?)
}

async fn job_response(State(shared): SharedState, address: Uri) -> Answer {
    shared.jobs.find(job_id(&address))?.response()
}

async fn job_events(State(shared): SharedState, address: Uri) -> Result<Response, Refusal> {
    shared.streams.open(&*shared.jobs.find(job_id(&address))?)
}
