//! The mounts of a program: an empty folder over the data directory, with the session's own files
//! in it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::mount::{MsFlags, mount};
use nix::sys::statvfs::{FsFlags, statvfs};

use super::{FailedStep, errno_of};
use crate::sandbox::{Sandbox, SandboxStep};

/// A folder of further ssh configuration.
const SSH_CONFIG: &str = "/etc/ssh/ssh_config.d";
/// Configuration files are never larger.
const LARGEST_CONFIG: u64 = 64 * 1024;
const NO_SOURCE: Option<&Path> = None;

/// A file or folder below the hidden one, held open while that is mounted over.
struct PreservedPath {
    file: File,
    is_folder: bool,
    is_writable: bool,
    path: PathBuf,
}

/// Changes the mounts of this process, which must be in its own mount namespace.
pub(super) fn confine(sandbox: &Sandbox, is_root: bool) -> Result<(), FailedStep> {
    let kept = open_preserved(sandbox)?;
    hide(&sandbox.hidden).map_err(FailedStep::at(SandboxStep::Hide, &sandbox.hidden))?;
    for one in &kept {
        bind_preserved(one).map_err(FailedStep::at(SandboxStep::Keep, &one.path))?;
    }
    let read_only = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    let sealed = mount(
        NO_SOURCE,
        &sandbox.hidden,
        NO_SOURCE,
        read_only | MsFlags::MS_NOSUID | MsFlags::MS_NODEV,
        NO_SOURCE,
    );
    sealed.map_err(FailedStep::at(SandboxStep::Hide, &sandbox.hidden))?;
    for folder in &sandbox.read_only {
        freeze(folder).map_err(FailedStep::at(SandboxStep::ReadOnly, folder))?;
    }
    if !is_root {
        let ssh = Path::new(SSH_CONFIG);
        own_configuration(ssh).map_err(FailedStep::at(SandboxStep::Keep, ssh))?;
    }
    Ok(())
}

fn open_preserved(sandbox: &Sandbox) -> Result<Vec<PreservedPath>, FailedStep> {
    if let Some(output) = &sandbox.output {
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(output);
        if let Err(error) = made.as_ref()
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(FailedStep::at(SandboxStep::Keep, output)(errno_of(error)));
        }
    }
    let writable = sandbox
        .output
        .iter()
        .chain(&sandbox.writable)
        .map(|path| (path, true));
    let readable = sandbox.readable.iter().map(|path| (path, false));
    writable
        .chain(readable)
        .filter_map(|(path, is_writable)| open(path, is_writable).transpose())
        .collect()
}

/// Opens without following a link in the last component; anything but a file or folder is skipped.
fn open(path: &Path, is_writable: bool) -> Result<Option<PreservedPath>, FailedStep> {
    let flags = (OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC).bits();
    let stopped = |error: io::Error| FailedStep::at(SandboxStep::Keep, path)(errno_of(&error));
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(stopped(error)),
    };
    let kind = file.metadata().map_err(stopped)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(FailedStep::at(SandboxStep::Keep, path)(Errno::EINVAL));
    }
    Ok(Some(PreservedPath {
        file,
        is_folder: kind.is_dir(),
        is_writable,
        path: path.to_owned(),
    }))
}

fn hide(folder: &Path) -> Result<(), Errno> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("baton"),
        folder,
        Some("tmpfs"),
        flags,
        Some("mode=0700"),
    )
}

fn bind_preserved(kept: &PreservedPath) -> Result<(), Errno> {
    let made = if kept.is_folder {
        fs::create_dir_all(&kept.path)
    } else {
        kept.path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::create(&kept.path).map(drop))
    };
    made.map_err(|error| errno_of(&error))?;
    let source = PathBuf::from(format!("/proc/self/fd/{}", kept.file.as_raw_fd()));
    mount(
        Some(&source),
        &kept.path,
        NO_SOURCE,
        MsFlags::MS_BIND | MsFlags::MS_REC,
        NO_SOURCE,
    )?;
    if kept.is_writable {
        Ok(())
    } else {
        make_read_only(&kept.path)
    }
}

/// Makes a folder read-only, and pins the one above it: renaming that would move the folder away.
fn freeze(folder: &Path) -> Result<(), Errno> {
    let Some(above) = folder.parent().filter(|above| above.is_dir()) else {
        return Ok(());
    };
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(errno_of(&error)),
        _ => {}
    }
    for path in [above, folder] {
        mount(
            Some(path),
            path,
            NO_SOURCE,
            MsFlags::MS_BIND | MsFlags::MS_REC,
            NO_SOURCE,
        )?;
    }
    make_read_only(folder)
}

/// Keeps the existing restrictions of a mount: removing one is not allowed here, and would fail.
fn make_read_only(path: &Path) -> Result<(), Errno> {
    let standing = statvfs(path)?.flags();
    let restrictions = [
        (FsFlags::ST_NOSUID, MsFlags::MS_NOSUID),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    let kept = restrictions
        .into_iter()
        .filter(|(has, _)| standing.contains(*has))
        .map(|(_, flag)| flag);
    let flags = kept.fold(
        MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY,
        |all, one| all | one,
    );
    mount(NO_SOURCE, path, NO_SOURCE, flags, NO_SOURCE)
}

/// Makes this user the owner of the files in a folder: in the namespace, root's files belong to
/// `nobody`, and ssh only reads configuration of root and its own user.
fn own_configuration(folder: &Path) -> Result<(), Errno> {
    let files: Vec<(PathBuf, Vec<u8>, u32)> = read_configuration(folder);
    if files.is_empty() {
        return Ok(());
    }
    mount(
        Some("baton"),
        folder,
        Some("tmpfs"),
        MsFlags::MS_NOSUID | MsFlags::MS_NODEV,
        Some("mode=0755"),
    )?;
    for (path, text, mode) in files {
        let written = fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, PermissionsExt::from_mode(mode)));
        written.map_err(|error| errno_of(&error))?;
    }
    Ok(())
}

fn read_configuration(folder: &Path) -> Vec<(PathBuf, Vec<u8>, u32)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let file = |path: PathBuf| {
        let known = path
            .metadata()
            .ok()
            .filter(|known| known.is_file() && known.len() <= LARGEST_CONFIG)?;
        Some((
            path.clone(),
            fs::read(path).ok()?,
            known.permissions().mode() & 0o755,
        ))
    };
    paths.filter_map(file).collect()
}
