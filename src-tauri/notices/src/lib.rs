//! Third-party notices: the packages that Baton's programs contain, and their licenses.
//!
//! `cargo xtask` runs this crate's program after building the interface. The list of crates comes
//! from cargo, the list of npm packages from Vite, and the license texts from the packages
//! themselves. A package without a license text fails the build, unless [`LICENSE_OVERRIDES`] has
//! its text.
#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test fails by panicking")
)]

mod bundled_packages;
mod document;
mod error;
mod license_override;
mod linked_crates;
mod package;
mod texts;

use std::path::Path;

pub use document::render;
pub use error::NoticesError;
pub use license_override::{LICENSE_OVERRIDES, LicenseOverride, TextSource};
pub use linked_crates::{SHIPPED_PACKAGES, linked_crates};
pub use package::{Package, Registry};

/// Returns the notices of the checkout at `root`. `bundled` is the list that Vite wrote when it
/// built the interface.
pub fn notices(root: &Path, bundled: &Path) -> Result<String, NoticesError> {
    let mut packages = linked_crates(root)?;
    packages.extend(bundled_packages::bundled_packages(
        &root.join("ui"),
        bundled,
    )?);
    license_override::apply_overrides(&mut packages, LICENSE_OVERRIDES)?;
    Ok(render(&packages))
}
