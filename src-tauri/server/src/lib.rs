//! Baton in a browser: every operation over HTTP, changes as an event stream, and the same
//! interface as the window.
//!
//! The server listens only on loopback and requires a token: the browser's, or one that a person
//! created for a program. A token's kind decides which operations it allows. The token keeps out
//! other accounts on the machine, the `Host` check keeps out pages that point their own domain at
//! 127.0.0.1, and the `Origin` check keeps out pages from other servers. The server contains no
//! logic about plans or runs: each request becomes a [`baton_api::call`], or is answered by a route of
//! [`baton_rest`].

mod change_feed;
mod connections;
mod error_response;
mod event_tail;
mod events;
mod guard;
mod identity;
mod mcp;
mod operations;
mod peer_socket;
mod plan_events;
mod raw_output;
mod requests;
mod rest;
mod server;
mod static_files;
mod waiting;

pub use connections::BODY_LIMIT;
pub use connections::Limits;
pub use server::{Options, Server, ServerError};
pub use static_files::third_party_notices;
