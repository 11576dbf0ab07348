//! Opens the files of a session folder.
//!
//! The session's own program may access the folder and replace a file: by a FIFO on which a reader
//! blocks forever, a link to a foreign file, a device. So no file there is opened by its name
//! alone: links are not followed, nothing blocks, and anything but a regular file is refused.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;

/// Something else is in the place of one of the session's files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is {kind}, which Baton did not create: the session's program must not change Baton's files", path.display())]
pub struct UnexpectedFile {
    /// The path of the session's file.
    pub path: PathBuf,
    /// The type of what was found there.
    pub kind: FileKind,
}

/// The type of what was found in a file's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FileKind {
    /// A regular file in the place of the keeper's socket.
    File,
    Link,
    Fifo,
    Directory,
    Socket,
    /// A character or block device.
    Device,
}

impl std::fmt::Display for FileKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Link => "a symbolic link",
            Self::Fifo => "a named pipe (FIFO)",
            Self::Directory => "a directory",
            Self::Socket => "a socket",
            Self::Device => "a device",
        })
    }
}

impl UnexpectedFile {
    /// Whether `error`, or a cause of it, is an [`UnexpectedFile`].
    pub fn is_in(error: &(dyn std::error::Error + 'static)) -> bool {
        Self::find_in(error).is_some()
    }

    /// The first [`UnexpectedFile`] among `error` and its causes.
    pub fn find_in<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Self> {
        // An `io::Error` that wraps another error has that error's cause as its own, so the wrapped
        // error itself is checked too.
        let carried = |error: &'a (dyn std::error::Error + 'static)| match error
            .downcast_ref::<io::Error>()
        {
            Some(io) => io
                .get_ref()
                .map_or(error, |inner| inner as &(dyn std::error::Error + 'static)),
            None => error,
        };
        let causes =
            std::iter::successors(Some(carried(error)), |error| error.source().map(carried));
        causes
            .into_iter()
            .find_map(|error| error.downcast_ref::<Self>())
    }
}

/// Opens a regular file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    open_as(OpenOptions::new().read(true), path)
}

/// Reads a whole regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let mut bytes = Vec::with_capacity(
        file.metadata()
            .map_or(0, |meta| usize::try_from(meta.len()).unwrap_or(0)),
    );
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file for appending that only the user can read: output and prompts may contain secrets.
pub fn append(path: &Path) -> io::Result<File> {
    open_as(OpenOptions::new().append(true).create(true), path)
}

/// Replaces a file's content; only the user can read the file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    open_as(
        OpenOptions::new().write(true).create(true).truncate(true),
        path,
    )?
    .write_all(content.as_ref())
}

/// The first of `names` in `folder` that exists and is not a regular file. Opens nothing.
pub fn find_unexpected_file<'a>(
    folder: &Path,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<UnexpectedFile> {
    names.into_iter().find_map(|name| {
        require_regular_file(
            &folder.join(name),
            &folder.join(name).symlink_metadata().ok()?,
        )
        .err()
    })
}

/// Returns what was found in the place of the keeper's socket, if it is not a socket. No keeper
/// will ever answer there.
pub(crate) fn find_non_socket(path: &Path) -> Option<UnexpectedFile> {
    let kind = file_kind(path.symlink_metadata().ok()?.file_type()).unwrap_or(FileKind::File);
    (kind != FileKind::Socket).then(|| UnexpectedFile {
        path: path.to_owned(),
        kind,
    })
}

fn open_as(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let file = options
        .mode(0o600)
        .custom_flags(flags.bits())
        .open(path)
        .map_err(|error| or_unexpected_file(error, path))?;
    require_regular_file(path, &file.metadata()?).map_err(io::Error::other)?;
    Ok(file)
}

/// Converts errors caused by an unexpected file: `ELOOP` for a link, `ENXIO` for a FIFO without a
/// reader or for a socket, `EISDIR` for a directory.
fn or_unexpected_file(error: io::Error, path: &Path) -> io::Error {
    let codes = [
        Errno::ELOOP,
        Errno::ENXIO,
        Errno::EISDIR,
        Errno::ENODEV,
        Errno::EACCES,
    ]
    .map(|code| code as i32);
    let may_be_unexpected = error
        .raw_os_error()
        .is_some_and(|code| codes.contains(&code));
    let found = path.symlink_metadata().ok().filter(|_| may_be_unexpected);
    found
        .and_then(|meta| require_regular_file(path, &meta).err())
        .map_or(error, io::Error::other)
}

fn require_regular_file(path: &Path, meta: &Metadata) -> Result<(), UnexpectedFile> {
    let kind = file_kind(meta.file_type());
    kind.map_or(Ok(()), |kind| {
        Err(UnexpectedFile {
            path: path.to_owned(),
            kind,
        })
    })
}

/// `None` for a regular file.
fn file_kind(file_type: FileType) -> Option<FileKind> {
    match () {
        () if file_type.is_file() => None,
        () if file_type.is_symlink() => Some(FileKind::Link),
        () if file_type.is_fifo() => Some(FileKind::Fifo),
        () if file_type.is_dir() => Some(FileKind::Directory),
        () if file_type.is_socket() => Some(FileKind::Socket),
        () => Some(FileKind::Device),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::Mode;

    use super::*;

    fn found(outcome: io::Result<impl std::fmt::Debug>) -> FileKind {
        UnexpectedFile::find_in(&outcome.unwrap_err()).unwrap().kind
    }

    #[test]
    fn only_regular_files_are_opened_without_blocking() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("secret"), "secret").unwrap();
        symlink(at("secret"), at("link")).unwrap();
        nix::unistd::mkfifo(&at("fifo"), Mode::S_IRWXU).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        let kinds = [
            ("link", FileKind::Link),
            ("fifo", FileKind::Fifo),
            ("folder", FileKind::Directory),
            ("socket", FileKind::Socket),
        ];
        for (name, kind) in kinds {
            assert_eq!(found(open(&at(name))), kind);
            assert_eq!(found(read(&at(name))), kind);
            assert_eq!(found(append(&at(name))), kind);
            assert_eq!(found(write(&at(name), "x")), kind);
            assert_eq!(
                find_unexpected_file(folder.path(), ["none", "secret", name])
                    .unwrap()
                    .kind,
                kind
            );
        }
        assert_eq!(found(open(Path::new("/dev/zero"))), FileKind::Device);
        assert_eq!(
            std::fs::read(at("secret")).unwrap(),
            b"secret",
            "nothing was written through the link"
        );
    }

    #[test]
    fn regular_file_is_written_with_private_permissions() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        write(&path, "one\ntwo\n").unwrap();
        write(&path, "one\n").unwrap();
        append(&path).unwrap().write_all(b"three\n").unwrap();
        assert_eq!(read(&path).unwrap(), b"one\nthree\n");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            open(&folder.path().join("none")).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        assert!(find_unexpected_file(folder.path(), ["output", "none"]).is_none());
    }

    #[test]
    fn unexpected_file_is_found_in_error_chain() {
        let refused = crate::ExitError::Io(io::Error::other(UnexpectedFile {
            path: "exit.json".into(),
            kind: FileKind::Fifo,
        }));
        let wrapped = io::Error::other(crate::LivenessError::from(refused));
        assert_eq!(
            UnexpectedFile::find_in(&wrapped).unwrap().kind,
            FileKind::Fifo
        );
        assert!(!UnexpectedFile::is_in(&io::Error::from(
            io::ErrorKind::NotFound
        )));
    }
}
