//! The OpenAPI description of everything for programs, made from the types that requests and responses have.

use crate::content::Content;
use crate::job_status::JobStatus;
use crate::work::Answer;
use errare_lab::{CalibrateResponse, Exposure, OPERATIONS, OperationInfo, PlayersResponse, StudyResponse};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The description. It is the same as long as the server runs.
pub fn description() -> Answer {
    static DESCRIPTION: LazyLock<Value> = LazyLock::new(describe);
    Content::json(&*DESCRIPTION)
}

/// What each refusal means.
const REFUSALS: [(&str, &str); 12] = [
    ("400", "The request is wrong; the text says what is expected."),
    ("403", "The request comes from a page elsewhere, or names a file, folder or program."),
    ("404", "What the request names does not exist."),
    ("405", "The address does not take this method."),
    ("408", "The body takes too long to arrive."),
    ("409", "The job is not finished."),
    ("410", "The job was cancelled."),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("422", "The request is understood, but data or memory do not allow an answer."),
    ("500", "A bug, or a failure of the server's machine."),
    ("503", "There is too much to do, or it took too long: ask again."),
];

/// The refusals of every address, those of addresses with a body, and those of addresses that look something up.
const ALWAYS: &[&str] = &["400", "403", "405", "500", "503"];
const OF_BODIES: &[&str] = &["404", "408", "413", "415", "422"];
const OF_LOOKUPS: &[&str] = &["404", "422"];

fn describe() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for operation in OPERATIONS.iter().filter(|operation| operation.exposure == Exposure::Served) {
        let [request, response] = (operation.subschemas)(&mut generator).map(|schema| schema.to_value());
        let status = generator.subschema_for::<JobStatus>().to_value();
        paths.insert(format!("/api/{}", operation.name), call(operation, &request, &response));
        paths.insert(format!("/api/jobs/{}", operation.name), job(operation, &request, &status));
    }
    add_questions(&mut paths, &mut generator);
    add_jobs(&mut paths, &mut generator);
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Error".to_owned(), error_schema());
    let refusals = REFUSALS.iter().map(|(status, meaning)| ((*status).to_owned(), refusal(meaning)));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "errare",
            "summary": "A laboratory for fallible chess play, over HTTP.",
            "description": "Each operation of errare whose requests can do without files is a POST with a JSON body. Long \
                            work is started as a job. What is refused is {\"error\": \"why\"}.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "responses": refusals.collect::<Map<String, Value>>()},
    })
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "description": "Why a request was refused.",
        "properties": {"error": {"type": "string", "description": "The reason, for people."}},
        "required": ["error"],
    })
}

fn refusal(meaning: &str) -> Value {
    json!({"description": meaning, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}})
}

/// The responses of an address: that of success, and all refusals.
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

fn number_parameter(name: &str, kind: &str, meaning: &str) -> Value {
    json!({"name": name, "in": "query", "description": meaning, "schema": {"type": kind}})
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

/// What is asked for with GET.
fn add_questions(paths: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let mut add = |path: &str, question: Value| paths.insert(path.to_owned(), json!({"get": question}));
    let found = content("The calibration.", &generator.subschema_for::<CalibrateResponse>().to_value());
    let ratings = get("ratings", "The calibration that the turns make", json!([]), found, &[ALWAYS, OF_LOOKUPS]);
    add("/api/ratings", ratings);
    let found = content("A page of the list.", &generator.subschema_for::<PlayersResponse>().to_value());
    let parameters = json!([
        text_parameter("search", "query", false, "List players whose name contains this, regardless of case."),
        number_parameter("page", "integer", "The number of the page, from 1."),
    ]);
    add("/api/players", get("list-players", "List or search players", parameters, found, &[ALWAYS, OF_LOOKUPS]));
    let found = content("All that is known of the player.", &generator.subschema_for::<StudyResponse>().to_value());
    let parameters = json!([
        text_parameter("name", "query", true, "The exact name, or a part that only one name contains."),
        number_parameter("claimed", "number", "The rating to compare the moves with; by default that of each game."),
    ]);
    add("/api/player", get("player", "Rate a player, and screen the moves", parameters, found, &[ALWAYS, OF_LOOKUPS]));
    let any = json!({"type": "object"});
    let found = content("The operations.", &json!({"type": "array", "items": any}));
    add("/api/schema", get("list-operations", "List all operations", json!([]), found, &[ALWAYS]));
    let found = content("The JSON schemas of request and response.", &any);
    let parameters = json!([text_parameter("operation", "path", true, "The name of the operation.")]);
    let schema = get("operation-schema", "The schemas of an operation", parameters, found, &[ALWAYS, &["404"]]);
    add("/api/schema/{operation}", schema);
    let found = content("This description.", &any);
    add("/api/openapi.json", get("openapi", "This description", json!([]), found, &[ALWAYS]));
}

/// What is done with jobs that have been started.
fn add_jobs(paths: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let status = generator.subschema_for::<JobStatus>().to_value();
    let id = || json!([text_parameter("id", "path", true, "The id of the job.")]);
    let found = content("How far the job is.", &status);
    let mut watch = get("job", "How far a job is", id(), found, &[ALWAYS, &["404"]]);
    watch["tags"] = json!(["jobs"]);
    let gone = content("The job as it was left.", &status);
    let mut cancel = get("cancel-job", "Cancel a job and forget it", id(), gone, &[ALWAYS, &["404"]]);
    cancel["tags"] = json!(["jobs"]);
    paths.insert("/api/jobs/{id}".to_owned(), json!({"get": watch, "delete": cancel}));
    let found = content("What the operation would have answered.", &json!({}));
    let mut response =
        get("job-response", "The response of a finished job", id(), found, &[ALWAYS, &["404", "409", "410", "422"]]);
    response["tags"] = json!(["jobs"]);
    paths.insert("/api/jobs/{id}/response".to_owned(), json!({"get": response}));
    let stream = json!({
        "description": "Events named progress, and at the end done, failed or cancelled; the data are the job's status.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    });
    let mut events = get("job-events", "The progress of a job as events", id(), stream, &[ALWAYS, &["404"]]);
    events["tags"] = json!(["jobs"]);
    paths.insert("/api/jobs/{id}/events".to_owned(), json!({"get": events}));
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

    #[test]
    fn every_served_operation_is_described() {
        let description = describe();
        for operation in OPERATIONS {
            let is_served = operation.exposure == Exposure::Served;
            for path in [format!("/api/{}", operation.name), format!("/api/jobs/{}", operation.name)] {
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
