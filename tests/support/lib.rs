//! Shared support of the test suite. Panics are how a test fails, so this crate may panic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on must stop")]

pub mod house;
pub mod model_api;

pub use house::House;
