//! The files of a directory as they were seen last, and which of them changed since.
//!
//! Directories are watched where a watch serves, so that looking again costs what changed. What cannot be watched is
//! compared file by file. Folders that tools fill with what they can make again take no watches.
//!
//! What remains untold: a file that is written through another name outside of the tree, and one that a process that
//! outlives its attempt has mapped, until it is unmapped.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::file_state::{FileFacts, FileState, READ_LIMIT, TICK, Touch};
use super::git_rules::GitRules;
use super::inotify::{TreeEvent, TreeWatch, WatchError, join};
use super::mounts::Mounts;

/// Folders that are not looked into, except in git, which says itself what it ignores.
pub(super) const PASSED_OVER: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "target",
    ".venv",
    "venv",
    "__pycache__",
    ".cache",
    ".tox",
    ".gradle",
    ".next",
    ".turbo",
];
/// Folders that would take too many watches. Where git does not ignore them they are compared file by file.
const UNWATCHED: [&str; 2] = ["node_modules", "target"];
/// How many files are looked at when the tree is opened. The others are listed, and their dates tell the rest.
const FACTS_AT_FIRST: usize = 10_000;
/// How many files are read when the tree is opened. Of those that did not change since, git's index knows the content.
const READS_AT_FIRST: usize = 2_000;
/// How much is read of them together.
const BYTES_AT_FIRST: u64 = 16 * 1024 * 1024;
/// How many files with several names are looked at each time.
const LINKED_LIMIT: usize = 2_000;

/// How much of a directory is looked at before it counts as too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The most files and folders.
    pub(crate) entries: usize,
    /// The longest time.
    pub(crate) time: Duration,
}

/// Why a directory is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    /// More than the bounds allow.
    #[error("the directory is too large to look at: more than {entries} files, or slow to read")]
    TooLarge {
        /// The bound.
        entries: usize,
    },
    /// The directory itself cannot be read.
    #[error("the directory cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// A file that is another one than before, or that was made and removed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Where it is, relative to the root.
    pub(crate) path: String,
    /// How it was, if it was there.
    pub(crate) before: Option<FileState>,
    /// How it is, if it is there.
    pub(crate) after: Option<FileState>,
}

/// The files below a root.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    data_directory: PathBuf,
    git: Option<GitRules>,
    identity: (u64, u64),
    folders: BTreeMap<String, HashMap<Box<str>, FileState>>,
    watch: Option<TreeWatch>,
    /// The folders that are compared file by file; the root is the empty path.
    scanned: BTreeSet<String>,
    ignored: BTreeSet<String>,
    linked: BTreeSet<String>,
    /// Files that were only listed and have not changed since then are as they were at first.
    opened: i64,
    touched: HashMap<String, Touch>,
    left: Vec<String>,
    lost: bool,
    rules_changed: bool,
}

/// How a tree was at some time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// When it was opened.
    pub(crate) opened: i64,
    /// The files of each folder.
    pub(crate) folders: BTreeMap<String, HashMap<Box<str>, FileState>>,
}

impl Known {
    /// Applies one change to the tree.
    pub(crate) fn apply(&mut self, Change { path, after, .. }: Change) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let files = self.folders.entry(folder.to_owned()).or_default();
        match after {
            Some(state) => _ = files.insert(name.into(), state),
            None => _ = files.remove(name),
        }
    }
}

/// Whether the directories of a tree may be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watching {
    /// Where a watch serves.
    Allowed,
    /// Never.
    #[cfg(test)]
    Never,
    /// With so many watches.
    #[cfg(test)]
    UpTo(usize),
}

/// One walk through folders.
struct Survey {
    left: usize,
    until: Instant,
    bounds: Bounds,
    facts_left: usize,
    reads_left: usize,
    bytes_left: u64,
    /// What was found, where it is to be compared; otherwise it is taken as it is.
    found: Option<Vec<String>>,
    watches: bool,
}

/// What a folder is to a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folder {
    Skipped,
    Open,
    Scanned,
    /// Git has to be asked whether it ignores it.
    Unclear,
}

impl Survey {
    fn new(bounds: Bounds) -> Self {
        Self {
            left: bounds.entries,
            until: Instant::now() + bounds.time,
            bounds,
            facts_left: 0,
            reads_left: 0,
            bytes_left: 0,
            found: None,
            watches: false,
        }
    }

    fn comparing(bounds: Bounds, watches: bool) -> Self {
        Self { found: Some(Vec::new()), watches, ..Self::new(bounds) }
    }

    fn count(&mut self, entries: usize) -> Result<(), TreeError> {
        self.left = self.left.checked_sub(entries).ok_or(TreeError::TooLarge { entries: self.bounds.entries })?;
        match Instant::now() > self.until {
            true => Err(TreeError::TooLarge { entries: self.bounds.entries }),
            false => Ok(()),
        }
    }
}

impl Tree {
    /// The files below `root` without those below `data_directory`, which are Baton's own.
    pub(crate) fn open(
        root: &Path,
        data_directory: &Path,
        git: Option<GitRules>,
        watching: Watching,
        bounds: Bounds,
    ) -> Result<Self, TreeError> {
        let meta = fs::metadata(root)?;
        let mounts = Mounts::of(root);
        let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut tree = Self {
            root: root.to_path_buf(),
            data_directory: data_directory.to_path_buf(),
            git,
            identity: (meta.dev(), meta.ino()),
            folders: BTreeMap::new(),
            watch: (!mounts.root_is_remote).then(|| watch_of(root, watching)).flatten(),
            scanned: mounts.remote_below.into_iter().collect(),
            ignored: BTreeSet::new(),
            linked: BTreeSet::new(),
            opened: i64::try_from(clock.saturating_sub(TICK).as_nanos()).unwrap_or(i64::MAX),
            touched: HashMap::new(),
            left: Vec::new(),
            lost: false,
            rules_changed: false,
        };
        let bounds = tree.bounds(bounds);
        let mut survey = Survey { facts_left: FACTS_AT_FIRST, watches: tree.watch.is_some(), ..Survey::new(bounds) };
        (survey.reads_left, survey.bytes_left) = (READS_AT_FIRST, BYTES_AT_FIRST);
        if tree.watch.is_none() {
            tree.scan_everything(&mut survey);
        }
        drop(fs::read_dir(root)?);
        tree.survey(String::new(), &mut survey)?;
        Ok(tree)
    }

    /// The tree as it was when `known` was taken: what changed since is among the next changes.
    pub(crate) fn resume(
        root: &Path,
        data_directory: &Path,
        git: Option<GitRules>,
        known: Known,
    ) -> Result<Self, TreeError> {
        let meta = fs::metadata(root)?;
        let mounts = Mounts::of(root);
        let mut tree = Self {
            root: root.to_path_buf(),
            data_directory: data_directory.to_path_buf(),
            git,
            identity: (meta.dev(), meta.ino()),
            folders: known.folders,
            watch: None,
            scanned: mounts.remote_below.into_iter().collect(),
            ignored: BTreeSet::new(),
            linked: BTreeSet::new(),
            opened: known.opened,
            touched: HashMap::new(),
            left: Vec::new(),
            lost: !mounts.root_is_remote,
            rules_changed: false,
        };
        if mounts.root_is_remote {
            tree.scanned = BTreeSet::from([String::new()]);
        }
        Ok(tree)
    }

    /// All that is known of the files.
    pub(crate) fn known(&self) -> (i64, &BTreeMap<String, HashMap<Box<str>, FileState>>) {
        (self.opened, &self.folders)
    }

    /// A tree that is watched is read once, and may be larger than one that is read each time.
    fn bounds(&self, scanned: Bounds) -> Bounds {
        match self.watch.is_some() || self.lost {
            true if self.git.is_none() => WATCHED,
            true => WITHOUT_BOUNDS,
            false => scanned,
        }
    }

    /// The watch, if there is one.
    pub(crate) fn watch(&self) -> Option<&TreeWatch> {
        self.watch.as_ref()
    }

    /// Whether every look reads the whole tree.
    pub(crate) fn is_scanned(&self) -> bool {
        self.watch.is_none()
    }

    /// What git knows of the tree.
    pub(crate) fn git(&mut self) -> Option<&mut GitRules> {
        self.git.as_mut()
    }

    /// Takes in the events that have come so far. Looks at no file.
    pub(crate) fn drain(&mut self) {
        while let Some(events) = self.watch.as_mut().map(TreeWatch::read).filter(|events| !events.is_empty()) {
            for event in events {
                self.note(event);
            }
        }
    }

    /// What changed since this was asked last.
    pub(crate) fn changes(&mut self, bounds: Bounds) -> Result<Vec<Change>, TreeError> {
        let bounds = self.bounds(bounds);
        if self.watch.is_some() {
            self.drain();
            let meta = fs::metadata(&self.root)?;
            self.lost |= self.identity != (meta.dev(), meta.ino());
        }
        if self.lost {
            self.watch_again(bounds)?;
            self.lost = false;
        }
        if std::mem::take(&mut self.rules_changed) {
            self.reconsider_ignored(bounds)?;
        }
        for path in std::mem::take(&mut self.left) {
            self.touch_known_below(&path, Touch::Written);
        }
        for path in self.scanned.clone() {
            let mut survey = Survey::comparing(bounds, false);
            self.survey(path.clone(), &mut survey)?;
            self.touch_known_below(&path, Touch::Scanned);
            self.touch_found(survey, Touch::Scanned);
        }
        for path in self.linked.iter().take(LINKED_LIMIT).cloned().collect::<Vec<_>>() {
            self.touch(path, Touch::Scanned);
        }
        let touched = std::mem::take(&mut self.touched);
        Ok(touched.into_iter().filter_map(|(path, touch)| self.refresh(path, touch)).collect())
    }

    fn note(&mut self, event: TreeEvent) {
        match event {
            TreeEvent::Lost => self.lost = true,
            TreeEvent::Left(path) => {
                if let Some(watch) = &mut self.watch {
                    watch.forget(&path);
                }
                self.left.push(path);
            }
            TreeEvent::Arrived(path) => self.arrived(path),
            TreeEvent::Attributes(path) => self.touch(path, Touch::Attributes),
            TreeEvent::Written(path) => {
                self.rules_changed |= self.git.is_some() && path.rsplit('/').next() == Some(".gitignore");
                self.touch(path, Touch::Written);
            }
        }
    }

    /// A directory may have been filled before its watch was there: all that is in it counts as written.
    fn arrived(&mut self, path: String) {
        self.left.push(path.clone());
        let mut survey = Survey::comparing(WITHOUT_BOUNDS, true);
        let name = path.rsplit('/').next().unwrap_or(&path);
        let kind = match self.folder(&path, name) {
            Folder::Unclear => self.sorted_out(vec![path.clone()]).pop().map_or(Folder::Skipped, |(_, kind)| kind),
            kind => kind,
        };
        match kind {
            Folder::Open => self.lost |= self.survey(path, &mut survey).is_err(),
            Folder::Scanned => _ = self.scanned.insert(path),
            Folder::Skipped | Folder::Unclear => {}
        }
        self.touch_found(survey, Touch::Written);
    }

    fn touch(&mut self, path: String, touch: Touch) {
        let seen = self.touched.entry(path).or_insert(touch);
        *seen = touch.max(*seen);
    }

    fn touch_found(&mut self, survey: Survey, touch: Touch) {
        for path in survey.found.into_iter().flatten() {
            self.touch(path, touch);
        }
    }

    fn touch_known_below(&mut self, path: &str, touch: Touch) {
        let below = if path.is_empty() { String::new() } else { format!("{path}/") };
        let is_inside = |folder: &str| folder == path || folder.starts_with(&below);
        let folders = self.folders.range(path.to_owned()..).take_while(|(folder, _)| folder.starts_with(path));
        let known: Vec<String> = folders
            .filter(|(folder, _)| is_inside(folder))
            .flat_map(|(folder, files)| files.keys().map(move |name| join(folder, name)))
            .collect();
        for path in known {
            self.touch(path, touch);
        }
    }

    /// Looks at a file again.
    fn refresh(&mut self, path: String, touch: Touch) -> Option<Change> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if path.split('/').any(|part| part == ".git") {
            return None;
        }
        let file = self.locate(&path)?;
        let meta = fs::symlink_metadata(&file).ok().filter(|meta| !meta.is_dir());
        let before = self.folders.get(folder).and_then(|files| files.get(name)).copied();
        let after = meta.map(|meta| {
            let is_as_before = before.as_ref().and_then(FileState::facts).filter(|facts| facts.is_of(&meta));
            is_as_before.copied().unwrap_or_else(|| FileFacts::of(&file, &meta, true))
        });
        if after.is_some_and(|facts| facts.names > 1) {
            self.linked.insert(path.clone());
        }
        match after {
            Some(facts) => {
                let files = self.folders.entry(folder.to_owned()).or_default();
                files.insert(name.into(), FileState::Known(facts));
            }
            None => self.drop_file(folder, name, &path),
        }
        let after = after.map(FileState::Known);
        // Nothing touched it since it was listed, so this is also how it was then.
        let is_old = after.as_ref().and_then(FileState::facts).is_some_and(|facts| facts.changed < self.opened);
        let before = if before == Some(FileState::Listed) && is_old { after } else { before };
        let is_passing = before.is_none() && after.is_none() && touch == Touch::Written;
        let is_change = is_passing || FileState::differs(before.as_ref(), after.as_ref(), touch);
        is_change.then_some(Change { path, before, after })
    }

    fn drop_file(&mut self, folder: &str, name: &str, path: &str) {
        self.linked.remove(path);
        if let Some(files) = self.folders.get_mut(folder) {
            files.remove(name);
            if files.is_empty() {
                self.folders.remove(folder);
            }
        }
    }

    /// Where a file is of which the name may not be text.
    fn locate(&self, path: &str) -> Option<PathBuf> {
        if !path.contains(char::REPLACEMENT_CHARACTER) {
            return Some(self.root.join(path));
        }
        path.split('/').try_fold(self.root.clone(), |folder, name| {
            let is_named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy() == name;
            let found = fs::read_dir(&folder).ok().and_then(|entries| entries.flatten().find(is_named));
            Some(found.map_or_else(|| folder.join(name), |entry| entry.path()))
        })
    }

    /// Gives up the watches: every look reads the whole tree from here on.
    fn scan_everything(&mut self, survey: &mut Survey) {
        self.watch = None;
        self.scanned = BTreeSet::from([String::new()]);
        survey.watches = false;
        survey.facts_left = usize::MAX;
    }

    /// Events were lost, or the root is another directory: watches and files are compared with what is there.
    fn watch_again(&mut self, bounds: Bounds) -> Result<(), TreeError> {
        let meta = fs::metadata(&self.root)?;
        self.identity = (meta.dev(), meta.ino());
        self.watch = watch_of(&self.root, Watching::Allowed);
        let mut survey = Survey::comparing(bounds, self.watch.is_some());
        if self.watch.is_none() {
            self.scan_everything(&mut survey);
        }
        self.survey(String::new(), &mut survey)?;
        self.touch_known_below("", Touch::Scanned);
        self.touch_found(survey, Touch::Scanned);
        Ok(())
    }

    /// What git ignored before and does not ignore any more is taken as it is: nobody changed it by that.
    fn reconsider_ignored(&mut self, bounds: Bounds) -> Result<(), TreeError> {
        let folders = std::mem::take(&mut self.ignored).into_iter().collect();
        let mut survey = Survey { facts_left: usize::MAX, watches: self.watch.is_some(), ..Survey::new(bounds) };
        let mut open = Vec::new();
        for (path, kind) in self.sorted_out(folders) {
            self.sort_in(path, kind, &mut survey, &mut open);
        }
        open.into_iter().try_for_each(|path| self.survey(path, &mut survey))
    }

    /// Walks through the folder at `start` and those below.
    fn survey(&mut self, start: String, survey: &mut Survey) -> Result<(), TreeError> {
        let mut open = vec![start];
        while !open.is_empty() {
            let mut unclear = Vec::new();
            while let Some(folder) = open.pop() {
                self.visit(folder, survey, &mut open, &mut unclear)?;
            }
            for (path, kind) in self.sorted_out(unclear) {
                self.sort_in(path, kind, survey, &mut open);
            }
        }
        Ok(())
    }

    fn visit(
        &mut self,
        folder: String,
        survey: &mut Survey,
        open: &mut Vec<String>,
        unclear: &mut Vec<String>,
    ) -> Result<(), TreeError> {
        match self.watch.as_mut().filter(|_| survey.watches).map(|watch| watch.add(&folder)) {
            None | Some(Ok(())) => {}
            Some(Err(WatchError::Gone)) => return Ok(()),
            Some(Err(WatchError::Limit)) => self.scan_everything(survey),
            Some(Err(WatchError::Ambiguous)) => _ = self.scanned.insert(folder.clone()),
        }
        // What cannot be read, or has gone meanwhile, is the same before and after.
        let Ok(entries) = fs::read_dir(self.root.join(&folder)) else { return Ok(()) };
        let mut files = HashMap::new();
        let mut count = 0;
        for entry in entries.flatten() {
            count += 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == ".git" {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let path = join(&folder, &name);
                match self.folder(&path, &name) {
                    Folder::Unclear => unclear.push(path),
                    kind => self.sort_in(path, kind, survey, open),
                }
            } else if let Some(found) = &mut survey.found {
                found.push(join(&folder, &name));
            } else {
                let state = self.first_look(&entry, &folder, &name, survey);
                files.insert(name.into_boxed_str(), state);
            }
        }
        if !files.is_empty() {
            self.folders.insert(folder, files);
        }
        survey.count(count)
    }

    fn first_look(&mut self, entry: &fs::DirEntry, folder: &str, name: &str, survey: &mut Survey) -> FileState {
        if survey.facts_left == 0 {
            return FileState::Listed;
        }
        survey.facts_left -= 1;
        let Ok(meta) = entry.metadata() else { return FileState::Listed };
        if meta.nlink() > 1 {
            self.linked.insert(join(folder, name));
        }
        let facts = FileFacts::of(&entry.path(), &meta, false);
        let size = meta.len().min(READ_LIMIT);
        let is_in_index = self.git.as_ref().is_some_and(|git| git.is_clean(&join(folder, name), &facts));
        if is_in_index || survey.reads_left == 0 || size > survey.bytes_left {
            return FileState::Known(facts);
        }
        survey.reads_left -= 1;
        survey.bytes_left -= size;
        FileState::Known(FileFacts::of(&entry.path(), &meta, true))
    }

    fn sort_in(&mut self, path: String, kind: Folder, survey: &mut Survey, open: &mut Vec<String>) {
        match kind {
            Folder::Open => open.push(path),
            Folder::Scanned => {
                // Also without a watch it is walked through now, so that it can be compared later.
                let (watches, facts) = (survey.watches, survey.facts_left);
                (survey.watches, survey.facts_left) = (false, usize::MAX);
                if self.survey(path.clone(), survey).is_err() {
                    survey.left = 0;
                }
                (survey.watches, survey.facts_left) = (watches, facts);
                self.scanned.insert(path);
            }
            Folder::Skipped | Folder::Unclear => {}
        }
    }

    fn folder(&self, path: &str, name: &str) -> Folder {
        if name == ".git" || self.root.join(path) == self.data_directory {
            return Folder::Skipped;
        }
        match &self.git {
            None if PASSED_OVER.contains(&name) => Folder::Skipped,
            None => Folder::Open,
            Some(git) if !git.tracks_at_or_below(path) => Folder::Unclear,
            Some(_) if UNWATCHED.contains(&name) && !self.is_scanned() => Folder::Scanned,
            Some(_) => Folder::Open,
        }
    }

    /// What the folders are of which git tracks nothing.
    fn sorted_out(&mut self, folders: Vec<String>) -> Vec<(String, Folder)> {
        let Some(git) = self.git.as_mut().filter(|_| !folders.is_empty()) else { return Vec::new() };
        let ignored = git.ignored(folders.clone());
        self.ignored.extend(ignored.iter().cloned());
        let is_scanned = self.watch.is_none();
        let kind = |path: &str| match path.rsplit('/').next() {
            _ if ignored.contains(path) => Folder::Skipped,
            Some(name) if UNWATCHED.contains(&name) && !is_scanned => Folder::Scanned,
            _ => Folder::Open,
        };
        folders
            .into_iter()
            .map(|path| {
                let kind = kind(&path);
                (path, kind)
            })
            .collect()
    }
}

/// What may be watched outside of git: whoever works in a home directory does not wait for Baton to read it.
const WATCHED: Bounds = Bounds { entries: 1_000_000, time: Duration::from_secs(5) };

/// New directories are followed however many there are: not to follow them would be to miss what is in them.
const WITHOUT_BOUNDS: Bounds = Bounds { entries: usize::MAX, time: Duration::from_secs(24 * 3600) };

fn watch_of(root: &Path, watching: Watching) -> Option<TreeWatch> {
    match watching {
        #[cfg(test)]
        Watching::Never => None,
        #[cfg(test)]
        Watching::UpTo(limit) => {
            let mut watch = TreeWatch::new(root).ok()?;
            watch.set_limit(limit);
            Some(watch)
        }
        Watching::Allowed => TreeWatch::new(root).ok(),
    }
}

/// Whether a path is in a folder that is not looked into outside of git.
pub(super) fn is_passed_over(path: &str) -> bool {
    path.split('/').any(|part| PASSED_OVER.contains(&part))
}
