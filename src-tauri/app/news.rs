//! Passes on to the page what has changed.

use std::thread;
use std::time::{Duration, Instant};

use baton_api::Changes;
use baton_api::wire::Change;
use tauri::{AppHandle, Emitter};

use crate::door::Door;

/// The name of the event, as the page listens to it.
const EVENT: &str = "baton-event";
/// One frame at 60 a second: the page cannot show more often, and what repeats meanwhile is said once.
const FRAME: Duration = Duration::from_millis(16);
/// So much in one frame is not told one by one.
const MOST: usize = 200;

/// Tells `window` of changes, from a thread of its own, as soon as Baton is open.
pub(crate) fn forward(door: Door, window: AppHandle) {
    thread::spawn(move || {
        let changes = door.wait().changes();
        while let Some(first) = changes.recv() {
            for change in frame(first, &changes) {
                if let Err(error) = window.emit(EVENT, &change) {
                    tracing::warn!(%error, "a change could not be told to the window");
                }
            }
        }
    });
}

/// What changes until the frame is over, each once; everything, when it is too much.
fn frame(first: Change, changes: &Changes) -> Vec<Change> {
    let end = Instant::now() + FRAME;
    let mut frame = vec![first];
    while let Ok(Some(change)) = changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
        // A frame that is full already still swallows what comes.
        if frame.len() <= MOST && !frame.contains(&change) {
            frame.push(change);
        }
    }
    if frame.len() > MOST { vec![Change::All] } else { frame }
}
