//! The contents of answers: their bodies, and the kind of data in them.

use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use errare_lab::{Link, Page};
use serde::Serialize;

/// The links of a page that explains a refusal.
const LINKS: [Link<'static>; 1] = [("/", "errare")];

/// The policy on what a page that explains a refusal may load: the style that it contains, and nothing else.
const PAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The kind of data in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Page,
    Json,
    Problem,
    /// A file for browsers to save: its type and its name.
    Download(&'static str, &'static str),
}

/// The body of an answer. Clones share the bytes.
#[derive(Clone, Debug)]
pub struct Content {
    kind: Kind,
    bytes: Bytes,
}

impl Content {
    pub fn page(page: &Page) -> Content {
        Content { kind: Kind::Page, bytes: page.served(&LINKS).into() }
    }

    pub fn json(value: &impl Serialize) -> Result<Content, Refusal> {
        Ok(Content::json_bytes(json_bytes(value)?))
    }

    /// Makes a body of JSON text, to which the end of the line is added.
    pub fn json_text(mut text: String) -> Content {
        text.push('\n');
        Content::json_bytes(text.into_bytes())
    }

    /// Makes a body of JSON that is written already.
    pub fn json_bytes(bytes: Vec<u8>) -> Content {
        Content { kind: Kind::Json, bytes: bytes.into() }
    }

    /// Makes a body that describes a problem, by RFC 9457.
    pub fn problem(value: &impl Serialize) -> Result<Content, Refusal> {
        Ok(Content { kind: Kind::Problem, bytes: json_bytes(value)?.into() })
    }

    /// Makes a body of JSON that browsers save as a file.
    pub fn json_file(value: &impl Serialize, name: &'static str) -> Result<Content, Refusal> {
        Ok(Content { kind: Kind::Download("application/json", name), bytes: json_bytes(value)?.into() })
    }

    /// Makes a body of games in PGN that browsers save as a file.
    pub fn pgn_file(text: String, name: &'static str) -> Content {
        Content { kind: Kind::Download("application/x-chess-pgn; charset=utf-8", name), bytes: text.into() }
    }

    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    let failed = |error| {
        let sentence = format!("internal error (a bug in errare): an answer that cannot be written as JSON: {error}");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    };
    let mut bytes = serde_json::to_vec(value).map_err(failed)?;
    bytes.push(b'\n');
    Ok(bytes)
}

impl IntoResponse for Content {
    fn into_response(self) -> Response {
        let kind = match self.kind {
            Kind::Page => "text/html; charset=utf-8",
            Kind::Json => "application/json",
            Kind::Problem => "application/problem+json",
            Kind::Download(kind, _) => kind,
        };
        let mut response = ([(CONTENT_TYPE, kind)], self.bytes).into_response();
        let headers = response.headers_mut();
        match self.kind {
            Kind::Page => drop(headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY))),
            Kind::Download(_, name) => {
                let attachment = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
                headers.extend(attachment.ok().map(|value| (CONTENT_DISPOSITION, value)));
            }
            Kind::Json | Kind::Problem => {}
        }
        response
    }
}
