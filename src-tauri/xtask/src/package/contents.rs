//! Checks the contents of built packages.

use std::path::Path;

use anyhow::{Result, bail};

use super::Packages;
use crate::process;

/// Files that every package must contain.
const FILES: [&str; 7] = [
    "/usr/bin/baton",
    "/usr/bin/baton-desktop",
    "/usr/bin/baton-keeper",
    "/usr/bin/baton-tool",
    "/usr/share/applications/Baton.desktop",
    "/usr/share/icons/hicolor/48x48/apps/baton-desktop.png",
    "/usr/share/mime/packages/baton.xml",
];
/// The license and third-party notices, by kind of package.
const LEGAL: [(&str, [&str; 2]); 2] = [
    (
        "deb",
        [
            "/usr/share/doc/baton/copyright",
            "/usr/share/doc/baton/THIRD-PARTY-NOTICES.txt",
        ],
    ),
    (
        "rpm",
        [
            "/usr/share/licenses/baton/LICENSE",
            "/usr/share/licenses/baton/THIRD-PARTY-NOTICES.txt",
        ],
    ),
];
/// The dependency on the window's web view, by kind of package.
const NEEDS: [(&str, &str); 2] = [("deb", "libwebkit2gtk-4.1-0"), ("rpm", "webkit2gtk")];

/// A file or folder in a package.
#[derive(Debug, PartialEq, Eq)]
struct Entry<'a> {
    /// In the format of `ls -l`.
    mode: &'a str,
    /// User and group, separated by a slash.
    owner: &'a str,
    /// The absolute path.
    path: String,
}

/// Checks both packages, and reports everything that is wrong.
pub(super) fn check(packages: &Packages) -> Result<()> {
    let root = Path::new("/");
    let (deb, rpm) = (
        packages.deb.to_string_lossy(),
        packages.rpm.to_string_lossy(),
    );
    let ask = |program: &str, fields: &[&str]| {
        process::read(&mut process::command(root, program, fields))
    };

    let listing = ask("dpkg-deb", &["--contents", &deb])?;
    let mut faults = faults(
        &listing.lines().filter_map(deb_entry).collect::<Vec<_>>(),
        "deb",
    );
    faults.extend(missing_need(
        &ask("dpkg-deb", &["--field", &deb, "Depends"])?,
        "deb",
    ));
    // Scripts would run as root on every installation. None is needed.
    let control = ask("dpkg-deb", &["--info", &deb])?;
    let scripts = ["preinst", "postinst", "prerm", "postrm"];
    faults.extend(
        scripts
            .iter()
            .filter(|name| control.contains(**name))
            .map(|name| format!("deb: has a {name}")),
    );

    let query = "[%{FILEMODES:perms} %{FILEUSERNAME}/%{FILEGROUPNAME} %{FILENAMES}\n]";
    let listing = ask("rpm", &["-qp", "--queryformat", query, &rpm])?;
    faults.extend(self::faults(
        &listing.lines().filter_map(rpm_entry).collect::<Vec<_>>(),
        "rpm",
    ));
    faults.extend(missing_need(
        &ask("rpm", &["-qp", "--requires", &rpm])?,
        "rpm",
    ));
    if !faults.is_empty() {
        bail!("the packages have errors:\n  {}", faults.join("\n  "));
    }
    Ok(())
}

/// `-rwxr-xr-x root/root 123 2026-01-02 03:04 ./usr/bin/baton`
fn deb_entry(line: &str) -> Option<Entry<'_>> {
    let mut fields = line.split_whitespace();
    let (mode, owner) = (fields.next()?, fields.next()?);
    let path = fields.skip(3).collect::<Vec<_>>().join(" ");
    // Some packers start each path with a dot.
    let path = format!("/{}", path.trim_start_matches("./").trim_matches('/'));
    Some(Entry { mode, owner, path })
}

/// `-rwxr-xr-x root/root /usr/bin/baton`
fn rpm_entry(line: &str) -> Option<Entry<'_>> {
    let (mode, rest) = line.split_once(' ')?;
    let (owner, path) = rest.split_once(' ')?;
    Some(Entry {
        mode,
        owner,
        path: path.to_owned(),
    })
}

fn missing_need(needs: &str, kind: &str) -> Option<String> {
    let (_, library) = NEEDS.iter().find(|(of, _)| *of == kind)?;
    (!needs.contains(library)).then(|| {
        format!(
            "{kind}: doesn't depend on {library}, only on {}",
            needs.trim()
        )
    })
}

fn faults(entries: &[Entry<'_>], kind: &str) -> Vec<String> {
    let legal = LEGAL
        .iter()
        .filter(|(of, _)| *of == kind)
        .flat_map(|(_, files)| files);
    let missing = FILES
        .iter()
        .chain(legal)
        .filter(|file| !entries.iter().any(|entry| entry.path == **file));
    let missing = missing.map(|file| format!("{kind}: {file} is missing"));
    let wrong = entries
        .iter()
        .filter_map(|entry| Some(format!("{kind}: {} {}", entry.path, fault(entry)?)));
    missing.chain(wrong).collect()
}

fn fault(entry: &Entry<'_>) -> Option<String> {
    let is_folder = entry.mode.starts_with('d');
    let is_program = entry.path.starts_with("/usr/bin/");
    let wanted = match (is_folder, is_program) {
        (true, _) => "drwxr-xr-x",
        (false, true) => "-rwxr-xr-x",
        (false, false) => "-rw-r--r--",
    };
    let is_ours = entry.path == "/" || entry.path == "/usr" || entry.path.starts_with("/usr/");
    if !is_ours {
        return Some("is outside of /usr".to_owned());
    }
    if entry.owner != "root/root" && entry.owner != "0/0" {
        return Some(format!("is owned by {}", entry.owner));
    }
    (entry.mode != wanted).then(|| format!("has mode {}, not {wanted}", entry.mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\
drwxr-xr-x root/root         0 2026-01-02 03:04 ./usr/
-rwxr-xr-x root/root       100 2026-01-02 03:04 ./usr/bin/baton
-rwxr-xr-x 0/0             100 2026-01-02 03:04 usr/bin/baton-desktop
-rwxr-xr-x root/root       100 2026-01-02 03:04 ./usr/bin/baton-keeper
-rwxr-xr-x root/root       100 2026-01-02 03:04 ./usr/bin/baton-tool
-rw-r--r-- root/root       100 2026-01-02 03:04 ./usr/share/applications/Baton.desktop
-rw-r--r-- root/root       100 2026-01-02 03:04 ./usr/share/icons/hicolor/48x48/apps/baton-desktop.png
-rw-r--r-- root/root       100 2026-01-02 03:04 ./usr/share/doc/baton/copyright
-rw-r--r-- root/root       100 2026-01-02 03:04 ./usr/share/doc/baton/THIRD-PARTY-NOTICES.txt
-rw-r--r-- root/root       100 2026-01-02 03:04 ./usr/share/mime/packages/baton.xml
";

    fn of(listing: &str) -> Vec<String> {
        faults(
            &listing.lines().filter_map(deb_entry).collect::<Vec<_>>(),
            "deb",
        )
    }

    #[test]
    fn valid_package_has_no_errors() {
        assert_eq!(of(LISTING), Vec::<String>::new());
        let (mode, owner) = ("-rwxr-xr-x", "root/root");
        let entry = Entry {
            mode,
            owner,
            path: "/usr/bin/a b".to_owned(),
        };
        assert_eq!(rpm_entry("-rwxr-xr-x root/root /usr/bin/a b"), Some(entry));
    }

    #[test]
    fn each_error_is_reported() {
        let table = [
            (
                LISTING.replace("./usr/bin/baton-tool", "./usr/bin/other"),
                "/usr/bin/baton-tool is missing",
            ),
            (
                LISTING.replace("doc/baton/THIRD", "doc/baton/OTHER"),
                "/usr/share/doc/baton/THIRD-PARTY-NOTICES.txt is",
            ),
            (
                LISTING.replace("-rwxr-xr-x 0/0", "-rwxrwxrwx 0/0"),
                "/usr/bin/baton-desktop has mode -rwxrwxrwx",
            ),
            (
                LISTING.replace("-rw-r--r--", "-rwxr-xr-x"),
                "/usr/share/mime/packages/baton.xml has mode",
            ),
            (
                LISTING.replace("root/root", "ada/users"),
                "/usr/bin/baton is owned by ada/users",
            ),
            (
                format!("{LISTING}-rw-r--r-- root/root 1 2026-01-02 03:04 ./etc/baton\n"),
                "/etc/baton is outside",
            ),
        ];
        for (listing, fault) in table {
            assert!(
                of(&listing).iter().any(|found| found.contains(fault)),
                "{fault}: {:#?}",
                of(&listing)
            );
        }
        assert!(missing_need("libgtk-3-0", "deb").is_some());
        assert_eq!(missing_need("libwebkit2gtk-4.1-0, libgtk-3-0", "deb"), None);
    }
}
