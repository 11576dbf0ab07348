//! The npm packages that are bundled into the interface.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::NoticesError;
use crate::package::{Package, Registry};
use crate::texts::{is_complete_license, texts_in};

/// Packages whose style sheets are bundled. Vite's list only covers packages that scripts import.
const STYLE_SHEETS: [&str; 2] = ["@xyflow/react", "tailwindcss"];

/// An entry of the list that Vite writes.
#[derive(Debug, Deserialize)]
struct Listed {
    name: String,
    version: String,
    identifier: Option<String>,
    text: Option<String>,
}

/// The needed fields of a `package.json`.
#[derive(Debug, Deserialize)]
struct Manifest {
    version: String,
    license: Option<String>,
}

/// Returns the packages on Vite's list and those of [`STYLE_SHEETS`], sorted. `interface` is the
/// interface's folder.
pub(crate) fn bundled_packages(
    interface: &Path,
    list: &Path,
) -> Result<Vec<Package>, NoticesError> {
    let listed: Vec<Listed> = read_json(list)?;
    let mut packages: Vec<Package> = listed.into_iter().map(package).collect();
    for name in STYLE_SHEETS {
        let folder = interface.join("node_modules").join(name);
        let Manifest { version, license } = read_json(&folder.join("package.json"))?;
        if !packages
            .iter()
            .any(|package| (&*package.name, &package.version) == (name, &version))
        {
            packages.push(Package {
                texts: texts_in(&folder, None)?,
                ..bare(name.to_owned(), version, license)
            });
        }
    }
    packages.sort();
    Ok(packages)
}

fn package(listed: Listed) -> Package {
    let texts = listed
        .text
        .into_iter()
        .filter(|text| is_complete_license(text))
        .collect();
    Package {
        texts,
        ..bare(listed.name, listed.version, listed.identifier)
    }
}

fn bare(name: String, version: String, license: Option<String>) -> Package {
    let source = format!("https://www.npmjs.com/package/{name}/v/{version}");
    let (license, texts) = (license.unwrap_or_default(), Vec::new());
    Package {
        registry: Registry::Npm,
        name,
        version,
        license,
        source,
        texts,
        remark: None,
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, NoticesError> {
    let text = fs::read_to_string(path).map_err(NoticesError::file(path))?;
    serde_json::from_str(&text).map_err(|source| NoticesError::NotUnderstood {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    fn style_sheets(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                style_sheets(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "css") {
                found.push(path);
            }
        }
    }

    #[test]
    fn every_imported_style_sheet_package_is_listed() {
        let mut files = Vec::new();
        style_sheets(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src"),
            &mut files,
        );
        let texts: Vec<String> = files
            .iter()
            .map(|file| fs::read_to_string(file).unwrap())
            .collect();
        let imports = texts
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.trim().strip_prefix("@import"));
        let names = imports.map(|rest| {
            rest.trim()
                .trim_start_matches("url(")
                .trim_start_matches(['"', '\''])
        });
        let packages = names
            .filter(|name| !name.starts_with(['.', '/']))
            .map(|name| {
                let parts = if name.starts_with('@') { 2 } else { 1 };
                name.split(['"', '\'', '/'])
                    .take(parts)
                    .collect::<Vec<_>>()
                    .join("/")
            });
        let packages: BTreeSet<String> = packages.collect();
        assert_eq!(packages, BTreeSet::from(STYLE_SHEETS.map(str::to_owned)));
    }

    #[test]
    fn entry_without_text_is_reported() {
        let form = format!(
            "SPDXVersion: SPDX-2.1\n{}",
            "DataLicense: CC0-1.0\n".repeat(40)
        );
        for text in [
            None,
            Some(String::new()),
            Some("MIT".to_owned()),
            Some(form),
        ] {
            let listed = Listed {
                name: "a".into(),
                version: "1.0.0".into(),
                identifier: Some("MIT".into()),
                text,
            };
            assert!(package(listed).texts.is_empty());
        }
    }
}
