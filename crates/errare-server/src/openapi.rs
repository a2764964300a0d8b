//! The OpenAPI description of all addresses for programs, made from the types that requests and responses have.

use crate::beliefs::Beliefs;
use crate::content::Content;
use crate::job_status::{JobList, JobStatus};
use crate::routes::About;
use crate::saved_game::{FinishGame, GameExport, GameList, NewGame, NewMove, SavedGame, TakeBack};
use crate::work::Answer;
use errare_lab::{MilepostsResponse, OPERATIONS, OperationInfo, PlayersResponse, StudyResponse};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The answer with the OpenAPI description, which is the same as long as the server runs.
pub fn description() -> Answer {
    static DESCRIPTION: LazyLock<Value> = LazyLock::new(describe);
    Content::json(&*DESCRIPTION)
}

/// The meaning of each refusal, by its status.
const REFUSALS: [(&str, &str); 13] = [
    ("400", "The request is wrong; the text says what is expected."),
    ("401", "The server asks for the token that is in the address it printed."),
    ("403", "The request comes from a page elsewhere, or names a file, folder or program."),
    ("404", "What the request names does not exist."),
    ("405", "The address does not take this method."),
    ("408", "The body takes too long to arrive."),
    ("409", "The job is not finished; or the saved game has gone on elsewhere."),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("422", "The request is understood, but data or memory do not allow an answer."),
    ("500", "A bug, or a failure of the server's machine."),
    ("507", "The game or job could not be saved: the disk is full."),
    ("503", "There is too much to do, or it took too long: ask again."),
];

/// The refusals of every address, those of addresses with a body, and those of addresses that look something up.
const ALWAYS: &[&str] = &["400", "401", "403", "405", "500", "503"];
const OF_BODIES: &[&str] = &["404", "408", "413", "415", "422"];
const OF_LOOKUPS: &[&str] = &["404", "422"];
const OF_STORAGE: &[&str] = &["404", "507"];

fn describe() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for operation in OPERATIONS.iter().filter(|operation| operation.exposure.is_served()) {
        let [request, response] = (operation.subschemas)(&mut generator).map(|schema| schema.to_value());
        let status = generator.subschema_for::<JobStatus>().to_value();
        paths.insert(format!("/api/v1/{}", operation.name), call(operation, &request, &response));
        paths.insert(format!("/api/v1/jobs/{}", operation.name), job(operation, &request, &status));
    }
    add_questions(&mut paths, &mut generator);
    add_jobs(&mut paths, &mut generator);
    add_games(&mut paths, &mut generator);
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Problem".to_owned(), problem_schema());
    let refusals = REFUSALS.iter().map(|(status, meaning)| ((*status).to_owned(), refusal(meaning)));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "errare",
            "summary": "A laboratory for fallible chess play, over HTTP.",
            "description": "Each operation of errare whose requests can do without files is a POST with a JSON body. Long \
                            work is started as a job. Games against agents are saved as they happen. What is refused is a problem \
                            (RFC 9457) whose detail is a sentence for people.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "responses": refusals.collect::<Map<String, Value>>()},
    })
}

fn problem_schema() -> Value {
    json!({
        "type": "object",
        "description": "Why a request was refused.",
        "properties": {
            "type": {"type": "string", "description": "Always about:blank: the status says what kind of problem it is."},
            "title": {"type": "string", "description": "The status in words."},
            "status": {"type": "integer", "description": "The status of HTTP."},
            "detail": {"type": "string", "description": "The reason, for people."},
            "current": {"description": "If a saved game has gone on elsewhere, the game as it stands now."},
        },
        "required": ["type", "title", "status", "detail"],
    })
}

fn refusal(meaning: &str) -> Value {
    let schema = json!({"$ref": "#/components/schemas/Problem"});
    json!({"description": meaning, "content": {"application/problem+json": {"schema": schema}}})
}

/// The responses of an address: the response of success, and all refusals.
fn responses(success: &str, found: Value, refusals: &[&[&str]]) -> Value {
    let refused = refusals
        .iter()
        .copied()
        .flatten()
        .map(|status| ((*status).to_owned(), json!({"$ref": format!("#/components/responses/{status}")})));
    Value::Object([(success.to_owned(), found)].into_iter().chain(refused).collect())
}

fn content(description: &str, schema: &Value) -> Value {
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

fn body(schema: &Value) -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}

fn call(operation: &OperationInfo, request: &Value, response: &Value) -> Value {
    json!({"post": {
        "operationId": operation.name,
        "tags": ["operations"],
        "summary": operation.about,
        "requestBody": body(request),
        "responses": responses("200", content("The response.", response), &[ALWAYS, OF_BODIES]),
    }})
}

fn job(operation: &OperationInfo, request: &Value, status: &Value) -> Value {
    let mut started = content("The job, which has been started.", status);
    started["headers"] = json!({"Location": {"description": "The address of the job.", "schema": {"type": "string"}}});
    json!({"post": {
        "operationId": format!("start-{}", operation.name),
        "tags": ["jobs"],
        "summary": format!("{}, as a job", operation.about),
        "requestBody": body(request),
        "responses": responses("202", started, &[ALWAYS, OF_BODIES]),
    }})
}

fn text_parameter(name: &str, place: &str, is_required: bool, meaning: &str) -> Value {
    json!({"name": name, "in": place, "required": is_required, "description": meaning, "schema": {"type": "string"}})
}

fn number_parameter(name: &str, schema: &Value, meaning: &str) -> Value {
    json!({"name": name, "in": "query", "description": meaning, "schema": schema})
}

fn get(id: &str, summary: &str, parameters: Value, found: Value, refusals: &[&[&str]]) -> Value {
    json!({
        "operationId": id,
        "tags": ["questions"],
        "summary": summary,
        "parameters": parameters,
        "responses": responses("200", found, refusals),
    })
}

/// Adds the addresses that answer questions by GET.
fn add_questions(paths: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let mut add = |path: &str, question: Value| paths.insert(path.to_owned(), json!({"get": question}));
    let found = content("The calibration.", &generator.subschema_for::<MilepostsResponse>().to_value());
    let ratings = get("ratings", "The calibration that the turns make", json!([]), found, &[ALWAYS, OF_LOOKUPS]);
    add("/api/v1/ratings", ratings);
    let found = content("A page of the list.", &generator.subschema_for::<PlayersResponse>().to_value());
    let parameters = json!([
        text_parameter("search", "query", false, "List players whose name contains this, regardless of case."),
        number_parameter("page", &json!({"type": "integer", "minimum": 1}), "The number of the page, from 1."),
    ]);
    add("/api/v1/players", get("list-players", "List or search players", parameters, found, &[ALWAYS, OF_LOOKUPS]));
    let found = content("All that is known of the player.", &generator.subschema_for::<StudyResponse>().to_value());
    let parameters = json!([
        text_parameter("name", "query", true, "The exact name, or a part that only one name contains."),
        number_parameter(
            "claimed",
            &json!({"type": "number", "exclusiveMinimum": 0}),
            "The rating to compare the moves with; by default that of each game.",
        ),
    ]);
    add(
        "/api/v1/player",
        get("player", "Rate a player, and screen the moves", parameters, found, &[ALWAYS, OF_LOOKUPS]),
    );
    let found = content("What the server is.", &generator.subschema_for::<About>().to_value());
    add("/api/v1/about", get("about", "What the server is and has", json!([]), found, &[ALWAYS]));
    let any = json!({"type": "object"});
    let found = content("The operations.", &json!({"type": "array", "items": any}));
    add("/api/v1/schema", get("list-operations", "List all operations", json!([]), found, &[ALWAYS]));
    let found = content("The JSON schemas of request and response.", &any);
    let parameters = json!([text_parameter("operation", "path", true, "The name of the operation.")]);
    let schema = get("operation-schema", "The schemas of an operation", parameters, found, &[ALWAYS, &["404"]]);
    add("/api/v1/schema/{operation}", schema);
    let found = content("This description.", &any);
    add("/api/v1/openapi.json", get("openapi", "This description", json!([]), found, &[ALWAYS]));
}

/// Adds the addresses of saved games, and of the beliefs that they lead to.
fn add_games(paths: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let saved = generator.subschema_for::<SavedGame>().to_value();
    let id = || json!([text_parameter("id", "path", true, "The id of the game.")]);
    let tagged = |mut method: Value| {
        method["tags"] = json!(["games"]);
        method
    };
    let change = |name: &str, summary: &str, parameters: Value, request: &Value, success: &str| {
        tagged(json!({
            "operationId": name,
            "summary": summary,
            "parameters": parameters,
            "requestBody": body(request),
            "responses": responses(success, content("The game.", &saved), &[ALWAYS, OF_BODIES, &["409", "507"]]),
        }))
    };
    let erased = content("Number of games erased.", &json!({"type": "object"}));
    let list = content("The games.", &generator.subschema_for::<GameList>().to_value());
    let new = generator.subschema_for::<NewGame>().to_value();
    let all = json!({
        "get": tagged(get("list-games", "List saved games", json!([]), list, &[ALWAYS, OF_STORAGE])),
        "post": change("add-game", "Begin a game and save it", json!([]), &new, "201"),
        "delete": tagged(get("erase-games", "Erase all games", json!([]), erased.clone(), &[ALWAYS, OF_STORAGE])),
    });
    paths.insert("/api/v1/games".to_owned(), all);
    let found = content("The game.", &saved);
    let one = json!({
        "get": tagged(get("game", "A saved game as it stands", id(), found, &[ALWAYS, OF_LOOKUPS])),
        "delete": tagged(get("erase-game", "Erase a game", id(), erased, &[ALWAYS, OF_STORAGE])),
    });
    paths.insert("/api/v1/games/{id}".to_owned(), one);
    let changes = [
        ("moves", "make-move", "Make a move", generator.subschema_for::<NewMove>()),
        ("take-back", "take-back", "Take the last move back", generator.subschema_for::<TakeBack>()),
        ("finish", "finish-game", "Resign, or claim a draw", generator.subschema_for::<FinishGame>()),
    ];
    for (path, name, summary, request) in changes {
        let post = change(name, summary, id(), &request.to_value(), "200");
        paths.insert(format!("/api/v1/games/{{id}}/{path}"), json!({"post": post}));
    }
    let pgn =
        json!({"description": "The games.", "content": {"application/x-chess-pgn": {"schema": {"type": "string"}}}});
    let pgn = get("export-pgn", "All games in PGN", json!([]), pgn, &[ALWAYS]);
    paths.insert("/api/v1/games.pgn".to_owned(), json!({"get": tagged(pgn)}));
    let export = content("The games.", &generator.subschema_for::<GameExport>().to_value());
    let export = get("export-json", "All games with all that is kept of them", json!([]), export, &[ALWAYS]);
    paths.insert("/api/v1/games.json".to_owned(), json!({"get": tagged(export)}));
    let found = content("The beliefs.", &generator.subschema_for::<Beliefs>().to_value());
    let beliefs = get("beliefs", "What games show of the person", json!([]), found, &[ALWAYS]);
    paths.insert("/api/v1/beliefs".to_owned(), json!({"get": tagged(beliefs)}));
}

/// Adds the addresses of jobs that have been started.
fn add_jobs(paths: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let found = content("The jobs, the newest first.", &generator.subschema_for::<JobList>().to_value());
    let mut list = get("list-jobs", "How far all jobs are", json!([]), found, &[ALWAYS]);
    list["tags"] = json!(["jobs"]);
    paths.insert("/api/v1/jobs".to_owned(), json!({"get": list}));
    let status = generator.subschema_for::<JobStatus>().to_value();
    let id = || json!([text_parameter("id", "path", true, "The id of the job.")]);
    let found = content("How far the job is.", &status);
    let mut watch = get("job", "How far a job is", id(), found, &[ALWAYS, &["404"]]);
    watch["tags"] = json!(["jobs"]);
    let gone = content("The job as it was left.", &status);
    let mut cancel = get("cancel-job", "Cancel a job and forget it", id(), gone, &[ALWAYS, &["404"]]);
    cancel["tags"] = json!(["jobs"]);
    paths.insert("/api/v1/jobs/{id}".to_owned(), json!({"get": watch, "delete": cancel}));
    let found = content("What the operation would have answered.", &json!({}));
    let at = json!([
        text_parameter("id", "path", true, "The id of the job."),
        text_parameter("at", "query", false, "A JSON pointer (RFC 6901) to the part of the response that is wanted."),
    ]);
    let mut response =
        get("job-response", "The response of a finished job", at, found, &[ALWAYS, &["404", "409", "422"]]);
    response["tags"] = json!(["jobs"]);
    paths.insert("/api/v1/jobs/{id}/response".to_owned(), json!({"get": response}));
    let stream = json!({
        "description": "Events named progress, and at the end done, failed or cancelled; the data are the job's status.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    });
    let mut events = get("job-events", "The progress of a job as events", id(), stream, &[ALWAYS, &["404"]]);
    events["tags"] = json!(["jobs"]);
    paths.insert("/api/v1/jobs/{id}/events".to_owned(), json!({"get": events}));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All references in a value.
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn references_lead_somewhere() {
        let description = describe();
        let mut found = Vec::new();
        references(&description, &mut found);
        assert!(found.len() > 100, "{}", found.len());
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference}"));
            assert!(description.pointer(pointer).is_some(), "{reference}");
        }
    }

    /// By the sources of the router: an address that is added there is described here.
    #[test]
    fn every_address_is_described() {
        let (ratings, _) = include_str!("rating_routes.rs").split_once("pub fn moved").unwrap();
        let sources = [include_str!("routes.rs"), include_str!("game_routes.rs"), ratings].concat();
        let described = describe();
        let mut found = 0;
        for route in sources.split(".route(\"").skip(1) {
            let path = route.split('"').next().unwrap().replace("{job}", "{id}");
            if path != "/{operation}" {
                found += 1;
                assert!(described["paths"][format!("/api/v1{path}")].is_object(), "{path}");
            }
        }
        assert!(found > 15, "{found}");
    }

    #[test]
    fn every_served_operation_is_described() {
        let description = describe();
        for operation in OPERATIONS {
            let is_served = operation.exposure.is_served();
            for path in [format!("/api/v1/{}", operation.name), format!("/api/v1/jobs/{}", operation.name)] {
                let post = &description["paths"][&path]["post"];
                assert_eq!(post.is_object(), is_served, "{path}");
                if is_served {
                    assert!(post["requestBody"]["content"]["application/json"]["schema"].is_object(), "{path}");
                    for status in ["400", "403", "404", "413", "415", "422", "500", "503"] {
                        assert!(post["responses"][status].is_object(), "{path} {status}");
                    }
                }
            }
        }
        let mut ids: Vec<&str> = Vec::new();
        for methods in description["paths"].as_object().unwrap().values() {
            ids.extend(methods.as_object().unwrap().values().filter_map(|method| method["operationId"].as_str()));
        }
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "an operationId occurs twice");
    }
}
