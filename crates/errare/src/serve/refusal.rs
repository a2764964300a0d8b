//! Why a request is refused: a status for programs, a sentence for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use errare_ratings::{self as ratings, NoSuchPage, PlayerNameError, RatingsError};

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

impl From<ratings::Refusal> for Refusal {
    fn from(refusal: ratings::Refusal) -> Refusal {
        Refusal::impossible(refusal.to_string())
    }
}

impl From<RatingsError> for Refusal {
    fn from(error: RatingsError) -> Refusal {
        match error {
            RatingsError::Refused(refusal) => refusal.into(),
            RatingsError::Cancelled(cancelled) => Refusal::busy(cancelled.to_string()),
            error => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        }
    }
}

impl From<PlayerNameError> for Refusal {
    fn from(error: PlayerNameError) -> Refusal {
        match error {
            PlayerNameError::Unknown { .. } => Refusal::not_found(error.to_string()),
            error => Refusal::bad(error.to_string()),
        }
    }
}

impl From<NoSuchPage> for Refusal {
    fn from(error: NoSuchPage) -> Refusal {
        Refusal::not_found(error.to_string())
    }
}

impl From<anyhow::Error> for Refusal {
    /// A refusal or an error of the ratings, else a fault of the program.
    fn from(error: anyhow::Error) -> Refusal {
        match error.downcast::<ratings::Refusal>() {
            Ok(refusal) => refusal.into(),
            Err(error) => match error.downcast::<RatingsError>() {
                Ok(error) => error.into(),
                Err(error) => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
            },
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
