//! A timeline that is as long as a test wants it to be.

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

impl Ahead for Slow {
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

    fn is_read_ahead(&mut self) -> &mut bool {
        &mut self.ahead
    }
}

fn ask(
    slow: &Arc<Mutex<Slow>>,
    wanted: Wanted,
    tell: impl Fn() + Send + 'static,
) -> Result<Option<u64>, u64> {
    let mut locked = slow.lock().expect("nobody panics");
    read(slow, &mut locked, wanted, tell).map(|unread| unread.map(|unread| unread.read))
}

#[test]
fn the_beginning_is_there_at_once_and_the_rest_follows() {
    let slow = Slow::of(1_000);
    let (sender, told) = channel();
    let tell = move || sender.send(()).unwrap_or_default();
    let begun = Instant::now();
    let first = ask(&slow, Wanted::Entry(0), tell).expect("readable");
    assert!(
        first.is_some_and(|read| read > 0),
        "so long a timeline is not read at once"
    );
    assert!(
        begun.elapsed() >= PATIENCE,
        "what can be read within the patience of a person is read"
    );
    let again = ask(&slow, Wanted::Entry(0), || ()).expect("readable");
    assert!(again >= first, "{again:?} after {first:?}");
    let mut news = 0;
    while told.recv_timeout(Duration::from_secs(60)).is_ok() {
        news += 1;
    }
    assert!(news >= 2, "told on the way, and at the end: {news}");
    assert_eq!(ask(&slow, Wanted::Entry(0), || ()), Ok(None));
    assert!(!slow.lock().expect("nobody panics").ahead);
}

#[test]
fn whoever_asks_for_the_end_or_a_late_entry_waits_for_it() {
    let slow = Slow::of(600);
    let read = ask(&slow, Wanted::Entry(400), || ()).expect("readable");
    assert!(read.is_none_or(|read| read > 400), "{read:?}");
    assert_eq!(ask(&slow, Wanted::from(-1), || ()), Ok(None));
}

#[test]
fn a_short_one_is_read_at_once_and_by_no_thread() {
    let slow = Slow::of(3);
    assert_eq!(
        ask(&slow, Wanted::from(0), || unreachable!(
            "nothing is left to tell"
        )),
        Ok(None)
    );
}

#[test]
fn what_cannot_be_read_is_told_to_whoever_asks_next_and_a_timeline_that_nobody_keeps_is_left() {
    let slow = Slow::of(2_000);
    slow.lock().expect("nobody panics").fails_at = Some(300);
    let (sender, told) = channel();
    assert!(
        ask(&slow, Wanted::Entry(0), move || sender
            .send(())
            .unwrap_or_default())
        .is_ok_and(|read| read.is_some())
    );
    while told.recv_timeout(Duration::from_secs(60)).is_ok() {}
    assert_eq!(ask(&slow, Wanted::Entry(0), || ()), Err(300));

    let slow = Slow::of(1_000_000);
    let (sender, told) = channel::<()>();
    assert!(
        ask(&slow, Wanted::Entry(0), move || sender
            .send(())
            .unwrap_or_default())
        .is_ok_and(|read| read.is_some())
    );
    drop(slow);
    while told.recv_timeout(Duration::from_secs(60)).is_ok() {}
    assert!(
        told.try_recv()
            .is_err_and(|error| error == std::sync::mpsc::TryRecvError::Disconnected)
    );
}
