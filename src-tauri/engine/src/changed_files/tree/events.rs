//! Reads events from the watch and marks the affected files.

use super::super::file_state::Touch;
use super::super::inotify::{TreeEvent, TreeWatch, join};
use super::Tree;
use super::bounds::WITHOUT_BOUNDS;
use super::folder_kind::Folder;
use super::scan::Scan;

impl Tree {
    /// Reads the events so far, but no file.
    pub(crate) fn drain(&mut self) {
        while let Some(events) = self
            .watch
            .as_mut()
            .map(TreeWatch::read)
            .filter(|events| !events.is_empty())
        {
            for event in events {
                self.handle_event(event);
            }
        }
    }

    fn handle_event(&mut self, event: TreeEvent) {
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
                self.rules_changed |=
                    self.git.is_some() && path.rsplit('/').next() == Some(".gitignore");
                self.touch(path, Touch::Written);
            }
        }
    }

    /// A directory may have been filled before its watch existed: everything in it counts as
    /// written.
    fn arrived(&mut self, path: String) {
        self.left.push(path.clone());
        let mut scan = Scan::comparing(WITHOUT_BOUNDS, true);
        let name = path.rsplit('/').next().unwrap_or(&path);
        let kind = match self.folder(&path, name) {
            Folder::Unclear => self
                .classify_folders(vec![path.clone()])
                .pop()
                .map_or(Folder::Skipped, |(_, kind)| kind),
            kind => kind,
        };
        match kind {
            Folder::Open => self.lost |= self.scan(path, &mut scan).is_err(),
            Folder::Scanned => _ = self.scanned.insert(path),
            Folder::Skipped | Folder::Unclear => {}
        }
        self.touch_found(scan, Touch::Written);
    }

    pub(super) fn touch(&mut self, path: String, touch: Touch) {
        let seen = self.touched.entry(path).or_insert(touch);
        *seen = touch.max(*seen);
    }

    pub(super) fn touch_found(&mut self, scan: Scan, touch: Touch) {
        for path in scan.found.into_iter().flatten() {
            self.touch(path, touch);
        }
    }

    pub(super) fn touch_known_below(&mut self, path: &str, touch: Touch) {
        let below = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        let is_inside = |folder: &str| folder == path || folder.starts_with(&below);
        let folders = self
            .folders
            .range(path.to_owned()..)
            .take_while(|(folder, _)| folder.starts_with(path));
        let known: Vec<String> = folders
            .filter(|(folder, _)| is_inside(folder))
            .flat_map(|(folder, files)| files.keys().map(move |name| join(folder, name)))
            .collect();
        for path in known {
            self.touch(path, touch);
        }
    }
}
