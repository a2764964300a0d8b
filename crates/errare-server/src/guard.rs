//! The checks that every request must pass, and the headers that every answer carries.

use crate::calls::called;
use crate::content::Content;
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
use std::net::IpAddr;

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

/// Seconds after which a busy server may be asked again.
const RETRY: &str = "5";

#[derive(Serialize)]
struct ErrorShape<'a> {
    error: &'a str,
}

/// Checks a request, and turns refusals from anywhere into answers.
pub async fn guard(State(bound): State<IpAddr>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let allowed = allowed_methods(request.uri().path());
    let mut response = match check(&request, bound) {
        Ok(()) => next.run(request).await,
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

fn check(request: &Request, bound: IpAddr) -> Result<(), Refusal> {
    let is_call = request.method() == Method::POST && called(request.uri().path()).is_some();
    let allowed = allowed_methods(request.uri().path());
    if !is_call && !allowed.split(", ").any(|method| method == request.method().as_str()) {
        let sentence = format!("invalid method {} for this address: expected {allowed}", request.method());
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence));
    }
    let length = request.uri().path_and_query().map_or(0, |whole| whole.as_str().len());
    if length > MAX_ADDRESS {
        let sentence = format!("an address of {length} bytes is too long: {MAX_ADDRESS} are the most");
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, sentence));
    }
    if !is_call && has_body(request.headers()) {
        return Err(Refusal::bad("a request must have no body"));
    }
    if !has_own_origin(request.headers()) {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "pages from elsewhere may not use this server"));
    }
    if bound.is_loopback() {
        let named = request.uri().authority().map(Authority::as_str);
        let hosts = request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let mut hosts = named.into_iter().chain(hosts).peekable();
        if hosts.peek().is_none() {
            return Err(Refusal::bad("a request must name its host"));
        }
        if hosts.any(|host| !is_here(host)) {
            let sentence =
                "this server is for this machine alone: expected localhost or a loopback address as the host";
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, sentence));
        }
    }
    Ok(())
}

/// The methods by which something can be asked for at an address.
fn allowed_methods(path: &str) -> &'static str {
    if called(path).is_some_and(|name| OperationInfo::find(name).is_some()) { "POST" } else { "GET, HEAD" }
}

/// Whether a request comes from a page of this server, or from no page at all.
fn has_own_origin(headers: &HeaderMap) -> bool {
    let hosts: Vec<&HeaderValue> = headers.get_all(HOST).iter().collect();
    headers.get_all(ORIGIN).iter().all(|origin| {
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| matches!(hosts.as_slice(), [named] if named.as_bytes() == host.as_bytes()))
    })
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || headers.get_all(CONTENT_LENGTH).iter().any(|length| length != "0")
}

/// Whether a host is this machine by a name that nobody else can give out. Any other name may be one that a page from
/// elsewhere made lead here, to read what is served as if it were its own.
fn is_here(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host();
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    !host.contains('@')
        && (name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()))
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

    #[test]
    fn names_matter_on_loopback_alone() {
        let request = Request::get("/").header(HOST, "laboratory.example").body(axum::body::Body::empty()).unwrap();
        let refused = check(&request, "127.0.0.1".parse().unwrap()).unwrap_err();
        assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST);
        assert!(check(&request, "0.0.0.0".parse().unwrap()).is_ok());
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let status = |origin: &str| {
            let request = Request::post("/api/probe").header(HOST, "localhost:7341").header(ORIGIN, origin);
            let request = request.body(axum::body::Body::empty()).unwrap();
            check(&request, "127.0.0.1".parse().unwrap()).err().map(|refusal| refusal.status)
        };
        assert_eq!(status("http://localhost:7341"), None);
        for origin in ["http://evil.example", "https://localhost:7341", "http://localhost", "null", ""] {
            assert_eq!(status(origin), Some(StatusCode::FORBIDDEN), "{origin}");
        }
    }

    #[test]
    fn only_names_of_this_machine_are_here() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:7341", "127.9.9.9", "[::1]", "[::1]:7341"] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7341",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
            "10.0.0.1",
            "0.0.0.0",
            "[::]",
            "2130706433",
            "a b",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }
}
