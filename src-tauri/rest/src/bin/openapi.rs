//! Writes the OpenAPI document to a file, or checks that the existing one is up to date.
//!
//! `baton-openapi FILE [--check]`

use std::{env, fs};

use anyhow::{Context, bail};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (file, check) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [file] => (file, false),
        [file, "--check"] => (file, true),
        _ => bail!("usage: baton-openapi FILE [--check]"),
    };
    let text = baton_rest::openapi::text()?;
    if fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if check {
        bail!("{file} is out of date: run `cargo xtask bindings`");
    }
    fs::write(file, text).with_context(|| format!("failed to write {file}"))
}
