//! Shared support of the test suite. Panics are how a test fails, so this crate may panic.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot go on must stop"
)]

pub mod model_api;
pub mod processes;
pub mod seeded_rng;
pub mod shell;
pub mod small_disk;
pub mod test_environment;

pub use shell::Shell;
pub use test_environment::TestEnvironment;
