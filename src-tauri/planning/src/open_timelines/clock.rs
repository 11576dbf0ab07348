//! The times at which a session's output reached certain lengths, as recorded by its keeper.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use baton_agents::Stream;
use baton_keeper::{ClockReader, Growth};

/// The clock of one session, as far as it has been read. Each update reads only new records: there
/// are up to twenty per second while the session prints.
#[derive(Default)]
pub(super) struct Clock {
    reader: Option<ClockReader<BufReader<File>>>,
    stdout: Vec<Growth>,
    stderr: Vec<Growth>,
}

impl Clock {
    /// Reads the records since the last call.
    pub(super) fn catch_up(&mut self, folder: &Path) -> io::Result<()> {
        if self.reader.is_none() {
            self.reader = ClockReader::open(folder)?;
        }
        let Self {
            reader,
            stdout,
            stderr,
        } = self;
        for growth in reader.iter_mut().flatten() {
            let growth = growth?;
            match growth.stream {
                baton_keeper::Stream::Stdout => stdout.push(growth),
                baton_keeper::Stream::Stderr => stderr.push(growth),
            }
        }
        Ok(())
    }

    /// Returns when `stream` was first known to be `length` bytes long, in milliseconds since 1970.
    pub(super) fn reached(&self, stream: Stream, length: u64) -> Option<i64> {
        let grown = match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        };
        let at = grown.partition_point(|growth| growth.offset_after < length);
        grown
            .get(at)
            .and_then(|growth| i64::try_from(growth.unix_ms).ok())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use baton_keeper::CLOCK;

    use super::*;

    /// Appends a record in the format of the keeper: time, stream, seven zero bytes, length.
    fn note(folder: &Path, unix_ms: u64, stream: u8, length: u64) -> io::Result<()> {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(folder.join(CLOCK))?;
        file.write_all(&unix_ms.to_le_bytes())?;
        file.write_all(&u64::from(stream).to_le_bytes())?;
        file.write_all(&length.to_le_bytes())
    }

    #[test]
    fn clock_resumes_where_it_stopped() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let mut clock = Clock::default();
        clock.catch_up(folder.path())?;
        assert_eq!(
            clock.reached(Stream::Stdout, 1),
            None,
            "nothing was printed yet"
        );

        note(folder.path(), 1_000, 1, 10)?;
        note(folder.path(), 1_050, 2, 5)?;
        clock.catch_up(folder.path())?;
        note(folder.path(), 2_000, 1, 30)?;
        clock.catch_up(folder.path())?;

        for (stream, length, expected) in [
            (Stream::Stdout, 10, Some(1_000)),
            (Stream::Stdout, 11, Some(2_000)),
            (Stream::Stdout, 30, Some(2_000)),
            (Stream::Stdout, 31, None),
            (Stream::Stderr, 1, Some(1_050)),
        ] {
            assert_eq!(
                clock.reached(stream, length),
                expected,
                "{stream:?} of {length} bytes"
            );
        }
        Ok(())
    }

    #[test]
    fn partial_record_is_completed_later() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let whole = tempfile::tempdir()?;
        note(whole.path(), 7, 1, 3)?;
        let bytes = std::fs::read(whole.path().join(CLOCK))?;
        let mut clock = Clock::default();
        std::fs::write(folder.path().join(CLOCK), &bytes[..9])?;
        clock.catch_up(folder.path())?;
        assert_eq!(clock.reached(Stream::Stdout, 3), None);
        File::options()
            .append(true)
            .open(folder.path().join(CLOCK))?
            .write_all(&bytes[9..])?;
        clock.catch_up(folder.path())?;
        assert_eq!(clock.reached(Stream::Stdout, 3), Some(7));
        Ok(())
    }
}
