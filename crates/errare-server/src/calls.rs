//! Operations of the lab by name: JSON in, JSON out.

use crate::body::LARGEST_BODY;
use crate::content::Content;
use crate::jobs::is_job;
use crate::refusal::Refusal;
use crate::work::Answer;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::Uri;
use errare_lab::{Exposure, Lab, LabError, OPERATIONS, OperationInfo};
use errare_work::Progress;
use serde::Serialize;
use serde_json::Value;

/// Names below /api/ that are no operations.
const OTHERS: [&str; 6] = ["ratings", "players", "player", "schema", "jobs", "openapi.json"];

/// The name of the operation that an address calls, now or as a job, whether or not there is such an operation.
pub fn called(path: &str) -> Option<&str> {
    let name = path.strip_prefix("/api/")?;
    match name.strip_prefix("jobs/") {
        Some(name) => Some(name).filter(|name| !name.is_empty() && !name.contains('/') && !is_job(path)),
        None => Some(name).filter(|name| !name.contains('/') && !OTHERS.contains(name)),
    }
}

/// An operation and what it is asked.
pub struct Call {
    pub operation: &'static OperationInfo,
    request: Value,
}

impl Call {
    /// Reads a call from a request whose body has arrived, if it is one that may be taken from a client.
    pub async fn read(request: Request) -> Result<Call, Refusal> {
        let name = called(request.uri().path()).unwrap_or_default();
        let operation = OperationInfo::find(name).ok_or_else(|| LabError::UnknownOperation(name.to_owned()))?;
        if operation.exposure == Exposure::Local {
            return Err(LabError::NotServed(operation.name).into());
        }
        let body = to_bytes(request.into_body(), LARGEST_BODY).await;
        let body = body.map_err(|_| Refusal::bad("the request cannot be read"))?;
        let wrong = |error: serde_json::Error| Refusal::bad(format!("invalid JSON: {error}"));
        let request: Value = serde_json::from_slice(&body).map_err(wrong)?;
        (operation.check)(&request)?;
        Ok(Call { operation, request })
    }

    /// Runs the operation.
    pub fn run(self, lab: &Lab, progress: &dyn Progress) -> Answer {
        Content::json(&lab.call(self.operation.name, self.request, progress)?)
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
            assert_eq!(called(&format!("/api/jobs/{}", operation.name)), Some(operation.name));
        }
        for path in [
            "/probe",
            "/api/players",
            "/api/schema/probe",
            "/apiprobe",
            "/api",
            "/api/jobs",
            "/api/jobs/",
            "/api/jobs/a/b",
        ] {
            assert_eq!(called(path), None, "{path}");
        }
    }
}
