//! Which C library programs need: the newest of the versions that they name.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// How a version is named in a program.
const NAME: &[u8] = b"GLIBC_";

/// The newest version that any of `programs` names, as major and minor.
pub(super) fn needed(programs: impl IntoIterator<Item = PathBuf>) -> Result<(u32, u32)> {
    let mut newest = None;
    for program in programs {
        let bytes =
            fs::read(&program).with_context(|| format!("failed to read {}", program.display()))?;
        newest = newest.max(newest_of(&bytes));
    }
    newest.context("none of the programs names a version of the C library")
}

fn newest_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let after = bytes
        .windows(NAME.len())
        .enumerate()
        .filter(|(_, window)| *window == NAME);
    after
        .filter_map(|(at, _)| version(&bytes[at + NAME.len()..]))
        .max()
}

/// `2.34` before the byte that ends the name; names such as `PRIVATE` are no versions.
fn version(bytes: &[u8]) -> Option<(u32, u32)> {
    let name = bytes.split(|byte| *byte == 0).next()?;
    let mut numbers = std::str::from_utf8(name.get(..name.len().min(16))?)
        .ok()?
        .split('.')
        .map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_counts() {
        let names = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.2.5\0 GLIBC_\0";
        assert_eq!(
            newest_of(names),
            Some((2, 34)),
            "34 is more than 9, and a third number does not matter"
        );
        assert_eq!(newest_of(b"nothing"), None);
    }

    #[test]
    fn a_real_program_names_one() -> Result<()> {
        let (major, minor) = needed([std::env::current_exe()?])?;
        assert!(major == 2 && minor > 10, "{major}.{minor}");
        Ok(())
    }
}
