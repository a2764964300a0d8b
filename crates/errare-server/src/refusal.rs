//! Refusals of requests: a status for programs, a sentence for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use errare_lab::{ErrorKind, LabError};
use serde_json::Value;

/// The example that a server without turns gives.
const EXAMPLE: &str = "errare serve *.jsonl.gz --turns-engine 'Stockfish 15.1' --depth 10";

/// The refusal of a request. The guard puts it into the form that suits the client.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub sentence: String,
    /// A field that programs find beside the sentence.
    pub extra: Option<(&'static str, Value)>,
}

impl Refusal {
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into(), extra: None }
    }

    /// Adds a field for programs.
    pub fn with(self, name: &'static str, value: Value) -> Refusal {
        Refusal { extra: Some((name, value)), ..self }
    }

    pub fn bad(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    pub fn not_found(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// Makes the refusal of a request for which there is too much to do: the client may ask again later.
    pub fn busy(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Refusal {
        let status = match error.kind() {
            ErrorKind::Request => StatusCode::BAD_REQUEST,
            ErrorKind::Unknown => StatusCode::NOT_FOUND,
            ErrorKind::Forbidden => StatusCode::FORBIDDEN,
            ErrorKind::Impossible => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::Stopped => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let sentence = match error {
            LabError::NoTurns => {
                format!("this server was started without turns: start it with some, as in {EXAMPLE}")
            }
            error => error.to_string(),
        };
        Refusal::new(status, sentence)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
