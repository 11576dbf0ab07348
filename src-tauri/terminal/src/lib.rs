//! Terminals of a person: shells on pseudo terminals.
//!
//! A [`Terminal`] belongs to the process that opened it and ends with it. Its output is kept in a
//! buffer of bounded size, in which a position counts bytes, so that any number of pages can read
//! it, and a page that was disconnected continues where it was. Input is numbered by its writer:
//! what arrives twice is written once.
//!
//! Nothing here knows plans, permissions or how pages are reached.

#![cfg(unix)]

mod error;
mod input_order;
mod output_buffer;
mod registry;
mod session_processes;
mod shell;
mod size;
mod terminal;

pub use error::TerminalError;
pub use input_order::InputMark;
pub use output_buffer::OutputPart;
pub use registry::Terminals;
pub use shell::Shell;
pub use size::TerminalSize;
pub use terminal::{Terminal, TerminalEnd, TerminalEvent, TerminalListener};
