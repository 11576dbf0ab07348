//! `cargo xtask check`: the fast parts of the tests, to run before a commit.

use std::process::ExitCode;

use anyhow::Result;

use crate::test;

pub(crate) fn check() -> Result<ExitCode> {
    test::test(&[
        "--only", "fmt", "--only", "typos", "--only", "lint", "--only", "deny", "--only", "unused",
        "--only", "clippy",
    ])
}
