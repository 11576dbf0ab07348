//! Embeds the built interface in the program, so that it still works after being moved.
//!
//! Copies everything below `ui/dist`, because a build of the interface may replace it while this
//! crate is compiling, and writes a table of paths and contents. Without a built interface the
//! table is empty: the server then answers with a page that says so, and only the browser interface
//! is missing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let place = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .ok_or_else(|| io::Error::other(name.to_owned()))
    };
    let dist = place("CARGO_MANIFEST_DIR")?.join("../../ui/dist");
    println!("cargo::rerun-if-changed={}", dist.display());

    let mut files = Vec::new();
    if dist.is_dir() {
        collect(&dist, "", &mut files)?;
    }
    files.sort();
    let out = place("OUT_DIR")?;
    let copies = out.join("interface");
    fs::create_dir_all(&copies)?;
    let mut table = String::from("&[\n");
    for (number, (name, path)) in files.iter().enumerate() {
        let copy = copies.join(number.to_string());
        match fs::copy(path, &copy) {
            // Just replaced by another build: cargo notices the change and runs this again.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            copied => copied?,
        };
        writeln!(table, "    ({name:?}, include_bytes!({copy:?})),").map_err(io::Error::other)?;
    }
    table.push(']');
    fs::write(out.join("interface.rs"), table)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
