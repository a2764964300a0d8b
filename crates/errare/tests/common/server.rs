//! A server of the workbench for tests, spoken to over plain connections.

use super::program;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The header of a request with a JSON body.
pub const JSON: &str = "Content-Type: application/json\r\n";

/// However busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server that ends with the test.
pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
    /// The token in the address that was printed, if there is one.
    pub token: Option<String>,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Server {
    pub fn start(folder: &Path, line: &str) -> Server {
        Server::start_by(Command::new(program()), folder, line)
    }

    /// A server none of whose files may grow beyond so many blocks of half a kilobyte, as if the disk were full then.
    pub fn start_on_full_disk(folder: &Path, blocks: u32) -> Server {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""), "sh"]).arg(program());
        Server::start_by(command, folder, "")
    }

    fn start_by(mut command: Command, folder: &Path, line: &str) -> Server {
        command.arg("--tables").arg(folder).args(format!("serve --port 0 {line}").split_whitespace());
        command.env("ERRARE_DATA", folder.join("data"));
        Server::spawned(command)
    }

    /// A server that a command starts.
    pub fn spawned(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            drop(reader.read_line(&mut line));
            drop(sender.send(line));
        });
        // Made first, so that it is ended if what follows fails.
        let mut server = Server { child, address: SocketAddr::from(([127, 0, 0, 1], 0)), token: None };
        let line = receiver.recv_timeout(PATIENCE).unwrap();
        let (address, rest) = line.trim_end().strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
        server.address = address.parse().unwrap();
        server.token = rest.strip_prefix("?token=").map(str::to_owned);
        server
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    pub fn send(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub fn ask(&self, method: &str, target: &str, headers: &str) -> Reply {
        let host = self.address;
        self.send(format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes())
    }

    pub fn get(&self, target: &str) -> Reply {
        self.ask("GET", target, "")
    }

    pub fn page(&self, target: &str) -> String {
        let reply = self.get(target);
        assert_eq!(reply.status, 200, "{target}: {}", reply.body);
        assert!(reply.head.contains("content-type: text/html; charset=utf-8"), "{}", reply.head);
        reply.body
    }

    pub fn json(&self, target: &str) -> Value {
        let reply = self.get(target);
        assert_eq!(reply.status, 200, "{target}: {}", reply.body);
        assert!(reply.head.contains("content-type: application/json"), "{}", reply.head);
        serde_json::from_str(&reply.body).unwrap()
    }

    pub fn refused(&self, target: &str, status: u16, words: &str) {
        let reply = self.get(target);
        assert_eq!(reply.status, status, "{target}: {}", reply.body);
        assert!(reply.body.contains(words), "{target}: {}", reply.body);
        if target.starts_with("/api/v1/") {
            let error: Value = serde_json::from_str(&reply.body).unwrap();
            let fields = error.as_object().unwrap().keys().collect::<Vec<_>>();
            assert_eq!(fields, ["detail", "status", "title", "type"]);
            assert!(reply.head.contains("content-type: application/problem+json"), "{}", reply.head);
        }
    }

    /// The CPU time that the server has taken, in hundredths of a second.
    pub fn taken(&self) -> i64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<i64> =
            stat.rsplit(')').next().unwrap().split_whitespace().filter_map(|field| field.parse().ok()).collect();
        // The first field after the name is a letter; user and system time are the 11th and 12th numbers.
        fields[10] + fields[11]
    }

    /// Waits until the server does nothing any more by itself, by the processor time that it has taken.
    pub fn settle(&self) {
        // Processor time, for the machine may be busy with other work.
        let mut before = self.taken();
        loop {
            thread::sleep(Duration::from_secs(1));
            let now = self.taken();
            if now <= before + 1 {
                return;
            }
            assert!(now < 6000, "it is busy all the time");
            before = now;
        }
    }

    /// How it ended, if it does.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Server {
    pub fn post(&self, target: &str, headers: &str, body: &str) -> Reply {
        let (host, length) = (self.address, body.len());
        let head = format!("POST {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n");
        self.send(format!("{head}{body}").as_bytes())
    }

    pub fn call(&self, operation: &str, request: &Value) -> Reply {
        self.post(&format!("/api/v1/{operation}"), JSON, &request.to_string())
    }
}

impl Server {
    /// Starts a job, and returns its address.
    pub fn job(&self, operation: &str, request: &Value) -> String {
        let reply = self.call(&format!("jobs/{operation}"), request);
        assert_eq!(reply.status, 202, "{}", reply.body);
        let status: Value = serde_json::from_str(&reply.body).unwrap();
        let address = format!("/api/v1/jobs/{}", status["id"].as_str().unwrap());
        assert!(reply.head.contains(&format!("location: {address}")), "{}", reply.head);
        address
    }

    /// The job's status once it has finished.
    pub fn finished(&self, job: &str) -> Value {
        let start = Instant::now();
        loop {
            let status = self.json(job);
            if !["waiting", "running"].contains(&status["state"].as_str().unwrap()) {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "{status}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}
