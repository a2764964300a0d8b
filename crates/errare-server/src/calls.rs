//! Operations of the lab by name: JSON in, JSON out.

use crate::body;
use crate::content::Content;
use crate::refusal::Refusal;
use crate::work::{Answer, broken};
use axum::extract::Request;
use errare_lab::{Lab, LabError, OPERATIONS, OperationInfo};
use errare_work::Progress;
use serde::Serialize;
use serde_json::Value;

/// A call of an operation, with its request.
pub struct Call {
    pub operation: &'static OperationInfo,
    request: Value,
}

impl Call {
    /// Reads a call of an operation, if it is one that may be taken from a client.
    pub async fn read(operation: &str, request: Request) -> Result<Call, Refusal> {
        let unknown = || LabError::UnknownOperation(operation.to_owned());
        let operation = OperationInfo::find(operation).ok_or_else(unknown)?;
        if !operation.exposure.is_served() {
            return Err(LabError::NotServed(operation.name).into());
        }
        Call::checked(operation, body::json(request).await?)
    }

    /// Reads a call that was stored.
    pub fn stored(operation: &'static OperationInfo, text: &str) -> Result<Call, Refusal> {
        let damaged = |error| Refusal::bad(format!("the job's request was damaged: {error}"));
        Call::checked(operation, serde_json::from_str(text).map_err(damaged)?)
    }

    fn checked(operation: &'static OperationInfo, request: Value) -> Result<Call, Refusal> {
        (operation.check)(&request)?;
        Ok(Call { operation, request })
    }

    /// The request as JSON text, to be stored.
    pub fn text(&self) -> Result<String, Refusal> {
        serde_json::to_string(&self.request).map_err(|_| broken())
    }

    /// Runs the operation, and returns its answer.
    pub fn run(self, lab: &Lab, progress: &dyn Progress) -> Answer {
        Ok(Content::json_text(lab.call_text(self.operation.name, self.request, progress)?))
    }
}

/// An operation in the list of all operations.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    /// Whether the operation can be called here.
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

/// Lists the operations, and whether they can be called.
pub fn operations() -> Answer {
    let listed = |operation: &OperationInfo| Listed {
        name: operation.name,
        about: operation.about,
        callable: operation.exposure.is_served(),
    };
    Content::json(&OPERATIONS.iter().map(listed).collect::<Vec<_>>())
}

/// The JSON schemas of an operation's request and response.
pub fn schema(name: &str) -> Answer {
    let operation = OperationInfo::find(name).ok_or_else(|| LabError::UnknownOperation(name.to_owned()))?;
    Content::json(&Schemas {
        name: operation.name,
        about: operation.about,
        request: (operation.request_schema)().to_value(),
        response: (operation.response_schema)().to_value(),
    })
}
