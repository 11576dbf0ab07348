//! Reading ahead in timelines of any length.

use std::sync::mpsc::channel;

use super::*;

/// Each entry is a byte, and reading one takes a millisecond.
struct Slow {
    read: u64,
    size: u64,
    fails_at: Option<u64>,
    ahead: bool,
}

impl Slow {
    fn of(size: u64) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            read: 0,
            size,
            fails_at: None,
            ahead: false,
        }))
    }
}

impl ReadAhead for Slow {
    type Error = u64;

    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> Result<(), u64> {
        while self.read < self.size {
            if self.fails_at == Some(self.read) {
                return Err(self.read);
            }
            self.read += 1;
            std::thread::sleep(Duration::from_millis(1));
            if enough(self.read) {
                break;
            }
        }
        Ok(())
    }

    fn unread(&self) -> Option<TimelineReading> {
        (self.read < self.size).then_some(TimelineReading {
            read: self.read,
            size: self.size,
        })
    }

    fn is_reading_ahead(&mut self) -> &mut bool {
        &mut self.ahead
    }
}

fn ask(
    slow: &Arc<Mutex<Slow>>,
    wanted: ReadTarget,
    on_progress: impl Fn() + Send + 'static,
) -> Result<Option<u64>, u64> {
    let mut locked = slow.lock().expect("not poisoned");
    read_until(slow, &mut locked, wanted, on_progress)
        .map(|unread| unread.map(|unread| unread.read))
}

#[test]
fn first_entries_return_immediately() {
    let slow = Slow::of(1_000);
    let (sender, progress) = channel();
    let on_progress = move || sender.send(()).unwrap_or_default();
    let begun = Instant::now();
    let first = ask(&slow, ReadTarget::Entry(0), on_progress).expect("readable");
    assert!(
        first.is_some_and(|read| read > 0),
        "a long timeline is not read completely"
    );
    assert!(
        begun.elapsed() >= MAX_WAIT,
        "everything that can be read within the wait is read"
    );
    let again = ask(&slow, ReadTarget::Entry(0), || ()).expect("readable");
    assert!(again >= first, "{again:?} after {first:?}");
    let mut updates = 0;
    while progress.recv_timeout(Duration::from_secs(60)).is_ok() {
        updates += 1;
    }
    assert!(
        updates >= 2,
        "reported during the read and at its end: {updates}"
    );
    assert_eq!(ask(&slow, ReadTarget::Entry(0), || ()), Ok(None));
    assert!(!slow.lock().expect("not poisoned").ahead);
}

#[test]
fn late_entries_are_waited_for() {
    let slow = Slow::of(600);
    let read = ask(&slow, ReadTarget::Entry(400), || ()).expect("readable");
    assert!(read.is_none_or(|read| read > 400), "{read:?}");
    assert_eq!(ask(&slow, ReadTarget::from(-1), || ()), Ok(None));
}

#[test]
fn short_timeline_is_read_without_thread() {
    let slow = Slow::of(3);
    assert_eq!(
        ask(&slow, ReadTarget::from(0), || unreachable!(
            "there is nothing to report"
        )),
        Ok(None)
    );
}

#[test]
fn read_error_is_reported_and_dropped_timeline_stops() {
    let slow = Slow::of(2_000);
    slow.lock().expect("not poisoned").fails_at = Some(300);
    let (sender, progress) = channel();
    assert!(
        ask(&slow, ReadTarget::Entry(0), move || sender
            .send(())
            .unwrap_or_default())
        .is_ok_and(|read| read.is_some())
    );
    while progress.recv_timeout(Duration::from_secs(60)).is_ok() {}
    assert_eq!(ask(&slow, ReadTarget::Entry(0), || ()), Err(300));

    let slow = Slow::of(1_000_000);
    let (sender, progress) = channel::<()>();
    assert!(
        ask(&slow, ReadTarget::Entry(0), move || sender
            .send(())
            .unwrap_or_default())
        .is_ok_and(|read| read.is_some())
    );
    drop(slow);
    while progress.recv_timeout(Duration::from_secs(60)).is_ok() {}
    assert!(
        progress
            .try_recv()
            .is_err_and(|error| error == std::sync::mpsc::TryRecvError::Disconnected)
    );
}
