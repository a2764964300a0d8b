//! The routes of the server: which address leads where.

use crate::calls::{self, Call};
use crate::content::Content;
use crate::games::Games;
use crate::guard::{Door, guard};
use crate::job_events::Streams;
use crate::job_status::JobList;
use crate::jobs::Jobs;
use crate::rating_routes::{self, Ratings};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::work::{Answer, Queue, blocking};
use crate::{bundle, game_routes, openapi};
use axum::extract::rejection::PathRejection;
use axum::extract::{OriginalUri, Path, Query, Request, State};
use axum::http::header::{ALLOW, LOCATION};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use errare_lab::{EngineInfo, Exposure, Lab, LabError, OperationInfo, RatingBench};
use errare_work::Silent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The greatest number of requests that may wait for their turn to be worked on: they are quick, and many may come at
/// once.
const MAX_WAITING: usize = 256;

/// The greatest number of requests that may wait where each takes long.
const MAX_LONG_WAITING: usize = 16;

/// The state that all handlers of requests share.
pub struct Shared {
    /// A handle on the lab for clients: no request reaches files by it.
    pub lab: Lab,
    /// The queue of calls that are answered at once if the tables are there; if not, these are built first.
    pub calls: Queue,
    /// The games that are played. A move waits for other moves only, whatever else is worked out, as it has a queue and
    /// threads of its own.
    pub games: Games,
    pub moves: Queue,
    /// A second handle for new games, which may build tables without delaying moves.
    pub new_games: Games,
    /// A handle for calls that may take minutes, with threads and a queue of its own.
    long_lab: Lab,
    long_calls: Queue,
    pub store: Store,
    pub ratings: Ratings,
    jobs: Jobs,
    streams: Streams,
}

pub type SharedState = State<Arc<Shared>>;

/// The name that is a part of an address.
pub type Named = Result<Path<String>, PathRejection>;

/// Returns the name in an address.
pub fn named(name: Named) -> Result<String, Refusal> {
    name.map(|Path(name)| name).map_err(|rejection| Refusal::bad(rejection.body_text()))
}

/// The router of all addresses of a server.
pub fn router(lab: &Lab, bench: RatingBench, store: Store, door: Door) -> Result<Router, LabError> {
    let (lab, workers) = (lab.for_clients(), lab.thread_count()?);
    let jobs = Jobs::new(&lab, store.clone()).map_err(|refusal| LabError::Request(refusal.sentence))?;
    let shared = Arc::new(Shared {
        calls: Queue::new(workers, MAX_WAITING),
        games: Games::new(lab.with_own_threads(), store.clone()),
        moves: Queue::new(workers, MAX_WAITING),
        new_games: Games::new(lab.clone(), store.clone()),
        long_lab: lab.with_own_threads(),
        long_calls: Queue::new(workers, MAX_LONG_WAITING),
        ratings: Ratings::new(bench, workers),
        jobs,
        streams: Streams::default(),
        store,
        lab,
    });
    let preparing = Arc::clone(&shared);
    tokio::task::spawn(async move { preparing.ratings.prepare().await });
    let api = Router::new()
        .route("/about", get(about))
        .route("/schema", get(async || calls::operations()))
        .route("/schema/{operation}", get(async |name: Named| calls::schema(&named(name)?)))
        .route("/openapi.json", get(async || openapi::description()))
        .route("/jobs", get(jobs_list))
        .route("/jobs/{job}", post(start_job).get(job).delete(cancel_job))
        .route("/jobs/{job}/response", get(job_response))
        .route("/jobs/{job}/events", get(job_events))
        .route("/{operation}", post(call).fallback(not_called))
        .merge(game_routes::router())
        .merge(rating_routes::api());
    let all = Router::new().nest("/api/v1", api).merge(rating_routes::moved()).fallback(page).with_state(shared);
    // Around the whole router: which methods an address takes is known outside its handlers only.
    Ok(Router::new().fallback_service(all).layer(middleware::from_fn_with_state(Arc::new(door), guard)))
}

/// Answers with pages and files of the workbench.
async fn page(address: Uri, headers: HeaderMap, request: Request) -> Result<Response, Refusal> {
    let path = address.path();
    if path.starts_with("/api/") {
        return Err(Refusal::not_found(format!("there is nothing at {path}")));
    }
    if !matches!(request.method().as_str(), "GET" | "HEAD") {
        return Ok(StatusCode::METHOD_NOT_ALLOWED.into_response());
    }
    if bundle::is_page(path) { bundle::index(&headers) } else { bundle::file(path, &headers) }
}

/// A description of the server: its version, its engine, and whether it has turns.
#[derive(Debug, Serialize, JsonSchema)]
pub struct About {
    /// The version of errare.
    version: &'static str,
    /// The engine that games are evaluated with; null if there is none, or it does not start.
    engine: Option<EngineInfo>,
    /// Why there is no engine, and how to get one; null if there is one.
    engine_problem: Option<String>,
    /// Whether the server was started with turns, so that there are players to look up.
    has_turns: bool,
}

/// Answers what the server is and has. The engine is started to learn its name, so that this may take a moment.
async fn about(State(shared): SharedState) -> Answer {
    let (lab, has_turns) = (shared.lab.clone(), shared.ratings.has_turns());
    blocking(move || {
        let (engine, engine_problem) = match lab.engine(&Silent) {
            Ok(engine) => (Some(engine), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Content::json(&About { version: env!("CARGO_PKG_VERSION"), engine, engine_problem, has_turns })
    })
    .await
}

async fn call(State(shared): SharedState, operation: Named, request: Request) -> Answer {
    let call = Call::read(&named(operation)?, request).await?;
    let (queue, lab) = match call.operation.exposure {
        Exposure::Long => (&shared.long_calls, shared.long_lab.clone()),
        Exposure::Quick | Exposure::Local => (&shared.calls, shared.lab.clone()),
    };
    queue.run(move |cancel| call.run(&lab, cancel)).await
}

/// Answers a request for an operation by another method than that of a call.
async fn not_called(operation: Named, OriginalUri(address): OriginalUri) -> Result<Response, Refusal> {
    match OperationInfo::find(&named(operation)?) {
        Some(_) => Ok((StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "POST")]).into_response()),
        None => Err(Refusal::not_found(format!("there is nothing at {}", address.path()))),
    }
}

async fn start_job(State(shared): SharedState, operation: Named, request: Request) -> Result<Response, Refusal> {
    let call = Call::read(&named(operation)?, request).await?;
    let jobs = shared.jobs.clone();
    let job = jobs.start(call).await?;
    let status = Content::json(&job.status())?;
    Ok((StatusCode::ACCEPTED, [(LOCATION, job.address())], status).into_response())
}

async fn jobs_list(State(shared): SharedState) -> Answer {
    Content::json(&JobList { jobs: shared.jobs.list() })
}

async fn job(State(shared): SharedState, id: Named) -> Answer {
    Content::json(&shared.jobs.find(&named(id)?)?.status())
}

async fn cancel_job(State(shared): SharedState, id: Named) -> Answer {
    Content::json(&shared.jobs.cancel(&named(id)?)?)
}

/// The question for a part of a response.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartQuestion {
    at: Option<String>,
}

async fn job_response(State(shared): SharedState, id: Named, address: Uri) -> Answer {
    let id = named(id)?;
    let question = Query::<PartQuestion>::try_from_uri(&address);
    let question = question.map_err(|rejection| Refusal::bad(rejection.body_text()))?.0;
    let jobs = shared.jobs.clone();
    // A response may be large.
    blocking(move || jobs.response(&id, question.at.as_deref())).await
}

async fn job_events(State(shared): SharedState, id: Named) -> Result<Response, Refusal> {
    shared.streams.open(&*shared.jobs.find(&named(id)?)?)
}
