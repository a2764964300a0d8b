//! The body of an answer: a page or JSON.

use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use errare_lab::{Link, Page};
use serde::Serialize;

/// The links that every page has.
const LINKS: [Link<'static>; 3] = [("/", "errare"), ("/ratings", "Mileposts"), ("/players", "Players")];

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HTML, for people.
    Page,
    /// JSON, for programs.
    Json,
}

/// The body of an answer. Clones share the bytes.
#[derive(Clone, Debug)]
pub struct Content {
    form: Form,
    bytes: Bytes,
}

impl Content {
    pub fn page(page: &Page) -> Content {
        Content { form: Form::Page, bytes: page.served(&LINKS).into() }
    }

    pub fn json(value: &impl Serialize) -> Result<Content, Refusal> {
        let failed = |error| {
            let sentence = format!("internal error (a bug in errare): an answer that is no JSON: {error}");
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
        };
        let mut bytes = serde_json::to_vec(value).map_err(failed)?;
        bytes.push(b'\n');
        Ok(Content { form: Form::Json, bytes: bytes.into() })
    }
}

impl IntoResponse for Content {
    fn into_response(self) -> Response {
        let kind = match self.form {
            Form::Page => "text/html; charset=utf-8",
            Form::Json => "application/json",
        };
        ([(CONTENT_TYPE, kind)], self.bytes).into_response()
    }
}
