//! A home directory with histories, for tests.

use std::fs;
use std::path::{Path, PathBuf};

use baton_transcripts::{Filter, HistoryLocations, Library, Pagination, Sort, TranscriptRow};
use tempfile::TempDir;

/// A home directory and Baton's data directory beside it.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("home").join(path)
    }

    pub(crate) fn data(&self) -> PathBuf {
        let data = self.folder.path().join("data");
        fs::create_dir_all(&data).expect("room");
        data
    }

    pub(crate) fn library(&self) -> Library {
        Library::new(
            &self.data(),
            HistoryLocations::discover(&self.path(""), |_| None),
        )
    }

    /// Writes a file and creates its parent folders.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        fs::write(&path, content).expect("room");
        path
    }

    /// Appends to a file.
    pub(crate) fn append(&self, path: &str, content: impl AsRef<[u8]>) {
        use std::io::Write as _;
        let mut file = fs::File::options()
            .append(true)
            .open(self.path(path))
            .expect("a file");
        file.write_all(content.as_ref()).expect("room");
    }

    /// Copies a recording from the fixtures into the home directory.
    pub(crate) fn put(&self, recording: &str, path: &str) -> PathBuf {
        self.write(
            path,
            fs::read(recordings().join(recording)).expect("a recording"),
        )
    }
}

pub(crate) fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/transcripts")
}

/// The updated list, latest first.
pub(crate) fn rows(library: &Library) -> Vec<TranscriptRow> {
    library.refresh(true).expect("an index");
    let part = Pagination {
        offset: 0,
        limit: 1000,
    };
    library
        .page(&Filter::default(), Sort::Latest, part)
        .expect("an index")
        .rows
}

pub(crate) fn only(library: &Library) -> TranscriptRow {
    let mut rows = rows(library);
    assert_eq!(rows.len(), 1, "{rows:#?}");
    rows.remove(0)
}

/// The ids of the transcripts that match.
pub(crate) fn search_hits(library: &Library, words: &str) -> Vec<String> {
    let part = Pagination {
        offset: 0,
        limit: 100,
    };
    let hits = library
        .search(words, &Filter::default(), part)
        .expect("an index")
        .hits;
    hits.into_iter().map(|hit| hit.row.id).collect()
}
