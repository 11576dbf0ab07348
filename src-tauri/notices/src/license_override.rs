//! License texts for packages that contain none.

use crate::error::NoticesError;
use crate::package::{Package, Registry};

/// The source of a license text.
#[derive(Debug, Clone, Copy)]
pub enum TextSource {
    /// The texts of this package, from the same registry.
    TextsOf(&'static str),
    /// This literal text.
    Text(&'static str),
}

/// A package that contains no license text, and where to get it instead.
#[derive(Debug, Clone, Copy)]
pub struct LicenseOverride {
    /// The registry of the package.
    pub registry: Registry,
    /// The package's name; the override applies to all its versions.
    pub package: &'static str,
    /// Where to get the text instead.
    pub source: TextSource,
    /// Why this is the right text. Printed in the notices.
    pub reason: &'static str,
}

/// All overrides. An override that is no longer needed fails the build.
pub const LICENSE_OVERRIDES: &[LicenseOverride] = &[
    LicenseOverride {
        registry: Registry::Cargo,
        package: "alloc-stdlib",
        source: TextSource::TextsOf("alloc-no-stdlib"),
        reason: "from alloc-no-stdlib, which is in the same repository",
    },
    LicenseOverride {
        registry: Registry::Cargo,
        package: "dlopen2",
        source: TextSource::Text(include_str!("../texts/dlopen2.txt")),
        reason: "from its repository, https://github.com/OpenByteDev/dlopen2",
    },
    LicenseOverride {
        registry: Registry::Cargo,
        package: "dlopen2_derive",
        source: TextSource::Text(include_str!("../texts/dlopen2.txt")),
        reason: "from its repository, https://github.com/OpenByteDev/dlopen2",
    },
    LicenseOverride {
        registry: Registry::Cargo,
        package: "libappindicator-sys",
        source: TextSource::TextsOf("libappindicator"),
        reason: "from libappindicator, which is in the same repository",
    },
    LicenseOverride {
        registry: Registry::Cargo,
        package: "selectors",
        source: TextSource::TextsOf("cssparser"),
        reason: "from cssparser, under the same license and by the same authors; the text of MPL-2.0 is always the same",
    },
    LicenseOverride {
        registry: Registry::Npm,
        package: "@tauri-apps/plugin-dialog",
        source: TextSource::TextsOf("@tauri-apps/api"),
        reason: "from @tauri-apps/api, by the same authors: the Apache License 2.0, one of its two licenses",
    },
    LicenseOverride {
        registry: Registry::Npm,
        package: "react-remove-scroll-bar",
        source: TextSource::TextsOf("react-remove-scroll"),
        reason: "from react-remove-scroll, by the same author",
    },
];

/// Adds the texts of the overrides. Fails if an override is unused, or a package still has no
/// license or text.
pub(crate) fn apply_overrides(
    packages: &mut [Package],
    overrides: &[LicenseOverride],
) -> Result<(), NoticesError> {
    let unused = overrides
        .iter()
        .filter(|one| !packages.iter().any(|package| one.is_for(package)));
    let unused: Vec<String> = unused.map(|one| one.package.to_owned()).collect();
    if !unused.is_empty() {
        return Err(NoticesError::UnusedOverrides { packages: unused });
    }
    for at in 0..packages.len() {
        if let Some(license_override) = overrides.iter().find(|one| one.is_for(&packages[at])) {
            packages[at].texts = license_override.texts(packages);
            packages[at].remark = Some(license_override.reason.to_owned());
        }
    }
    let named = |is_bad: fn(&Package) -> bool| -> Vec<String> {
        packages
            .iter()
            .filter(|package| is_bad(package))
            .map(ToString::to_string)
            .collect()
    };
    let (unlicensed, textless) = (
        named(|package| package.license.trim().is_empty()),
        named(|package| package.texts.is_empty()),
    );
    if !unlicensed.is_empty() {
        return Err(NoticesError::MissingLicenses {
            packages: unlicensed,
        });
    }
    if !textless.is_empty() {
        return Err(NoticesError::MissingTexts { packages: textless });
    }
    Ok(())
}

impl LicenseOverride {
    /// Returns whether the override applies: the package matches and has no text.
    fn is_for(&self, package: &Package) -> bool {
        (package.registry, &*package.name) == (self.registry, self.package)
            && package.texts.is_empty()
    }

    fn texts(&self, packages: &[Package]) -> Vec<String> {
        match self.source {
            TextSource::Text(text) => vec![text.to_owned()],
            TextSource::TextsOf(name) => packages
                .iter()
                .find(|package| (package.registry, &*package.name) == (self.registry, name))
                .map(|package| package.texts.clone())
                .unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, texts: &[&str]) -> Package {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        let [version, license, source] = ["1.0.0", "MIT", "https://example.org"].map(str::to_owned);
        Package {
            registry: Registry::Cargo,
            name: name.to_owned(),
            version,
            license,
            source,
            texts,
            remark: None,
        }
    }

    const TABLE: &[LicenseOverride] = &[LicenseOverride {
        registry: Registry::Cargo,
        package: "small",
        source: TextSource::TextsOf("large"),
        reason: "from large",
    }];

    #[test]
    fn text_comes_from_the_override() {
        let mut packages = [package("large", &["the text"]), package("small", &[])];
        apply_overrides(&mut packages, TABLE).unwrap();
        assert_eq!(packages[1].texts, ["the text"]);
        assert_eq!(packages[1].remark.as_deref(), Some("from large"));
        assert_eq!(packages[0], package("large", &["the text"]));
    }

    #[test]
    fn missing_text_or_license_is_an_error() {
        let error = apply_overrides(
            &mut [package("bare", &[]), package("whole", &["text"])],
            &[],
        )
        .unwrap_err();
        assert!(
            matches!(&error, NoticesError::MissingTexts { packages } if packages == &["bare 1.0.0"]),
            "{error}"
        );
        // The package that the override refers to is missing, and so is its text.
        let error = apply_overrides(&mut [package("small", &[])], TABLE).unwrap_err();
        assert!(
            matches!(&error, NoticesError::MissingTexts { packages } if packages == &["small 1.0.0"]),
            "{error}"
        );
        let mut unlicensed = [Package {
            license: String::new(),
            ..package("bare", &["text"])
        }];
        let error = apply_overrides(&mut unlicensed, &[]).unwrap_err();
        assert!(
            matches!(&error, NoticesError::MissingLicenses { .. }),
            "{error}"
        );
    }

    #[test]
    fn unused_override_is_an_error() {
        for packages in [
            &mut [package("large", &["text"])][..],
            &mut [package("small", &["its own"])],
        ] {
            let error = apply_overrides(packages, TABLE).unwrap_err();
            assert!(
                matches!(&error, NoticesError::UnusedOverrides { packages } if packages == &["small"]),
                "{error}"
            );
        }
    }
}
