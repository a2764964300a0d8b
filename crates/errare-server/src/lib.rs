//! The lab over HTTP: pages on ratings, and operations with JSON in and JSON out.
//!
//! A request passes `connections`, `guard` and `routes`; `work` bounds what takes time. Nothing that a request says
//! names a file, and nothing it does lasts but for tables that are built and answers that are kept.
//!
//! ```no_run
//! use errare_lab::{BenchRequest, Lab, LabConfig};
//! use errare_server::Server;
//! use errare_work::{Cancel, Silent};
//!
//! let server = Server::bind(([127, 0, 0, 1], 7341).into())?;
//! let lab = Lab::new(LabConfig::default());
//! let bench = lab.rating_bench(&BenchRequest::default(), &Silent)?;
//! println!("{}", server.page());
//! server.serve(lab, bench, &Cancel::new())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calls;
mod connections;
mod content;
mod guard;
mod pages;
mod questions;
mod refusal;
mod routes;
mod server;
mod work;

pub use server::{Server, ServerError};
