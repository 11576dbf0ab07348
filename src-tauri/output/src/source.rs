//! Access to the bytes that a program printed.

use std::io;

use crate::OutputStream;

/// Random access to the two streams of a session.
pub trait OutputSource {
    /// Reads bytes of `stream` from `offset` into `buffer`. Returns the number of bytes read, 0 at
    /// the end.
    ///
    /// # Errors
    /// When the stream cannot be read.
    fn read_at(
        &mut self,
        stream: OutputStream,
        offset: u64,
        buffer: &mut [u8],
    ) -> io::Result<usize>;
}

/// One stream, up to a length that stays the same during a request although the stream may grow.
pub(crate) struct StreamReader<'a> {
    pub(crate) source: &'a mut dyn OutputSource,
    pub(crate) stream: OutputStream,
    pub(crate) length: u64,
}

impl StreamReader<'_> {
    /// The bytes from `from` to `to`; fewer at the stream's end.
    pub(crate) fn bytes(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let to = to.min(self.length);
        let length = usize::try_from(to.saturating_sub(from)).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while filled < length {
            let read =
                self.source
                    .read_at(self.stream, from + filled as u64, &mut bytes[filled..])?;
            if read == 0 {
                break;
            }
            filled += read;
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

/// Streams in memory, for tests.
#[cfg(test)]
#[derive(Debug, Default, Clone)]
pub(crate) struct MemorySource {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

#[cfg(test)]
impl OutputSource for MemorySource {
    fn read_at(
        &mut self,
        stream: OutputStream,
        offset: u64,
        buffer: &mut [u8],
    ) -> io::Result<usize> {
        let bytes = match stream {
            OutputStream::Stdout => &self.stdout,
            OutputStream::Stderr => &self.stderr,
        };
        let from = bytes.len().min(offset as usize);
        // Short reads, as files may have.
        let length = buffer.len().min(bytes.len() - from).min(1000);
        buffer[..length].copy_from_slice(&bytes[from..from + length]);
        Ok(length)
    }
}
