//! The server: its address, and its run until it is asked to stop.

use crate::access::Access;
use crate::guard::Door;
use crate::hosts::{HostName, Hosts};
use crate::panics::OneLinePanics;
use crate::store::{Store, StoreError};
use crate::{connections, routes};
use errare_lab::{Lab, LabError, RatingBench};
use errare_work::Progress;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// Why a server could not be started, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// Another program has the port.
    #[error("cannot listen on {0}: another program does. Give another --port, or 0 for any that is free")]
    AddressInUse(SocketAddr),
    /// The system refused the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address that was refused.
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The system refused to let the server run.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    /// The system has no random numbers to make a token of.
    #[error("cannot make a token: the system gives no random numbers")]
    NoRandomNumbers,
    /// Games and jobs cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    access: Access,
    store: Store,
}

impl Server {
    /// Takes an address; port 0 is any that is free. Clients that connect wait until the server answers.
    ///
    /// # Errors
    /// If another program has the address, or the system refuses it; or if SQLite does not work.
    pub fn bind(address: SocketAddr) -> Result<Server, ServerError> {
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, bound) = bound.map_err(|source| match source.kind() {
            ErrorKind::AddrInUse => ServerError::AddressInUse(address),
            _ => ServerError::Listen { address, source },
        })?;
        Ok(Server {
            listener,
            address: bound,
            hosts: Vec::new(),
            access: Access::Everybody,
            store: Store::in_memory()?,
        })
    }

    /// Keeps games and jobs in this folder, which is made if it does not exist. Without a folder they are forgotten
    /// when the server ends.
    ///
    /// # Errors
    /// If the folder cannot be made, or what is in it cannot be used.
    pub fn keep_in(self, folder: &Path) -> Result<Server, ServerError> {
        Ok(Server { store: Store::open(folder)?, ..self })
    }

    /// Answers only to those who have a new token, which is in the address of the first page.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn ask_for_token(self) -> Result<Server, ServerError> {
        let access = Access::by_token(self.address.port()).map_err(|_| ServerError::NoRandomNumbers)?;
        Ok(Server { access, ..self })
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
        format!("http://{}/{}", reachable(self.address), self.access.query())
    }

    /// Answers requests until asked to stop, and then for half a second more. Until then panics of the whole program
    /// are written to stderr in one line each; a panic in a request ends that request alone.
    ///
    /// # Errors
    /// If the system refuses to let the server run, or the lab has no threads.
    pub fn serve(self, lab: Lab, bench: RatingBench, stop: &dyn Progress) -> Result<(), ServerError> {
        let door = Door { hosts: Hosts::new(self.address.ip(), self.hosts), access: self.access };
        let _panics = OneLinePanics::install();
        let runtime = runtime().map_err(ServerError::Start)?;
        let served = runtime.block_on(async {
            let router = routes::router(&lab, bench, self.store, door)?;
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServerError::Start)?;
            connections::serve(listener, router, stop).await;
            Ok(())
        });
        // Work that nobody waits for any more ends with the process.
        runtime.shutdown_background();
        served
    }
}

/// Makes the runtime that speaks with clients: one thread is plenty for that, and work that takes time has threads of
/// its own.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// The address at which a browser on this machine finds the server: an unspecified address is replaced by the loopback
/// address.
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
