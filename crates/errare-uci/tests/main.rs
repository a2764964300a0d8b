//! The tests of errare-uci in one binary, which is quicker to build than one a file.

mod client;
mod server;
mod stockfish;
