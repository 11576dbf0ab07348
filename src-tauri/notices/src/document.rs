//! Renders the notices as one document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::package::{Package, Registry};

const HEAD: &str = "\
Third-party notices

Baton contains the packages listed here. For each package: its version, its license, where to get its source,
and the numbers of its license texts, which follow at the end.
";
const RULE: &str =
    "--------------------------------------------------------------------------------";

/// Renders the packages in the given order, followed by each distinct text once.
#[must_use]
pub fn render(packages: &[Package]) -> String {
    let texts = Texts::of(packages);
    let mut document = String::from(HEAD);
    for (registry, title) in [
        (Registry::Cargo, "Rust crates in the programs"),
        (Registry::Npm, "npm packages in the interface"),
    ] {
        let _ = write!(document, "\n\n{title}\n{RULE}\n");
        for package in packages
            .iter()
            .filter(|package| package.registry == registry)
        {
            entry(&mut document, package, &texts);
        }
    }
    let _ = write!(document, "\n\nLicense texts\n");
    for (number, (text, of)) in texts.texts.iter().enumerate() {
        let of = of.join(", ");
        let _ = write!(document, "{RULE}\n[{}] {of}\n\n{text}\n\n", number + 1);
    }
    document
}

fn entry(document: &mut String, package: &Package, texts: &Texts) {
    let numbers = package
        .texts
        .iter()
        .filter_map(|text| texts.numbers.get(&same(text)));
    let mut numbers: Vec<usize> = numbers.map(|number| number + 1).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let numbers: Vec<String> = numbers.iter().map(|number| format!("[{number}]")).collect();
    let _ = writeln!(document, "\n{package}");
    let _ = writeln!(document, "    {}", package.license);
    let _ = writeln!(document, "    {}", package.source);
    let remark = package
        .remark
        .as_ref()
        .map(|remark| format!(" ({remark})"))
        .unwrap_or_default();
    let _ = writeln!(document, "    {}{remark}", numbers.join(" "));
}

/// The distinct texts, in the order of the packages.
#[derive(Default)]
struct Texts {
    /// Each text with the names of its packages.
    texts: Vec<(String, Vec<String>)>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    fn of(packages: &[Package]) -> Self {
        let mut all = Self::default();
        for package in packages {
            for text in &package.texts {
                all.add(text, package.to_string());
            }
        }
        all
    }

    fn add(&mut self, text: &str, package: String) {
        let number = *self.numbers.entry(same(text)).or_insert(self.texts.len());
        if number == self.texts.len() {
            self.texts.push((plain(text), Vec::new()));
        }
        let of = &mut self.texts[number].1;
        if !of.contains(&package) {
            of.push(package);
        }
    }
}

/// Returns a key that is equal for texts that differ only in line breaks and indentation.
fn same(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes control characters, byte order marks and trailing spaces.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\u{feff}', "");
    let text: String = text
        .chars()
        .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
        .collect();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(registry: Registry, name: &str, texts: &[&str]) -> Package {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        let [version, license, source] =
            ["1.0.0", "MIT", "https://example.org/it"].map(str::to_owned);
        Package {
            registry,
            name: name.to_owned(),
            version,
            license,
            source,
            texts,
            remark: None,
        }
    }

    #[test]
    fn packages_reference_each_text_once() {
        let packages = [
            package(
                Registry::Cargo,
                "alpha",
                &["Copyright A\n  MIT", "Apache\x1b[2J  \r\n2.0\n"],
            ),
            Package {
                remark: Some("from alpha".into()),
                ..package(Registry::Cargo, "beta", &["Apache[2J\n2.0"])
            },
            package(Registry::Npm, "gamma", &["\u{feff}Copyright C"]),
        ];
        let expected = format!(
            "{HEAD}

Rust crates in the programs
{RULE}

alpha 1.0.0
    MIT
    https://example.org/it
    [1] [2]

beta 1.0.0
    MIT
    https://example.org/it
    [2] (from alpha)


npm packages in the interface
{RULE}

gamma 1.0.0
    MIT
    https://example.org/it
    [3]


License texts
{RULE}
[1] alpha 1.0.0

Copyright A
  MIT

{RULE}
[2] alpha 1.0.0, beta 1.0.0

Apache[2J
2.0

{RULE}
[3] gamma 1.0.0

Copyright C

"
        );
        assert_eq!(render(&packages), expected);
    }
}
