//! Plays the parts of a desktop that Baton's window speaks to: the tray and the server of notices, on the session bus.
//!
//! `mock_desktop` reads one JSON value a line and answers each with one: `{"tray":null}` tells what the tray shows,
//! `{"choose":"Inbox"}` presses the row of its menu that begins so, `{"notices":null}` lists what was shown, and
//! `{"press":1}` presses the notice of that number. Draws nothing: what a desktop makes of these calls is not its matter.
#![allow(
    clippy::print_stdout,
    reason = "a program that answers on its standard output"
)]

#[cfg(target_os = "linux")]
mod bus;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    bus::serve()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
