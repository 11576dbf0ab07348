//! Who works in the same directory at the same time: their changes are not to be told apart.
//!
//! Known for the sessions that this process follows. After a crash those that live are found again; one that ended
//! before is not remembered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use baton_model::SessionId;

/// The sessions that are followed, by where they work.
#[derive(Clone, Default)]
pub(crate) struct Neighbours {
    present: Arc<Mutex<Vec<Neighbour>>>,
}

struct Neighbour {
    session: SessionId,
    title: String,
    root: PathBuf,
    met: BTreeSet<String>,
}

impl Neighbours {
    /// `session` works below `root` from here on, until the presence is dropped.
    pub(crate) fn enter(&self, session: SessionId, title: &str, root: &Path) -> Presence {
        let mut present = self.lock();
        let mut met = BTreeSet::new();
        for other in present.iter_mut().filter(|other| shares(&other.root, root)) {
            other.met.insert(title.to_owned());
            met.insert(other.title.clone());
        }
        present.push(Neighbour { session, title: title.to_owned(), root: root.to_path_buf(), met });
        drop(present);
        Presence { neighbours: self.clone(), session }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Neighbour>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether work in the one directory may change files of the other.
fn shares(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// A session that works in a directory.
pub(crate) struct Presence {
    neighbours: Neighbours,
    session: SessionId,
}

impl Presence {
    /// The titles of those that worked there meanwhile, in the order of the alphabet.
    pub(crate) fn met(&self) -> Vec<String> {
        let present = self.neighbours.lock();
        let own = present.iter().find(|neighbour| neighbour.session == self.session);
        own.map(|own| own.met.iter().cloned().collect()).unwrap_or_default()
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.neighbours.lock().retain(|neighbour| neighbour.session != self.session);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(number: u128) -> SessionId {
        SessionId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn those_who_work_in_one_tree_meet_and_others_do_not() {
        let neighbours = Neighbours::default();
        let first = neighbours.enter(session(1), "First", Path::new("/w"));
        let below = neighbours.enter(session(2), "Below", Path::new("/w/app"));
        let other = neighbours.enter(session(3), "Other", Path::new("/work"));
        assert_eq!((first.met(), below.met()), (vec!["Below".to_owned()], vec!["First".to_owned()]));
        assert_eq!(other.met(), Vec::<String>::new());
        drop(below);
        let late = neighbours.enter(session(4), "Late", Path::new("/w"));
        assert_eq!(late.met(), ["First"], "who has left is met by nobody any more");
        assert_eq!(first.met(), ["Below", "Late"], "and remembered by those who met them");
    }
}
