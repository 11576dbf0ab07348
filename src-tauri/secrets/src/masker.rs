//! Masks a stream that comes in pieces.

use std::borrow::Cow;

use crate::Secrets;

/// The most that is held back: what may be a key and goes on for longer than this is none.
const MOST_HELD: usize = 64 * 1024;

/// A stream on its way. Secrets that are cut by the border of two pieces are found.
#[derive(Debug)]
pub struct Masker {
    secrets: Secrets,
    held: Vec<u8>,
    /// The byte before those that are held, or to come.
    before: Option<u8>,
}

impl Masker {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, held: Vec::new(), before: None }
    }

    /// Takes the next piece and gives what can be stored of the stream.
    ///
    /// A few last bytes are held back while they may be the beginning of a secret; see [`Masker::flush`].
    pub fn take<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if self.held.is_empty() && self.secrets.next(piece, 0).is_none() {
            let open = piece.len() - self.secrets.beginning_at_end(piece);
            self.held.extend_from_slice(&piece[open..]);
            self.before = piece[..open].last().copied().or(self.before);
            return Cow::Borrowed(&piece[..open]);
        }
        self.held.extend_from_slice(piece);
        let bytes = std::mem::take(&mut self.held);
        let scan = self.secrets.scan(self.before, &bytes, bytes.len() > MOST_HELD + piece.len());
        self.held.extend_from_slice(&bytes[scan.open..]);
        self.before = bytes[..scan.open].last().copied().or(self.before);
        Cow::Owned(scan.masked)
    }

    /// Whether something is held back.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Gives what was held back, as if the stream had ended; for its end, and for when it has been still for a while.
    pub fn flush(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        let before = self.before;
        self.before = held.last().copied().or(before);
        self.secrets.scan(before, &held, true).masked
    }
}
