//! The keeper with real processes. Runs on Linux, as root or not, except where noted.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it skips"
)]

mod disk;
mod ending;
mod input;
mod lineage;
mod loss;
mod output;
mod peer;
mod sandbox;
mod secrets;
mod stopping;
mod support;
