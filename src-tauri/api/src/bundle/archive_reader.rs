//! Reads the archive of a bundle into an empty folder. Trusts nothing in it: names, sizes and
//! checksums must be those of the manifest, and the manifest allows no other place.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::archive_writer::{HashingReader, hexadecimal};
use super::error::{BundleError, at};
use super::manifest::{BundledFile, MANIFEST, MANIFEST_LIMIT, Manifest};

/// An open archive with a valid manifest.
pub(super) struct ArchiveReader {
    zip: ZipArchive<File>,
    pub(super) manifest: Manifest,
}

impl ArchiveReader {
    /// Opens the archive and reads its manifest.
    pub(super) fn open(path: &Path) -> Result<Self, BundleError> {
        let file = File::open(path).map_err(at(path))?;
        let mut zip = ZipArchive::new(file)?;
        let manifest = Manifest::parse(&read_manifest(&mut zip, path)?)?;
        let listed: std::collections::HashSet<&str> = manifest
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        for name in zip.file_names() {
            let name = name?;
            if name != MANIFEST && !listed.contains(&*name) {
                return Err(BundleError::UnexpectedPath(name.into_owned()));
            }
        }
        Ok(Self { zip, manifest })
    }

    /// Writes all files below `folder`, which must be empty.
    pub(super) fn extract(&mut self, folder: &Path) -> Result<(), BundleError> {
        self.check_space(folder)?;
        for file in &self.manifest.files {
            extract_file(&mut self.zip, file, &folder.join(&file.path))?;
        }
        Ok(())
    }

    /// Refuses content that doesn't fit on the disk before anything is written.
    fn check_space(&self, folder: &Path) -> Result<(), BundleError> {
        let needed = self.manifest.needed_bytes();
        let disk = nix::sys::statvfs::statvfs(folder)
            .map_err(io::Error::from)
            .map_err(at(folder))?;
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        match needed > free {
            true => Err(BundleError::TooLarge { needed, free }),
            false => Ok(()),
        }
    }
}

fn read_manifest(zip: &mut ZipArchive<File>, path: &Path) -> Result<Vec<u8>, BundleError> {
    let entry = match zip.by_name(MANIFEST) {
        Err(ZipError::FileNotFound) => {
            return Err(BundleError::Foreign(
                "the file is not a bundle of Baton".to_owned(),
            ));
        }
        entry => entry?,
    };
    let mut text = Vec::new();
    entry
        .take(MANIFEST_LIMIT)
        .read_to_end(&mut text)
        .map_err(at(path))?;
    Ok(text)
}

fn extract_file(
    zip: &mut ZipArchive<File>,
    file: &BundledFile,
    target: &Path,
) -> Result<(), BundleError> {
    let damaged = |problem| BundleError::Damaged {
        path: file.path.clone(),
        problem,
    };
    let entry = match zip.by_name(&file.path) {
        Err(ZipError::FileNotFound) => return Err(damaged("is missing")),
        entry => entry?,
    };
    if let Some(folder) = target.parent() {
        create_private_folder(folder).map_err(at(folder))?;
    }
    let mut output = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(target)
        .map_err(at(target))?;
    // One byte more than promised is enough to notice that a file is too long.
    let mut reader = HashingReader {
        inner: entry.take(file.bytes.saturating_add(1)),
        hash: Sha256::new(),
    };
    let written = copy(&mut reader, &mut output, target, &damaged)?;
    if written != file.bytes {
        return Err(damaged("doesn't have the size in the manifest"));
    }
    if hexadecimal(reader.hash) != file.sha256 {
        return Err(damaged("doesn't have the checksum in the manifest"));
    }
    output.sync_all().map_err(at(target))
}

/// Copies a file, and tells an archive that can't be read from a disk that can't be written.
fn copy(
    reader: &mut impl Read,
    output: &mut File,
    target: &Path,
    damaged: &impl Fn(&'static str) -> BundleError,
) -> Result<u64, BundleError> {
    let mut buffer = vec![0; 128 << 10];
    let mut written = 0;
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => return Ok(written),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(damaged("can't be unpacked")),
        };
        io::Write::write_all(output, &buffer[..count]).map_err(at(target))?;
        written += count as u64;
    }
}

/// Creates a folder that only its owner may enter.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    if fs::metadata(folder).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
