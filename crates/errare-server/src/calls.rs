//! Operations of the lab by name: JSON in, JSON out.

use crate::content::Content;
use crate::refusal::Refusal;
use crate::work::Answer;
use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use errare_lab::{Exposure, Lab, LabError, OPERATIONS, OperationInfo};
use errare_work::Progress;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// Names below /api/ that are asked for with GET.
const QUESTIONS: [&str; 4] = ["ratings", "players", "player", "schema"];

/// The most bytes of a request's body.
const LARGEST_BODY: usize = 64 << 10;

/// How long a client may take to send its body.
const SENDING: Duration = Duration::from_secs(10);

/// The name of the operation that an address calls, whether or not there is such an operation.
pub fn called(path: &str) -> Option<&str> {
    path.strip_prefix("/api/").filter(|name| !name.contains('/') && !QUESTIONS.contains(name))
}

/// An operation and what it is asked.
pub struct Call {
    operation: &'static OperationInfo,
    request: Value,
}

impl Call {
    /// Reads a call from a request, if it is one that may be taken from a client.
    pub async fn read(request: Request) -> Result<Call, Refusal> {
        let name = called(request.uri().path()).unwrap_or_default();
        let operation = OperationInfo::find(name).ok_or_else(|| LabError::UnknownOperation(name.to_owned()))?;
        let body = body(request).await?;
        let wrong = |error: serde_json::Error| Refusal::bad(format!("invalid JSON: {error}"));
        let request: Value = serde_json::from_slice(&body).map_err(wrong)?;
        operation.check_exposed(&request)?;
        Ok(Call { operation, request })
    }

    /// Runs the operation.
    pub fn run(self, lab: &Lab, progress: &dyn Progress) -> Answer {
        Content::json(&lab.call(self.operation.name, self.request, progress)?)
    }
}

async fn body(request: Request) -> Result<Bytes, Refusal> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let sentence = format!("invalid content type `{kind}`: expected application/json");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    match timeout(SENDING, to_bytes(request.into_body(), LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => {
            let sentence = format!("the request cannot be read: it has more than {LARGEST_BODY} bytes, or ends early");
            Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence))
        }
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request takes too long to arrive")),
    }
}

/// An operation in the list of all.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    /// Whether it can be called here.
    callable: bool,
}

/// The schemas of an operation.
#[derive(Serialize)]
struct Schemas {
    name: &'static str,
    about: &'static str,
    request: Value,
    response: Value,
}

/// Lists the operations.
pub fn operations() -> Answer {
    let listed = |operation: &OperationInfo| Listed {
        name: operation.name,
        about: operation.about,
        callable: operation.exposure != Exposure::Local,
    };
    Content::json(&OPERATIONS.iter().map(listed).collect::<Vec<_>>())
}

/// The schemas of the operation that an address names.
pub fn schema(address: &Uri) -> Answer {
    let name = address.path().strip_prefix("/api/schema/").unwrap_or_default();
    let operation = OperationInfo::find(name).ok_or_else(|| LabError::UnknownOperation(name.to_owned()))?;
    Content::json(&Schemas {
        name: operation.name,
        about: operation.about,
        request: (operation.request_schema)().to_value(),
        response: (operation.response_schema)().to_value(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_that_clients_may_call_has_an_address() {
        for operation in OPERATIONS.iter().filter(|operation| operation.exposure != Exposure::Local) {
            assert_eq!(called(&format!("/api/{}", operation.name)), Some(operation.name));
        }
        for path in ["/probe", "/api/players", "/api/schema/probe", "/apiprobe", "/api"] {
            assert_eq!(called(path), None, "{path}");
        }
    }
}
