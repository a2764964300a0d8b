//! Why something asked for is not given: a status for programs, a sentence for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use errare_ratings::RatingsError;

/// A refusal. The guard puts it into the form that suits who asked.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub sentence: String,
}

impl Refusal {
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into() }
    }

    pub fn bad(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    pub fn not_found(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// What was asked is understood, but the data do not allow it.
    pub fn impossible(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// Too much to do: to be asked again later.
    pub fn busy(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

impl From<anyhow::Error> for Refusal {
    /// What the ratings refuse is about the data; anything else is a fault of ours.
    fn from(error: anyhow::Error) -> Refusal {
        let is_refused = error.downcast_ref::<RatingsError>().is_some();
        let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::INTERNAL_SERVER_ERROR };
        Refusal::new(status, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
