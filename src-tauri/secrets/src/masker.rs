//! Masks a stream that comes in pieces.

use std::borrow::Cow;

use crate::removed_secrets::RemovedSecrets;
use crate::{Scan, Secrets};

/// The most that is held back: what may be a key and goes on for longer than this is none.
const MAX_HELD_BYTES: usize = 64 * 1024;

/// The most of a secret that may be seen while nobody knows that it is one. All are longer than twice that.
const MAX_EXPOSED_BYTES: usize = 3;

/// A stream on its way. Secrets that are cut by the border of two pieces are found.
#[derive(Debug)]
pub struct Masker {
    secrets: Secrets,
    held: Vec<u8>,
    /// What was given out although it may be the beginning of a secret, right before what is held.
    exposed: Vec<u8>,
    /// The byte before those that are shown, held, or to come.
    before: Option<u8>,
    /// How many bytes of the masked stream were given out.
    released_bytes: u64,
    removed: Option<RemovedSecrets>,
}

impl Masker {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            held: Vec::new(),
            exposed: Vec::new(),
            before: None,
            released_bytes: 0,
            removed: None,
        }
    }

    /// Remembers what it takes out; see [`Masker::removed_secrets`].
    #[must_use]
    pub fn with_memory(self) -> Self {
        Self {
            removed: Some(RemovedSecrets::default()),
            ..self
        }
    }

    /// What was taken out so far, if this masker remembers it.
    #[must_use]
    pub fn removed_secrets(&self) -> Option<&RemovedSecrets> {
        self.removed.as_ref()
    }

    /// Takes the next piece and gives what can be stored of the stream.
    ///
    /// Last bytes are held back while they may be the beginning of a secret; see [`Masker::release_idle`] and
    /// [`Masker::flush`].
    pub fn push<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if self.exposed.is_empty() && self.held.is_empty() && self.secrets.next(piece, 0).is_none()
        {
            let open = piece.len() - self.secrets.beginning_at_end(piece);
            self.held.extend_from_slice(&piece[open..]);
            self.before = piece[..open].last().copied().or(self.before);
            self.released_bytes += open as u64;
            return Cow::Borrowed(&piece[..open]);
        }
        let exposed = self.exposed.len();
        let bytes = [
            &std::mem::take(&mut self.exposed),
            &std::mem::take(&mut self.held),
            piece,
        ]
        .concat();
        let scan = self.secrets.scan(
            self.before,
            &bytes,
            bytes.len() > MAX_HELD_BYTES + piece.len(),
        );
        self.exposed = bytes[scan.undecided_from.min(exposed)..exposed].to_vec();
        self.held = bytes[scan.undecided_from.max(exposed)..].to_vec();
        self.before = bytes[..scan.undecided_from].last().copied().or(self.before);
        Cow::Owned(self.release(&bytes, scan, exposed))
    }

    /// Whether something is held back.
    #[must_use]
    pub fn is_holding_back(&self) -> bool {
        !self.held.is_empty()
    }

    /// Gives what was held back of a stream that has been still for a while, if it is too little to tell anything of a
    /// secret: most texts end like the beginning of some. When a secret comes of it after all, the rest of it is masked.
    pub fn release_idle(&mut self) -> Vec<u8> {
        if self.exposed.len() + self.held.len() > MAX_EXPOSED_BYTES {
            return Vec::new();
        }
        let held = std::mem::take(&mut self.held);
        self.exposed.extend_from_slice(&held);
        self.released_bytes += held.len() as u64;
        held
    }

    /// Gives what was held back, for the end of the stream.
    pub fn flush(&mut self) -> Vec<u8> {
        let exposed = self.exposed.len();
        let bytes = [
            std::mem::take(&mut self.exposed),
            std::mem::take(&mut self.held),
        ]
        .concat();
        let scan = self.secrets.scan(self.before, &bytes, true);
        self.before = bytes.last().copied().or(self.before);
        self.release(&bytes, scan, exposed)
    }

    /// Gives out what `scan` made of `bytes`, of which the first `exposed` were given out before.
    fn release(&mut self, bytes: &[u8], scan: Scan, exposed: usize) -> Vec<u8> {
        let Scan {
            mut masked,
            removed,
            ..
        } = scan;
        // A secret that begins in what was shown has its mask behind that.
        let known = removed
            .first()
            .map_or(exposed, |(_, secret)| secret.start.min(exposed))
            .min(masked.len());
        if let Some(memory) = &mut self.removed {
            for (at, secret) in removed {
                memory.record(
                    self.released_bytes + (at - known) as u64,
                    &bytes[secret.start.max(exposed)..secret.end],
                );
            }
        }
        masked.drain(..known);
        self.released_bytes += masked.len() as u64;
        masked
    }
}
