//! Masks a stream that arrives in chunks.

use std::borrow::Cow;

use crate::removed_secrets::RemovedSecrets;
use crate::{Scan, Secrets};

/// The limit on bytes held back: a longer candidate isn't a key.
const MAX_HELD_BYTES: usize = 64 * 1024;

/// How many bytes of a candidate may be released early. Every secret is more than twice as long.
const MAX_EXPOSED_BYTES: usize = 3;

/// The state of a masked stream. Secrets that span chunks are found.
#[derive(Debug)]
pub struct Masker {
    secrets: Secrets,
    held: Vec<u8>,
    /// Bytes before `held` that were already released, but may be the start of a secret.
    exposed: Vec<u8>,
    /// The byte before `exposed`, `held` or the next chunk.
    before: Option<u8>,
    /// The length of the masked stream so far.
    released_bytes: u64,
    removed: Option<RemovedSecrets>,
}

impl Masker {
    /// Creates a masker for a new stream.
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

    /// Records the removed secrets, for [`Masker::removed_secrets`].
    #[must_use]
    pub fn with_memory(self) -> Self {
        Self {
            removed: Some(RemovedSecrets::default()),
            ..self
        }
    }

    /// Returns the secrets removed so far, or `None` unless they are recorded.
    #[must_use]
    pub fn removed_secrets(&self) -> Option<&RemovedSecrets> {
        self.removed.as_ref()
    }

    /// Adds a chunk and returns the next part of the masked stream.
    ///
    /// The last bytes are held back while they may be the start of a secret; see
    /// [`Masker::release_idle`] and [`Masker::flush`].
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

    /// Returns whether bytes are held back.
    #[must_use]
    pub fn is_holding_back(&self) -> bool {
        !self.held.is_empty()
    }

    /// Releases the held bytes of an idle stream if they are too few to reveal a secret, because
    /// most text ends like the start of some secret. If they do turn out to be one, the rest of it
    /// is masked.
    pub fn release_idle(&mut self) -> Vec<u8> {
        if self.exposed.len() + self.held.len() > MAX_EXPOSED_BYTES {
            return Vec::new();
        }
        let held = std::mem::take(&mut self.held);
        self.exposed.extend_from_slice(&held);
        self.released_bytes += held.len() as u64;
        held
    }

    /// Releases the held bytes at the end of the stream.
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

    /// Returns the new part of `scan`'s result. The first `exposed` of `bytes` were released
    /// earlier.
    fn release(&mut self, bytes: &[u8], scan: Scan, exposed: usize) -> Vec<u8> {
        let Scan {
            mut masked,
            removed,
            ..
        } = scan;
        // If a secret starts in the exposed bytes, its mask follows them.
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
