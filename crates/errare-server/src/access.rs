//! Access to a server that other machines can reach: only who has its token may use it.
//!
//! The token is in the address that the server prints. A browser that opens it gets a cookie and an address without the
//! token, so that it is not in the history or on the screen; programs send it in a header.

use crate::refusal::Refusal;
use crate::unique_id::unique_id;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

/// The parameter of an address that holds the token.
pub const PARAMETER: &str = "token";

/// The rule on who may use a server.
#[derive(Clone, Debug)]
pub enum Access {
    /// Every client that reaches the server may use it.
    Everybody,
    /// Only clients that have the token may use the server; the port is in the name of the cookie, since all ports of a
    /// host share its cookies.
    Token { token: String, port: u16 },
}

/// The decision about a request.
pub enum Admission {
    /// The request is answered.
    Granted,
    /// The client gets a cookie, and is sent to the address without the token.
    Welcome(Response),
}

impl Access {
    /// Makes a new token for a server on this port.
    pub fn by_token(port: u16) -> Result<Access, Refusal> {
        Ok(Access::Token { token: unique_id()?, port })
    }

    /// The query of the first page's address, which holds the token if there is one.
    pub fn query(&self) -> String {
        match self {
            Access::Everybody => String::new(),
            Access::Token { token, .. } => format!("?{PARAMETER}={token}"),
        }
    }

    /// Decides whether a request may use the server.
    pub fn check(&self, request: &Request) -> Result<Admission, Refusal> {
        let Access::Token { token, port } = self else { return Ok(Admission::Granted) };
        if is_authorised(request.headers(), token, *port) {
            return Ok(Admission::Granted);
        }
        if let Some((given, rest)) = token_of(request.uri())
            && request.method() == Method::GET
            && same(&given, token)
        {
            let cookie = format!("{}={token}; Path=/; HttpOnly; SameSite=Strict", cookie_name(*port));
            return Ok(Admission::Welcome(
                (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, rest)]).into_response(),
            ));
        }
        let sentence = "this server answers only to those who have its token: open the address that it printed when it \
                        was started";
        Err(Refusal::new(StatusCode::UNAUTHORIZED, sentence))
    }
}

fn cookie_name(port: u16) -> String {
    format!("errare-{port}")
}

fn is_authorised(headers: &HeaderMap, token: &str, port: u16) -> bool {
    let name = cookie_name(port);
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    cookies.any(|(found, value)| found == name && same(value, token)) || bearer.is_some_and(|given| same(given, token))
}

/// The token in an address, and the address without it.
fn token_of(address: &Uri) -> Option<(String, String)> {
    let query = address.query()?;
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let token = pairs.iter().find(|(name, _)| name == PARAMETER).map(|(_, value)| value.clone())?;
    let rest = pairs.iter().filter(|(name, _)| name != PARAMETER);
    let rest = form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish();
    // A path that begins with two slashes would be the address of another host.
    let path = format!("/{}", address.path().trim_start_matches('/'));
    Some((token, if rest.is_empty() { path } else { format!("{path}?{rest}") }))
}

/// Whether two texts are the same, in a time that does not reveal how much of them is.
fn same(one: &str, two: &str) -> bool {
    one.len() == two.len() && one.bytes().zip(two.bytes()).fold(0, |differing, (one, two)| differing | (one ^ two)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::HeaderName;

    fn request(address: &str, header: Option<(HeaderName, &str)>) -> Request {
        let request = Request::builder().uri(address);
        let request = header.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn only_the_token_opens_the_door() {
        let access = Access::Token { token: "secret".to_owned(), port: 80 };
        let is_granted =
            |header| matches!(access.check(&request("/api/v1/about", Some(header))), Ok(Admission::Granted));
        assert!(is_granted((COOKIE, "a=b; errare-80=secret")));
        assert!(is_granted((AUTHORIZATION, "Bearer secret")));
        for wrong in ["errare-81=secret", "errare-80=secre", "errare-80=secret2", "errare-80="] {
            assert!(!is_granted((COOKIE, wrong)), "{wrong}");
        }
        assert!(!is_granted((AUTHORIZATION, "secret")));
        for address in ["/", "/?token=", "/?token=wrong"] {
            assert!(access.check(&request(address, None)).is_err(), "{address}");
        }
        assert!(matches!(Access::Everybody.check(&request("/", None)), Ok(Admission::Granted)));
    }

    #[test]
    fn the_token_leaves_the_address() {
        let access = Access::Token { token: "secret".to_owned(), port: 80 };
        let welcome = |address: &str| match access.check(&request(address, None)) {
            Ok(Admission::Welcome(response)) => response.headers()[LOCATION].to_str().unwrap().to_owned(),
            _ => "refused".to_owned(),
        };
        assert_eq!(welcome("/?token=secret"), "/");
        assert_eq!(welcome("/explore?fen=8%2F8&token=secret"), "/explore?fen=8%2F8");
        assert_eq!(welcome("//evil.example/?token=secret"), "/evil.example/");
    }
}
