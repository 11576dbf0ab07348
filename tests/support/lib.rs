//! Shared support for the test suite. This crate may panic, because that is how a test fails.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

pub mod git;
pub mod model_api;
pub mod processes;
pub mod seeded_rng;
pub mod served;
pub mod shell;
pub mod small_disk;
pub mod test_environment;

pub use shell::Shell;
pub use test_environment::TestEnvironment;
