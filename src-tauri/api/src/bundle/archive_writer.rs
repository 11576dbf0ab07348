//! Writes the archive of a bundle, file by file, without holding one in memory.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::Path;

use baton_model::Timestamp;
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::error::{BundleError, at};
use super::manifest::{BundledCommits, BundledFile, MANIFEST, Manifest};

/// An archive that is being written.
pub(super) struct ArchiveWriter<'a> {
    path: &'a Path,
    zip: ZipWriter<BufWriter<&'a File>>,
    files: Vec<BundledFile>,
}

impl<'a> ArchiveWriter<'a> {
    /// Begins an archive in the empty file `file`, whose path is `path`.
    pub(super) fn new(file: &'a File, path: &'a Path) -> Self {
        Self {
            path,
            zip: ZipWriter::new(BufWriter::new(file)),
            files: Vec::new(),
        }
    }

    /// Adds the first `length` bytes of `source` as the file `path`: the file may still grow.
    pub(super) fn add(
        &mut self,
        path: &str,
        source: &mut File,
        length: u64,
    ) -> Result<(), BundleError> {
        self.zip.start_file(path, options())?;
        let mut reader = HashingReader {
            inner: source.take(length),
            hash: Sha256::new(),
        };
        let bytes = io::copy(&mut reader, &mut self.zip).map_err(at(self.path))?;
        self.files.push(BundledFile {
            path: path.to_owned(),
            bytes,
            sha256: hexadecimal(reader.hash),
        });
        Ok(())
    }

    /// Adds the manifest and ends the archive. Returns the number of files and their bytes.
    pub(super) fn finish(
        mut self,
        now: Timestamp,
        commits: Vec<BundledCommits>,
    ) -> Result<(usize, u64), BundleError> {
        let count = self.files.len();
        let bytes = self.files.iter().map(|file| file.bytes).sum();
        let manifest = Manifest::new(now, self.files, commits);
        self.zip.start_file(MANIFEST, options())?;
        serde_json::to_writer_pretty(&mut self.zip, &manifest)?;
        let mut written = self.zip.finish()?;
        let done = written.flush().and_then(|()| written.get_ref().sync_all());
        done.map_err(at(self.path))?;
        Ok((count, bytes))
    }
}

/// Files may be larger than 4 GB. Only their owner may read them after unpacking.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true)
        .unix_permissions(0o600)
}

/// Computes the checksum of what is read.
pub(super) struct HashingReader<R> {
    pub(super) inner: R,
    pub(super) hash: Sha256,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

/// A checksum in hexadecimal digits.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    let digits = hash.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}
