//! The hosts that a server answers to.
//!
//! A page from elsewhere can make a name of its own lead to this machine, and then read what is served as if it were its
//! own (DNS rebinding). So a server answers only to names that nobody else can give out: addresses, `localhost`, and
//! what whoever starts it allows.

use crate::refusal::Refusal;
use axum::http::StatusCode;
use axum::http::uri::Authority;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The name of a host that a server answers to, without a port: `lab.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// A text that is not the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid host name `{0}`: expected a name without a port, such as lab.example.org")]
pub struct HostNameError(String);

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<HostName, HostNameError> {
        let is_good = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
        if text.is_empty() || text.len() > 253 || !text.chars().all(is_good) {
            return Err(HostNameError(text.to_owned()));
        }
        Ok(HostName(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The hosts that a server answers to.
#[derive(Clone, Debug)]
pub struct Hosts {
    bound: IpAddr,
    allowed: Vec<HostName>,
}

impl Hosts {
    /// Makes the hosts of a server that listens on this address, together with other names that are allowed.
    pub fn new(bound: IpAddr, allowed: Vec<HostName>) -> Hosts {
        Hosts { bound, allowed }
    }

    /// Checks the host of a request.
    pub fn check(&self, host: &str) -> Result<(), Refusal> {
        let name = name_of(host);
        if name.as_deref().is_some_and(|name| self.is_own(name) || self.is_allowed(name)) {
            return Ok(());
        }
        let sentence = if self.bound.is_loopback() {
            "this server is for this machine alone: expected localhost or a loopback address as the host".to_owned()
        } else {
            let name = name.unwrap_or_else(|| host.to_owned());
            format!(
                "unknown host `{name}`: expected an IP address, or a name that the server was started with (--allow-host)"
            )
        };
        Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, sentence))
    }

    /// Whether a page of this origin belongs to the server, given the host by which the request calls the server.
    pub fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        match origin.split_once("://") {
            Some(("http", from)) => from == host,
            // Encryption is that of a server in front, whose name was allowed.
            Some(("https", from)) => from == host && name_of(host).is_some_and(|name| self.is_allowed(&name)),
            _ => false,
        }
    }

    /// Whether a name is an address or name of this machine that nobody else can give out.
    fn is_own(&self, name: &str) -> bool {
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match address {
            Ok(address) => address.is_loopback() || address == self.bound || self.bound.is_unspecified(),
            Err(_) => name == "localhost",
        }
    }

    fn is_allowed(&self, name: &str) -> bool {
        self.allowed.iter().any(|HostName(allowed)| allowed == name.trim_end_matches('.'))
    }
}

/// The name in a host, in lower case and without a port; none if the host is invalid.
fn name_of(host: &str) -> Option<String> {
    let authority = host.parse::<Authority>().ok().filter(|_| !host.contains('@'))?;
    Some(authority.host().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(bound: &str, allowed: &[&str]) -> Hosts {
        Hosts::new(bound.parse().unwrap(), allowed.iter().map(|name| name.parse().unwrap()).collect())
    }

    #[test]
    fn on_loopback_only_names_of_this_machine_are_answered() {
        let here = hosts("127.0.0.1", &[]);
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:7341", "127.9.9.9", "[::1]", "[::1]:7341"] {
            assert!(here.check(host).is_ok(), "{host}");
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
            assert_eq!(here.check(host).unwrap_err().status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        }
    }

    #[test]
    fn who_lets_others_in_names_the_hosts() {
        for (bound, known, unknown) in
            [("0.0.0.0", "10.1.2.3:7341", "evil.example"), ("10.1.2.3", "10.1.2.3", "10.1.2.4")]
        {
            let open = hosts(bound, &["Lab.Example"]);
            for host in ["lab.example", "LAB.example:443", "lab.example.", "localhost", known] {
                assert!(open.check(host).is_ok(), "{bound} {host}");
            }
            for host in [unknown, "lab.example.evil.example", "xlab.example"] {
                assert!(open.check(host).is_err(), "{bound} {host}");
            }
        }
        let sentence = hosts("0.0.0.0", &[]).check("mybox:80").unwrap_err().sentence;
        assert!(sentence.contains("`mybox`") && sentence.contains("--allow-host"), "{sentence}");
        for bad in ["", "a:80", "a b", "http://a", "a/b", "*"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn origins_are_the_servers_own_or_foreign() {
        let here = hosts("127.0.0.1", &["lab.example"]);
        assert!(here.is_own_origin("http://localhost:7341", "localhost:7341"));
        assert!(here.is_own_origin("https://lab.example", "lab.example"));
        for origin in ["http://evil.example", "https://localhost:7341", "http://localhost", "null", ""] {
            assert!(!here.is_own_origin(origin, "localhost:7341"), "{origin}");
        }
    }
}
