//! The thread for the work that Baton does by itself.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use baton_model::{PlanId, RunId};

/// What wakes the thread.
pub(crate) enum Wake {
    /// A run's own row changed: it may have ended.
    Run { run: RunId, plan: PlanId },
    /// Baton is being closed.
    Close,
}

/// What the running thread receives.
pub(crate) struct Wakes {
    pub(crate) received: Receiver<Wake>,
    is_closing: Arc<AtomicBool>,
}

impl Wakes {
    /// Whether the thread should stop before it has finished.
    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }
}

/// The thread, until it is stopped.
#[derive(Default)]
pub(crate) struct HousekeepingThread {
    is_closing: Arc<AtomicBool>,
    running: Mutex<Option<(Sender<Wake>, JoinHandle<()>)>>,
}

impl HousekeepingThread {
    /// Starts the thread with `work`. Returns what wakes it.
    pub(crate) fn start(
        &self,
        work: impl FnOnce(&Wakes) + Send + 'static,
    ) -> io::Result<Sender<Wake>> {
        let (sender, received) = channel();
        let wakes = Wakes {
            received,
            is_closing: Arc::clone(&self.is_closing),
        };
        let builder = thread::Builder::new().name("housekeeping".to_owned());
        let thread = builder.spawn(move || work(&wakes))?;
        *self.lock() = Some((sender.clone(), thread));
        Ok(sender)
    }

    /// Stops the thread and waits for it. What it was doing is continued by the next one.
    pub(crate) fn stop(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        let Some((sender, thread)) = self.lock().take() else {
            return;
        };
        let _ended = sender.send(Wake::Close);
        // The last handle may be dropped by the thread itself, which can't wait for itself.
        if thread.thread().id() != thread::current().id() {
            let _panicked = thread.join();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Sender<Wake>, JoinHandle<()>)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
