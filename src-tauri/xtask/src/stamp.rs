//! Remembers what a slow step was made from, so that it is repeated only when that changed.
//!
//! Contents are compared, not times: a fresh checkout has new times and old contents.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The state of some files beside the state that was last built.
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Reads `inputs` (files, or folders with all below them); a missing one counts as such.
    pub(crate) fn read(folder: &Path, name: &str, inputs: &[PathBuf]) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        for input in inputs {
            digest(input, &mut hasher)
                .with_context(|| format!("failed to read {}", input.display()))?;
        }
        Ok(Self {
            file: folder.join(name),
            digest: format!("{:016x}", hasher.finish()),
        })
    }

    /// Whether the step was done with exactly these inputs.
    pub(crate) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|stored| stored == self.digest)
    }

    /// Remembers that the step was done. Call it after the step, so that a broken one is repeated.
    pub(crate) fn store(&self) -> Result<()> {
        let folder = self.file.parent().context("a stamp has a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&self.file, &self.digest)
            .with_context(|| format!("failed to write {}", self.file.display()))
    }
}

fn digest(path: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    path.hash(hasher);
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>>>()?;
        entries.sort();
        entries.iter().try_for_each(|entry| digest(entry, hasher))?;
    } else if path.exists() {
        fs::read(path)?.hash(hasher);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> Result<PathBuf> {
        let folder =
            std::env::temp_dir().join(format!("xtask-stamp-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("src"))?;
        Ok(folder)
    }

    #[test]
    fn a_step_is_current_until_an_input_changes() -> Result<()> {
        let folder = scratch("changes")?;
        let inputs = [folder.join("src"), folder.join("missing.json")];
        fs::write(folder.join("src/a"), "one")?;

        let stamp = Stamp::read(&folder, "stamp", &inputs)?;
        assert!(!stamp.is_current(), "nothing was stored yet");
        stamp.store()?;
        assert!(Stamp::read(&folder, "stamp", &inputs)?.is_current());

        fs::write(folder.join("src/a"), "one")?;
        assert!(
            Stamp::read(&folder, "stamp", &inputs)?.is_current(),
            "a new time with old contents is no change"
        );

        fs::rename(folder.join("src/a"), folder.join("src/b"))?;
        assert!(
            !Stamp::read(&folder, "stamp", &inputs)?.is_current(),
            "a file got a new name"
        );

        fs::rename(folder.join("src/b"), folder.join("src/a"))?;
        fs::write(folder.join("missing.json"), "{}")?;
        assert!(
            !Stamp::read(&folder, "stamp", &inputs)?.is_current(),
            "a missing file appeared"
        );
        Ok(fs::remove_dir_all(folder)?)
    }
}
