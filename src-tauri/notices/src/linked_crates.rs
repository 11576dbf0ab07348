//! The crates that are linked into the programs of a package.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, PackageId};

use crate::error::NoticesError;
use crate::package::{Package, Registry};
use crate::texts::texts_in;

/// The crates whose programs are in a package.
pub const SHIPPED_PACKAGES: [&str; 4] =
    ["baton-desktop", "baton-cli", "baton-keeper", "baton-tools"];

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Returns every third-party crate that [`SHIPPED_PACKAGES`] link on this platform, sorted by name
/// and version.
///
/// This includes crates that only run at compile time, such as procedural macros, as `cargo tree
/// --edges normal` does. The texts come from the sources that cargo compiles.
pub fn linked_crates(root: &Path) -> Result<Vec<Package>, NoticesError> {
    let metadata = metadata(root)?;
    let linked = linked_ids(&metadata);
    let ours: BTreeSet<&PackageId> = metadata.workspace_members.iter().collect();
    let mut packages = Vec::new();
    for found in metadata
        .packages
        .iter()
        .filter(|one| linked.contains(&one.id) && !ours.contains(&one.id))
    {
        let folder = found
            .manifest_path
            .parent()
            .map_or(Path::new("."), |folder| folder.as_std_path());
        let named = found.license_file.as_ref().map(|file| file.as_std_path());
        packages.push(Package {
            registry: Registry::Cargo,
            name: found.name.to_string(),
            version: found.version.to_string(),
            license: found
                .license
                .clone()
                .or_else(|| Some(format!("see {}", named?.display())))
                .unwrap_or_default(),
            source: source(found),
            texts: texts_in(folder, named)?,
            remark: None,
        });
    }
    packages.sort();
    Ok(packages)
}

fn source(package: &cargo_metadata::Package) -> String {
    match &package.source {
        Some(source) if source.repr == CRATES_IO => {
            format!(
                "https://crates.io/crates/{}/{}",
                package.name, package.version
            )
        }
        Some(source) => source.repr.clone(),
        None => package.repository.clone().unwrap_or_default(),
    }
}

fn linked_ids(metadata: &Metadata) -> BTreeSet<&PackageId> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let nodes: BTreeMap<&PackageId, _> = nodes.map(|node| (&node.id, node)).collect();
    let shipped = metadata
        .packages
        .iter()
        .filter(|package| SHIPPED_PACKAGES.contains(&package.name.as_str()));
    let mut open: Vec<&PackageId> = shipped.map(|package| &package.id).collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = open.pop() {
        if linked.insert(id) {
            let below = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let normal = below.filter(|one| {
                one.dep_kinds
                    .iter()
                    .any(|kind| kind.kind == DependencyKind::Normal)
            });
            open.extend(normal.map(|one| &one.pkg));
        }
    }
    linked
}

fn metadata(root: &Path) -> Result<Metadata, NoticesError> {
    let options = [
        "--locked".to_owned(),
        "--filter-platform".to_owned(),
        host()?,
    ];
    Ok(MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .current_dir(root)
        .features(CargoOpt::SomeFeatures(vec![
            "baton-desktop/custom-protocol".to_owned(),
        ]))
        .other_options(options)
        .exec()?)
}

/// Returns cargo's default target platform.
fn host() -> Result<String, NoticesError> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(&rustc)
        .arg("-vV")
        .output()
        .map_err(NoticesError::file(&rustc))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or(NoticesError::UnknownHost)
}
