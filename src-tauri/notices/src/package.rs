//! A package of somebody else that Baton contains.

use std::fmt;

/// Where a package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registry {
    /// Crates, which are linked into the programs.
    Cargo,
    /// npm packages, which are bundled into the interface.
    Npm,
}

/// A package with all that its notice needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Where it comes from.
    pub registry: Registry,
    /// Its name there.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The license expression as its authors wrote it; empty when they named none.
    pub license: String,
    /// Where its source can be had.
    pub source: String,
    /// The texts of its licenses, with the lines of copyright.
    pub texts: Vec<String>,
    /// Where the texts come from when the package itself brings none.
    pub remark: Option<String>,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}
