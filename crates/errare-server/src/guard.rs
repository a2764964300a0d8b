//! The checks that every request must pass, and the headers that every answer carries.

use crate::access::{Access, Admission};
use crate::body;
use crate::connections::Connection;
use crate::content::Content;
use crate::hosts::Hosts;
use crate::panics::caught;
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, RETRY_AFTER,
    TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use errare_lab::Page;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The greatest length of an address in bytes: several times the longest name that a game has.
const MAX_ADDRESS: usize = 2000;

/// The security policy of pages: the workbench loads its own files and asks this server; nothing else is loaded, run,
/// or allowed to frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The beginning of the addresses for programs.
const API: &str = "/api/";

/// Headers of answers that do not have their own.
const HEADERS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// The header by which browsers report where the page is that makes a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Number of seconds after which a busy server may be asked again.
const RETRY: &str = "5";

/// The door of a server: the hosts that it answers to, and who may use it.
pub struct Door {
    pub hosts: Hosts,
    pub access: Access,
}

/// Checks a request, and turns refusals and panics from anywhere into answers.
pub async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with(API);
    let method = request.method().clone();
    let mut response = match let_in(request, &door).await {
        Ok(Entry::In(request)) => caught(next.run(request)).await.unwrap_or_else(IntoResponse::into_response),
        Ok(Entry::Welcome(response)) => response,
        Err(refusal) => refusal.into_response(),
    };
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        response = wrong_method(&response, &method, is_api);
    } else if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        response = refusal_response(&refusal, is_api);
    }
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

enum Entry {
    In(Request),
    Welcome(Response),
}

/// Checks a request, waits for its body, and takes a place for the request among those that are answered.
async fn let_in(request: Request, door: &Door) -> Result<Entry, Refusal> {
    check(&request, &door.hosts)?;
    if let Admission::Welcome(response) = door.access.check(&request)? {
        return Ok(Entry::Welcome(response));
    }
    let is_call = request.method() == Method::POST && request.uri().path().starts_with(API);
    let request = if is_call { body::arrived(request).await? } else { request };
    if let Some(connection) = request.extensions().get::<Connection>() {
        connection.take_place()?;
    }
    Ok(Entry::In(request))
}

fn check(request: &Request, hosts: &Hosts) -> Result<(), Refusal> {
    let length = request.uri().path_and_query().map_or(0, |whole| whole.as_str().len());
    if length > MAX_ADDRESS {
        let sentence = format!("an address of {length} bytes is too long: expected at most {MAX_ADDRESS}");
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, sentence));
    }
    if request.method() != Method::POST && has_body(request.headers()) {
        return Err(Refusal::bad("a request by this method must have no body"));
    }
    let named = request.uri().authority().map(Authority::as_str);
    let header = request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let mut named = named.into_iter().chain(header).peekable();
    if named.peek().is_none() {
        return Err(Refusal::bad("a request must name its host"));
    }
    named.try_for_each(|host| hosts.check(host))?;
    if !is_from_here(request.headers(), hosts) {
        let sentence = "pages from elsewhere may not use this server: open its address yourself";
        return Err(Refusal::new(StatusCode::FORBIDDEN, sentence));
    }
    Ok(())
}

/// Whether a request comes from a page of this server, or from no page at all: from a program, or from an address that
/// somebody typed. Browsers report that in two headers, of which old ones send only `Origin`, and not with every
/// request.
fn is_from_here(headers: &HeaderMap, hosts: &Hosts) -> bool {
    let named: Vec<&HeaderValue> = headers.get_all(HOST).iter().collect();
    let host = match named.as_slice() {
        [one] => one.to_str().unwrap_or_default(),
        _ => "",
    };
    let is_own = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| hosts.is_own_origin(origin, host));
    let is_near = |site: &HeaderValue| ["same-origin", "none"].iter().any(|near| site == near);
    headers.get_all(ORIGIN).iter().all(is_own) && headers.get_all(SEC_FETCH_SITE).iter().all(is_near)
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || headers.get_all(CONTENT_LENGTH).iter().any(|length| length != "0")
}

/// The answer to a request whose method the address does not take.
fn wrong_method(found: &Response, method: &Method, is_api: bool) -> Response {
    let allowed = found.headers().get(ALLOW).and_then(|allowed| allowed.to_str().ok()).unwrap_or("GET,HEAD");
    let allowed = allowed.replace(',', ", ");
    let sentence = format!("invalid method {method} for this address: expected {allowed}");
    let mut response = refusal_response(&Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence), is_api);
    response.headers_mut().extend(HeaderValue::try_from(allowed).ok().map(|allowed| (ALLOW, allowed)));
    response
}

/// The answer that explains a refusal: below /api/ a problem as in RFC 9457, elsewhere a page.
fn refusal_response(refusal: &Refusal, is_api: bool) -> Response {
    let content = if is_api { Content::problem(&problem(refusal)) } else { Ok(page(refusal)) };
    let mut response = content.map_or_else(|_| refusal.status.into_response(), IntoResponse::into_response);
    *response.status_mut() = refusal.status;
    if refusal.status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(RETRY));
    }
    response
}

fn problem(refusal: &Refusal) -> Value {
    let Refusal { status, sentence, extra } = refusal;
    let title = status.canonical_reason().unwrap_or("Refused");
    let fields = json!({"type": "about:blank", "title": title, "status": status.as_u16(), "detail": sentence});
    let extra: Map<String, Value> = extra.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    match fields {
        Value::Object(mut fields) => {
            fields.extend(extra);
            Value::Object(fields)
        }
        other => other,
    }
}

fn page(refusal: &Refusal) -> Content {
    let title = match refusal.status {
        StatusCode::NOT_FOUND => "There is no such page",
        StatusCode::UNAUTHORIZED => "This page needs a token",
        _ => "This cannot be shown",
    };
    let mut page = Page::new(title);
    page.paragraph(&format!("{}.", capitalised(&refusal.sentence)));
    Content::page(&page)
}

/// Puts the first letter of a text in upper case.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn hosts() -> Hosts {
        Hosts::new("127.0.0.1".parse().unwrap(), Vec::new())
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let status = |method: Method, path: &str, name: HeaderName, value: &str| {
            let request = Request::builder().method(method).uri(path).header(HOST, "localhost:7341");
            let request = request.header(name, value).body(Body::empty()).unwrap();
            check(&request, &hosts()).err().map(|refusal| refusal.status)
        };
        let everywhere = [
            (Method::GET, "/"),
            (Method::GET, "/api/v1/player?name=a&claimed=2000"),
            (Method::POST, "/api/v1/probe"),
            (Method::POST, "/api/v1/games"),
            (Method::POST, "/api/v1/jobs/probe"),
            (Method::DELETE, "/api/v1/games"),
        ];
        for (method, path) in everywhere {
            assert_eq!(status(method.clone(), path, ORIGIN, "http://localhost:7341"), None, "{path}");
            for site in ["same-origin", "none"] {
                assert_eq!(status(method.clone(), path, SEC_FETCH_SITE, site), None, "{path} {site}");
            }
            for site in ["cross-site", "same-site", "", "strange"] {
                let found = status(method.clone(), path, SEC_FETCH_SITE, site);
                assert_eq!(found, Some(StatusCode::FORBIDDEN), "{path} {site}");
            }
            for origin in ["http://evil.example", "https://localhost:7341", "http://localhost", "null", ""] {
                let found = status(method.clone(), path, ORIGIN, origin);
                assert_eq!(found, Some(StatusCode::FORBIDDEN), "{path} {origin}");
            }
        }
    }

    #[test]
    fn problems_have_the_fields_of_the_standard_and_their_own() {
        let refusal = Refusal::new(StatusCode::CONFLICT, "gone on").with("current", json!(7));
        let expected =
            json!({"type": "about:blank", "title": "Conflict", "status": 409, "detail": "gone on", "current": 7});
        assert_eq!(problem(&refusal), expected);
    }
}
