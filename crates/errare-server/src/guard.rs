//! The checks that every request must pass, and the headers that every answer carries.

use crate::body;
use crate::calls::called;
use crate::connections::Connection;
use crate::content::Content;
use crate::hosts::Hosts;
use crate::jobs::is_job;
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
use errare_lab::{OperationInfo, Page};
use serde::Serialize;
use std::sync::Arc;

/// The greatest length of an address in bytes: several times the longest name that a game has.
const MAX_ADDRESS: usize = 2000;

/// Pages need their own style and ask this server; nothing else is loaded, run, or allowed to frame them.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// The header by which browsers tell where the page is that makes a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Seconds after which a busy server may be asked again.
const RETRY: &str = "5";

#[derive(Serialize)]
struct ErrorShape<'a> {
    error: &'a str,
}

/// Checks a request, and turns refusals and panics from anywhere into answers.
pub async fn guard(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let allowed = allowed_methods(request.uri().path());
    let mut response = match let_in(request, &hosts).await {
        Ok(request) => caught(next.run(request)).await.unwrap_or_else(IntoResponse::into_response),
        Err(refusal) => refusal.into_response(),
    };
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        response = refusal_response(&refusal, is_api, allowed);
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Checks a request, waits for its body, and takes a place for it.
async fn let_in(request: Request, hosts: &Hosts) -> Result<Request, Refusal> {
    check(&request, hosts)?;
    let request = if is_call(&request) { body::arrived(request).await? } else { request };
    if let Some(connection) = request.extensions().get::<Connection>() {
        connection.take_place()?;
    }
    Ok(request)
}

fn check(request: &Request, hosts: &Hosts) -> Result<(), Refusal> {
    let is_call = is_call(request);
    let allowed = allowed_methods(request.uri().path());
    if !is_call && !allowed.split(", ").any(|method| method == request.method().as_str()) {
        let sentence = format!("invalid method {} for this address: expected {allowed}", request.method());
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence));
    }
    let length = request.uri().path_and_query().map_or(0, |whole| whole.as_str().len());
    if length > MAX_ADDRESS {
        let sentence = format!("an address of {length} bytes is too long: expected at most {MAX_ADDRESS}");
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, sentence));
    }
    if !is_call && has_body(request.headers()) {
        return Err(Refusal::bad("a request must have no body"));
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

/// Whether a request runs an operation, now or as a job, and so has a body.
fn is_call(request: &Request) -> bool {
    request.method() == Method::POST && called(request.uri().path()).is_some()
}

/// The methods by which something can be asked for at an address.
fn allowed_methods(path: &str) -> &'static str {
    if called(path).is_some_and(|name| OperationInfo::find(name).is_some()) {
        "POST"
    } else if is_job(path) {
        "GET, HEAD, DELETE"
    } else {
        "GET, HEAD"
    }
}

/// Whether a request comes from a page of this server, or from no page at all: from a program, or from an address that
/// somebody typed. Browsers say so in two headers, of which old ones send only `Origin`, and not with every request.
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

/// The answer that explains a refusal: JSON below /api/, else a page.
fn refusal_response(refusal: &Refusal, is_api: bool, allowed: &'static str) -> Response {
    let Refusal { status, sentence } = refusal;
    let content = if is_api {
        Content::json(&ErrorShape { error: sentence })
    } else {
        let is_missing = *status == StatusCode::NOT_FOUND;
        let mut page = Page::new(if is_missing { "There is no such page" } else { "This cannot be shown" });
        page.paragraph(&format!("{}.", capitalised(sentence)));
        Ok(Content::page(&page))
    };
    let mut response = content.map_or_else(|_| status.into_response(), IntoResponse::into_response);
    *response.status_mut() = *status;
    let extra = match *status {
        StatusCode::METHOD_NOT_ALLOWED => Some((ALLOW, allowed)),
        StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, RETRY)),
        _ => None,
    };
    response.headers_mut().extend(extra.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// The text with its first letter in upper case.
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
            (Method::GET, "/player?name=a&claimed=2000"),
            (Method::POST, "/api/probe"),
            (Method::POST, "/api/jobs/probe"),
            (Method::DELETE, "/api/jobs/0123456789abcdef0123456789abcdef"),
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
    fn each_address_has_its_methods() {
        for (path, methods) in [
            ("/", "GET, HEAD"),
            ("/api/players", "GET, HEAD"),
            ("/api/probe", "POST"),
            ("/api/jobs/probe", "POST"),
            ("/api/jobs/0123456789abcdef0123456789abcdef", "GET, HEAD, DELETE"),
            ("/api/jobs/0123456789abcdef0123456789abcdef/events", "GET, HEAD"),
        ] {
            assert_eq!(allowed_methods(path), methods, "{path}");
        }
    }
}
