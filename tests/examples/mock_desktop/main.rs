//! Fakes the desktop services that Baton's window uses: the tray and the notification server, on
//! the session bus.
//!
//! Reads one JSON value per line and answers each with a JSON line: `{"tray":null}` returns what
//! the tray shows, `{"choose":"Inbox"}` clicks the menu entry that starts with this text,
//! `{"notices":null}` lists the notifications shown, and `{"press":1}` clicks the notification with
//! this id. It draws nothing.
#![allow(clippy::print_stdout, reason = "answers go to standard output")]

#[cfg(target_os = "linux")]
mod bus;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    bus::serve()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
