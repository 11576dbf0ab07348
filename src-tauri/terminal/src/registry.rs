//! The open terminals of this process: one for each place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use baton_model::TerminalId;
use uuid::Uuid;

use crate::error::TerminalError;
use crate::shell::Shell;
use crate::size::TerminalSize;
use crate::terminal::{Terminal, TerminalListener};

/// More open terminals than this are a mistake.
const MAX_TERMINALS: usize = 32;

/// The terminals by what they belong to.
pub struct Terminals<Place> {
    open: Mutex<Vec<(Place, Arc<Terminal>)>>,
}

impl<Place> Default for Terminals<Place> {
    fn default() -> Self {
        Self {
            open: Mutex::default(),
        }
    }
}

impl<Place: Clone + PartialEq> Terminals<Place> {
    /// The terminal of `place`: the running one, or a new one.
    pub fn open(
        &self,
        place: Place,
        shell: &Shell,
        size: TerminalSize,
        listener: TerminalListener,
    ) -> Result<Arc<Terminal>, TerminalError> {
        let mut open = self.lock();
        let running = open
            .iter()
            .find(|(known, terminal)| *known == place && terminal.end().is_none());
        if let Some((_, terminal)) = running {
            return Ok(Arc::clone(terminal));
        }
        open.retain(|(known, _)| *known != place);
        if open.len() >= MAX_TERMINALS {
            return Err(TerminalError::TooMany(MAX_TERMINALS));
        }
        let id = TerminalId(Uuid::new_v4());
        let terminal = Arc::new(Terminal::open(id, shell, size, listener)?);
        open.push((place, Arc::clone(&terminal)));
        Ok(terminal)
    }

    /// The terminal with this id.
    pub fn get(&self, id: TerminalId) -> Result<Arc<Terminal>, TerminalError> {
        let open = self.lock();
        let found = open.iter().find(|(_, terminal)| terminal.id() == id);
        found
            .map(|(_, terminal)| Arc::clone(terminal))
            .ok_or(TerminalError::NotFound)
    }

    /// All terminals, also ended ones that were not closed, in the order in which they were opened.
    #[must_use]
    pub fn list(&self) -> Vec<(Place, Arc<Terminal>)> {
        self.lock().clone()
    }

    /// Ends a terminal and forgets it.
    pub fn close(&self, id: TerminalId) -> Result<(), TerminalError> {
        let terminal = self.get(id)?;
        self.lock().retain(|(_, known)| known.id() != id);
        // Takes a moment, in which others can be used.
        terminal.close();
        Ok(())
    }

    /// Ends all terminals.
    pub fn close_all(&self) {
        let all = std::mem::take(&mut *self.lock());
        thread::scope(|scope| {
            for (_, terminal) in &all {
                scope.spawn(|| terminal.close());
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Place, Arc<Terminal>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
