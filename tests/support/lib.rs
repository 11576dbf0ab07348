//! Shared support of the test suite.

pub mod model_api;
