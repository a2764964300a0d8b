//! A server: its address, and its run until it is told to stop.

use crate::hosts::{HostName, Hosts};
use crate::panics::OneLinePanics;
use crate::{connections, routes};
use errare_lab::{Lab, LabError, RatingBench};
use errare_work::Progress;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use tokio::runtime::{Builder, Runtime};

/// Why a server cannot be started, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port is taken.
    #[error("cannot listen on {0}: another program does. Give another --port, or 0 for any that is free")]
    AddressInUse(SocketAddr),
    /// The system refused the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused to let the server run.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    /// The lab has no threads to work with.
    #[error(transparent)]
    Lab(#[from] LabError),
}

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hosts: Vec<HostName>,
}

impl Server {
    /// Takes an address; port 0 is any that is free. Clients that connect wait until the server answers.
    ///
    /// # Errors
    /// If another program has the address, or the system refuses it.
    pub fn bind(address: SocketAddr) -> Result<Server, ServerError> {
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok(Server { listener, address, hosts: Vec::new() })
        });
        bound.map_err(|source| match source.kind() {
            ErrorKind::AddrInUse => ServerError::AddressInUse(address),
            _ => ServerError::Listen { address, source },
        })
    }

    /// Answers to these hosts too. Without them a server answers to `localhost` and to IP addresses: on a loopback address
    /// to those of loopback, else to the one it listens on, or to any if it listens on all.
    #[must_use]
    pub fn allow_hosts(self, hosts: Vec<HostName>) -> Server {
        Server { hosts, ..self }
    }

    /// The address that the server listens on, with its port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the first page, for a browser on this machine.
    #[must_use]
    pub fn page(&self) -> String {
        format!("http://{}/", reachable(self.address))
    }

    /// Answers requests until told to stop, and then for half a second more. Until then panics of the whole program are
    /// written to stderr in one line each; one in a request ends that request alone.
    ///
    /// # Errors
    /// If the system refuses to let the server run, or the lab has no threads.
    pub fn serve(self, lab: Lab, bench: RatingBench, stop: &dyn Progress) -> Result<(), ServerError> {
        let hosts = Hosts::new(self.address.ip(), self.hosts);
        let router = routes::router(lab, bench, hosts)?;
        let _panics = OneLinePanics::install();
        let runtime = runtime().map_err(ServerError::Start)?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, router, stop).await;
            Ok::<(), io::Error>(())
        });
        // Work that nobody waits for any more ends with the process.
        runtime.shutdown_background();
        served.map_err(ServerError::Start)
    }
}

/// One thread is plenty to speak with clients; what takes time has its own.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// Where a browser on this machine finds the server: "any address" is none to go to.
fn reachable(bound: SocketAddr) -> SocketAddr {
    let here = match bound.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(here, bound.port())
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn the_address_shown_is_one_to_go_to() {
        for (bound, shown) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("127.0.0.1:7341", "127.0.0.1:7341")]
        {
            assert_eq!(reachable(bound.parse().unwrap()).to_string(), shown);
        }
    }
}
