//! Finds the C library version that programs require: the newest version among their symbols.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// The prefix of version names in a program.
const NAME: &[u8] = b"GLIBC_";

/// Returns the newest glibc version that any of `programs` requires, as major and minor.
pub(super) fn needed(programs: impl IntoIterator<Item = PathBuf>) -> Result<(u32, u32)> {
    let mut newest = None;
    for program in programs {
        let bytes =
            fs::read(&program).with_context(|| format!("couldn't read {}", program.display()))?;
        newest = newest.max(newest_of(&bytes));
    }
    newest.context("no program refers to a glibc version")
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

/// Parses a null-terminated version such as `2.34`. Names such as `PRIVATE` aren't versions.
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
    fn newest_version_is_found() {
        let names = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.2.5\0 GLIBC_\0";
        assert_eq!(
            newest_of(names),
            Some((2, 34)),
            "34 is more than 9, and a third number does not matter"
        );
        assert_eq!(newest_of(b"nothing"), None);
    }

    #[test]
    fn real_program_has_a_version() -> Result<()> {
        let (major, minor) = needed([std::env::current_exe()?])?;
        assert!(major == 2 && minor > 10, "{major}.{minor}");
        Ok(())
    }
}
