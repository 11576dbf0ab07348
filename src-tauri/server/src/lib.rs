//! Baton in a browser: every operation over HTTP, news as an event stream, and the same interface as the window.
//!
//! Only this machine is served, and only who shows a token: that of the browser, or one that a person made for a
//! program. Its surface says what it opens. The token keeps other accounts
//! of the machine out, the `Host` check keeps out pages that point their own name at 127.0.0.1, and the
//! `Origin` check keeps out pages of other servers. Nothing here decides anything about plans or runs: a
//! request becomes a [`baton_api::call`].

mod change_feed;
mod connections;
mod error_response;
mod events;
mod guard;
mod operations;
mod peer_socket;
mod requests;
mod server;
mod static_files;

pub use connections::BODY_LIMIT;
pub use connections::Limits;
pub use server::{Options, Server, ServerError};
pub use static_files::third_party_notices;
