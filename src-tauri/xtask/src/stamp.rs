//! Records the inputs of a slow step, so that it runs again only if they have changed.
//!
//! Contents are compared, not modification times: a fresh checkout has new times for unchanged
//! contents.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The current inputs of a step, to compare with those of its last run.
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Hashes `inputs`: files, or folders with everything in them. They may be missing.
    pub(crate) fn read(folder: &Path, name: &str, inputs: &[PathBuf]) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        for input in inputs {
            digest(input, &mut hasher)
                .with_context(|| format!("couldn't read {}", input.display()))?;
        }
        Ok(Self {
            file: folder.join(name),
            digest: format!("{:016x}", hasher.finish()),
        })
    }

    /// Returns whether the step last ran with the same inputs.
    pub(crate) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|stored| stored == self.digest)
    }

    /// Records that the step succeeded. Call it after the step, so that a failed step runs again.
    pub(crate) fn store(&self) -> Result<()> {
        let folder = self.file.parent().context("a stamp has a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&self.file, &self.digest)
            .with_context(|| format!("couldn't write {}", self.file.display()))
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
    fn stamp_is_current_until_an_input_changes() -> Result<()> {
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
            "a new modification time is no change"
        );

        fs::rename(folder.join("src/a"), folder.join("src/b"))?;
        assert!(
            !Stamp::read(&folder, "stamp", &inputs)?.is_current(),
            "a file was renamed"
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
