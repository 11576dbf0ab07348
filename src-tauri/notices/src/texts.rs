//! Finds the license texts in a package.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::NoticesError;

/// Prefixes of files that contain a license or a notice to be passed on, in uppercase.
const NOTICES: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "UNLICENSE",
    "COPYRIGHT",
    "NOTICE",
];
/// Folders that contain only license files, in uppercase and without a leading dot.
const FOLDERS: [&str; 2] = ["LICENSES", "LICENCES"];
/// Extensions of files that only look like a license: code and templates.
const OTHERS: [&str; 7] = ["html", "js", "json", "py", "rs", "spdx", "toml"];
/// A phrase that every license contains, unlike short mentions of a license.
const DISCLAIMERS: [&str; 2] = ["as is", "as-is"];

/// Returns the texts in a package's folder, sorted by file name; empty if none of them is a
/// license.
///
/// `named` is a license file that the package declares, with any name.
pub(crate) fn texts_in(folder: &Path, named: Option<&Path>) -> Result<Vec<String>, NoticesError> {
    let mut files: Vec<PathBuf> = entries(folder)?
        .into_iter()
        .filter(|path| is_notice(path))
        .collect();
    for below in entries(folder)?
        .iter()
        .filter(|path| path.is_dir() && is_folder_of_licenses(path))
    {
        files.extend(entries(below)?.into_iter().filter(|path| path.is_file()));
    }
    files.extend(named.map(|named| folder.join(named)));
    files.sort();
    files.dedup();
    let read = |path: &PathBuf| fs::read(path).map_err(NoticesError::file(path));
    let texts = files
        .iter()
        .map(|path| Ok(String::from_utf8_lossy(&read(path)?).into_owned()));
    let texts = texts.collect::<Result<Vec<String>, NoticesError>>()?;
    Ok(if texts.iter().any(|text| is_complete_license(text)) {
        texts
    } else {
        Vec::new()
    })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, NoticesError> {
    let entries = fs::read_dir(folder).map_err(NoticesError::file(folder))?;
    entries
        .map(|entry| Ok(entry.map_err(NoticesError::file(folder))?.path()))
        .collect()
}

fn is_notice(path: &Path) -> bool {
    let name = uppercase_stem(path);
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    path.is_file()
        && NOTICES.iter().any(|word| name.starts_with(word))
        && ending.is_none_or(|ending| !OTHERS.contains(&&*ending))
}

fn is_folder_of_licenses(path: &Path) -> bool {
    FOLDERS.contains(&uppercase_stem(path).trim_start_matches('.'))
}

fn uppercase_stem(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_uppercase()
}

/// Returns whether a text is a license, rather than a mention of one or a template.
pub(crate) fn is_complete_license(text: &str) -> bool {
    let text = text
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    DISCLAIMERS.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mention_of_a_license_is_not_a_license_text() {
        assert!(is_complete_license("THE SOFTWARE IS PROVIDED \"AS\n  IS\""));
        assert!(is_complete_license(
            "This software is provided 'as-is', without any express or implied warranty."
        ));
        assert!(!is_complete_license("MIT OR Apache-2.0"));
        assert!(!is_complete_license(
            &"This project is licensed under either of MIT or Apache-2.0, at your option. "
                .repeat(20)
        ));
    }

    #[test]
    fn texts_are_sorted_and_need_a_license() {
        let folder = std::env::temp_dir().join(format!("baton-notices-{}", std::process::id()));
        fs::create_dir_all(folder.join(".licenses")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        for no_text in ["license.rs", "LICENSE.spdx", "README.md"] {
            write(no_text, "as is");
        }
        write("NOTICE", "a notice");
        write("License.md", "see the website");
        assert_eq!(
            texts_in(&folder, None).unwrap(),
            Vec::<String>::new(),
            "the file only refers to a license"
        );
        write("LICENSE-MIT", "provided as is");
        assert_eq!(
            texts_in(&folder, None).unwrap(),
            ["provided as is", "see the website", "a notice"]
        );
        write(".licenses/Apache", "basis as is");
        write("terms.txt", "terms, as is");
        let texts = texts_in(&folder, Some(Path::new("terms.txt"))).unwrap();
        assert_eq!(
            texts,
            [
                "basis as is",
                "provided as is",
                "see the website",
                "a notice",
                "terms, as is"
            ]
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
