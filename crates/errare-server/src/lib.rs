//! The lab over HTTP: pages on ratings, and operations with JSON in and JSON out.
//!
//! A request passes `connections`, `guard` and `routes`; `work` bounds what takes time, `jobs` is for what takes long.
//! No request reaches a file that it names (`Lab::for_clients`), and nothing it does lasts but for tables that are built
//! and answers that are kept for a while.
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

mod body;
mod calls;
mod connections;
mod content;
mod guard;
mod hosts;
mod job_events;
mod job_progress;
mod job_status;
mod jobs;
mod kept;
mod lanes;
mod openapi;
mod pages;
mod panics;
mod questions;
mod refusal;
mod routes;
mod server;
mod work;

pub use hosts::{HostName, HostNameError};
pub use server::{Server, ServerError};
