//! Shared support of the test suite. Panics are how a test fails, so this crate may panic.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on must stop"
)]

pub mod chance;
pub mod disk;
pub mod house;
pub mod model_api;
pub mod processes;
pub mod shell;

pub use house::House;
pub use shell::Shell;
