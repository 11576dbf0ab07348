//! The thread that keeps files: it waits for saved plans, for changed files and for the switch.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use baton_store::Change;

use super::wake::{Wake, forward, gather};
use super::watched_folders::WatchedFolders;
use crate::{Context, WeakContext};

/// Ends the thread when the store, which owns this, is closed.
struct CloseOnDrop(Sender<Wake>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ended = self.0.send(Wake::Close);
    }
}

/// Starts the thread. It ends when Baton is closed.
pub fn follow(context: &Context) -> io::Result<()> {
    let (sender, wakes) = channel();
    let store = CloseOnDrop(sender.clone());
    context.store.listen(move |change| {
        let wake = match change {
            Change::PlanChanged { plan, .. } => Wake::Plan(*plan),
            Change::RunChanged {
                plan, whole: true, ..
            } => Wake::Run(*plan),
            Change::SettingsChanged => Wake::Switches,
            Change::Everything => Wake::All,
            _ => return true,
        };
        store.0.send(wake).is_ok()
    });
    let weak = context.weak();
    std::thread::Builder::new()
        .name("plan-files".to_owned())
        .spawn(move || {
            if let Err(error) = run(&weak, sender, &wakes) {
                tracing::error!(%error, "couldn't watch plan files");
            }
        })?;
    Ok(())
}

fn run(weak: &WeakContext, sender: Sender<Wake>, wakes: &Receiver<Wake>) -> notify::Result<()> {
    let watcher = notify::recommended_watcher(move |event| forward(event, &sender))?;
    let mut folders = WatchedFolders::new(watcher);
    if let Some(context) = weak.upgrade() {
        folders.update(&context);
    }
    while let Ok(first) = wakes.recv() {
        let batch = gather(first, wakes);
        let context = weak.upgrade().filter(|_| !batch.contains(&Wake::Close));
        let Some(context) = context else {
            return Ok(());
        };
        folders.handle(&context, &batch);
    }
    Ok(())
}
