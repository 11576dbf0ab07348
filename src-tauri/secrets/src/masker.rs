//! Masks a stream that comes in pieces.

use std::borrow::Cow;

use crate::taken::Taken;
use crate::{Scan, Secrets};

/// The most that is held back: what may be a key and goes on for longer than this is none.
const MOST_HELD: usize = 64 * 1024;

/// A stream on its way. Secrets that are cut by the border of two pieces are found.
#[derive(Debug)]
pub struct Masker {
    secrets: Secrets,
    held: Vec<u8>,
    /// The byte before those that are held, or to come.
    before: Option<u8>,
    /// How many bytes of the masked stream were given out.
    given: u64,
    taken: Option<Taken>,
}

impl Masker {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, held: Vec::new(), before: None, given: 0, taken: None }
    }

    /// Remembers what it takes out; see [`Masker::taken`].
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { taken: Some(Taken::default()), ..self }
    }

    /// What was taken out so far, if this masker remembers it.
    #[must_use]
    pub fn taken(&self) -> Option<&Taken> {
        self.taken.as_ref()
    }

    /// Takes the next piece and gives what can be stored of the stream.
    ///
    /// A few last bytes are held back while they may be the beginning of a secret; see [`Masker::flush`].
    pub fn take<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if self.held.is_empty() && self.secrets.next(piece, 0).is_none() {
            let open = piece.len() - self.secrets.beginning_at_end(piece);
            self.held.extend_from_slice(&piece[open..]);
            self.before = piece[..open].last().copied().or(self.before);
            self.given += open as u64;
            return Cow::Borrowed(&piece[..open]);
        }
        self.held.extend_from_slice(piece);
        let bytes = std::mem::take(&mut self.held);
        let scan = self.secrets.scan(self.before, &bytes, bytes.len() > MOST_HELD + piece.len());
        self.held.extend_from_slice(&bytes[scan.open..]);
        self.before = bytes[..scan.open].last().copied().or(self.before);
        Cow::Owned(self.give(&bytes, scan))
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
        let scan = self.secrets.scan(before, &held, true);
        self.give(&held, scan)
    }

    /// Gives out what `scan` made of `bytes`.
    fn give(&mut self, bytes: &[u8], scan: Scan) -> Vec<u8> {
        if let Some(taken) = &mut self.taken {
            for (at, secret) in scan.taken {
                taken.note(self.given + at as u64, &bytes[secret]);
            }
        }
        self.given += scan.masked.len() as u64;
        scan.masked
    }
}
