//! A third-party package that Baton contains.

use std::fmt;

/// The registry of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registry {
    /// crates.io, whose crates are linked into the programs.
    Cargo,
    /// npm, whose packages are bundled into the interface.
    Npm,
}

/// A package with everything that its notice contains.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// The registry that it was downloaded from.
    pub registry: Registry,
    /// The name in the registry.
    pub name: String,
    /// The exact version, such as `1.0.228`.
    pub version: String,
    /// The license expression as declared; empty if there is none.
    pub license: String,
    /// The URL of its source.
    pub source: String,
    /// The license texts, including copyright lines.
    pub texts: Vec<String>,
    /// The origin of the texts if the package itself contains none.
    pub remark: Option<String>,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}
