//! The front end: files that are built from `web/` and are a part of this program.

use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

/// The paths and contents of all files.
const BUNDLE: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The page that all addresses of the workbench show.
const INDEX: &str = "index.html";

/// The folder of files that have a hash of their contents in their names, and so never change.
const HASHED: &str = "assets/";

/// A file of the front end, ready to be sent.
struct SentFile {
    kind: &'static str,
    tag: String,
    plain: Bytes,
    packed: Bytes,
    is_hashed: bool,
}

/// All files of the front end by their paths.
static FILES: LazyLock<HashMap<&str, SentFile>> = LazyLock::new(|| {
    let files = BUNDLE.iter().filter_map(|&(path, contents)| Some((path, SentFile::new(path, contents)?)));
    files.collect()
});

impl SentFile {
    fn new(path: &str, contents: &'static [u8]) -> Option<SentFile> {
        let tag: String = Sha256::digest(contents).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let mut packing = GzEncoder::new(Vec::new(), Compression::best());
        packing.write_all(contents).ok()?;
        Some(SentFile {
            kind: kind_of(path),
            tag: format!("\"{tag}\""),
            packed: packing.finish().ok()?.into(),
            plain: Bytes::from_static(contents),
            is_hashed: path.starts_with(HASHED),
        })
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let cache = if self.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
        let common = [(CONTENT_TYPE, self.kind), (CACHE_CONTROL, cache), (ETAG, &self.tag), (VARY, "Accept-Encoding")];
        let has_it = headers.get_all(IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
        if has_it.flat_map(|tags| tags.split(',')).any(|tag| tag.trim().trim_start_matches("W/") == self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        if takes_gzip(headers) {
            return (common, [(CONTENT_ENCODING, "gzip")], self.packed.clone()).into_response();
        }
        (common, self.plain.clone()).into_response()
    }
}

/// Whether a client can unpack gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|codings| codings.to_str().ok());
    accepted.flat_map(|codings| codings.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        is_gzip && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest" | "json") => "application/json",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The answer with the page of the workbench.
pub fn index(headers: &HeaderMap) -> Result<Response, Refusal> {
    file(INDEX, headers)
}

/// The answer with a file of the front end.
pub fn file(path: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    let found = FILES.get(path.trim_start_matches('/'));
    let found =
        found.ok_or_else(|| Refusal::not_found(format!("there is nothing at /{}", path.trim_start_matches('/'))))?;
    Ok(found.response(headers))
}

/// Whether an address is a page of the workbench, which reads the rest of the address itself.
pub fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    path.starts_with('/') && matches!(first, "" | "practise" | "explore" | "assess" | "rate")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn files_are_sent_packed_and_once() {
        let mut headers = HeaderMap::new();
        let plain = index(&headers).unwrap();
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("br, gzip;q=0.8"));
        let packed = index(&headers).unwrap();
        assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
        headers.insert(IF_NONE_MATCH, packed.headers()[ETAG].clone());
        assert_eq!(index(&headers).unwrap().status(), StatusCode::NOT_MODIFIED);
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip;q=0"));
        assert!(!takes_gzip(&headers));
        assert!(file("no-such-file", &headers).is_err());
        assert!(file("../Cargo.toml", &headers).is_err());
    }

    #[test]
    fn pages_of_the_workbench_are_known() {
        for page in ["/", "/practise", "/practise/0123", "/explore/ending/KQKR", "/assess", "/rate/players"] {
            assert!(is_page(page), "{page}");
        }
        for other in ["/api/v1/about", "/favicon.ico", "/practised", "", "practise"] {
            assert!(!is_page(other), "{other}");
        }
    }

    /// Whatever a browser loads before it can show the first page, packed.
    #[test]
    fn the_first_load_is_small() {
        let all: usize = FILES.values().filter(|file| file.kind != "image/png").map(|file| file.packed.len()).sum();
        assert!(all < 250 << 10, "{all} bytes");
    }
}
