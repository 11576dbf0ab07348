//! Masks a stream that comes in pieces.

use std::borrow::Cow;

use crate::taken::Taken;
use crate::{Scan, Secrets};

/// The most that is held back: what may be a key and goes on for longer than this is none.
const MOST_HELD: usize = 64 * 1024;

/// The most of a secret that may be seen while nobody knows that it is one. All are longer than twice that.
const MOST_SHOWN: usize = 3;

/// A stream on its way. Secrets that are cut by the border of two pieces are found.
#[derive(Debug)]
pub struct Masker {
    secrets: Secrets,
    held: Vec<u8>,
    /// What was given out although it may be the beginning of a secret, right before what is held.
    shown: Vec<u8>,
    /// The byte before those that are shown, held, or to come.
    before: Option<u8>,
    /// How many bytes of the masked stream were given out.
    given: u64,
    taken: Option<Taken>,
}

impl Masker {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            held: Vec::new(),
            shown: Vec::new(),
            before: None,
            given: 0,
            taken: None,
        }
    }

    /// Remembers what it takes out; see [`Masker::taken`].
    #[must_use]
    pub fn remembering(self) -> Self {
        Self {
            taken: Some(Taken::default()),
            ..self
        }
    }

    /// What was taken out so far, if this masker remembers it.
    #[must_use]
    pub fn taken(&self) -> Option<&Taken> {
        self.taken.as_ref()
    }

    /// Takes the next piece and gives what can be stored of the stream.
    ///
    /// Last bytes are held back while they may be the beginning of a secret; see [`Masker::pause`] and
    /// [`Masker::flush`].
    pub fn take<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if self.shown.is_empty() && self.held.is_empty() && self.secrets.next(piece, 0).is_none() {
            let open = piece.len() - self.secrets.beginning_at_end(piece);
            self.held.extend_from_slice(&piece[open..]);
            self.before = piece[..open].last().copied().or(self.before);
            self.given += open as u64;
            return Cow::Borrowed(&piece[..open]);
        }
        let shown = self.shown.len();
        let bytes = [
            &std::mem::take(&mut self.shown),
            &std::mem::take(&mut self.held),
            piece,
        ]
        .concat();
        let scan = self
            .secrets
            .scan(self.before, &bytes, bytes.len() > MOST_HELD + piece.len());
        self.shown = bytes[scan.open.min(shown)..shown].to_vec();
        self.held = bytes[scan.open.max(shown)..].to_vec();
        self.before = bytes[..scan.open].last().copied().or(self.before);
        Cow::Owned(self.give(&bytes, scan, shown))
    }

    /// Whether something is held back.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Gives what was held back of a stream that has been still for a while, if it is too little to tell anything of a
    /// secret: most texts end like the beginning of some. When a secret comes of it after all, the rest of it is masked.
    pub fn pause(&mut self) -> Vec<u8> {
        if self.shown.len() + self.held.len() > MOST_SHOWN {
            return Vec::new();
        }
        let held = std::mem::take(&mut self.held);
        self.shown.extend_from_slice(&held);
        self.given += held.len() as u64;
        held
    }

    /// Gives what was held back, for the end of the stream.
    pub fn flush(&mut self) -> Vec<u8> {
        let shown = self.shown.len();
        let bytes = [
            std::mem::take(&mut self.shown),
            std::mem::take(&mut self.held),
        ]
        .concat();
        let scan = self.secrets.scan(self.before, &bytes, true);
        self.before = bytes.last().copied().or(self.before);
        self.give(&bytes, scan, shown)
    }

    /// Gives out what `scan` made of `bytes`, of which the first `shown` were given out before.
    fn give(&mut self, bytes: &[u8], scan: Scan, shown: usize) -> Vec<u8> {
        let Scan {
            mut masked, taken, ..
        } = scan;
        // A secret that begins in what was shown has its mask behind that.
        let known = taken
            .first()
            .map_or(shown, |(_, secret)| secret.start.min(shown))
            .min(masked.len());
        if let Some(memory) = &mut self.taken {
            for (at, secret) in taken {
                memory.note(
                    self.given + (at - known) as u64,
                    &bytes[secret.start.max(shown)..secret.end],
                );
            }
        }
        masked.drain(..known);
        self.given += masked.len() as u64;
        masked
    }
}
