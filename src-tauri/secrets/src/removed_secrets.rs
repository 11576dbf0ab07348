//! The secrets removed from a stream and their positions, so that the original text can be
//! restored.

use std::collections::VecDeque;
use std::fmt;

use crate::MASK;

/// The limit in bytes. The oldest secrets are forgotten first.
const MAX_REMEMBERED_BYTES: usize = 16 * 1024 * 1024;

/// The secrets removed from a stream. They are kept in memory only.
#[derive(Default)]
pub struct RemovedSecrets {
    pieces: VecDeque<RemovedSecret>,
    bytes: usize,
    /// Masks before this offset of the masked stream are forgotten.
    known_from: u64,
}

struct RemovedSecret {
    /// The offset of its mask in the masked stream.
    at: u64,
    secret: Vec<u8>,
}

impl RemovedSecret {
    fn size(&self) -> usize {
        size_of::<Self>() + self.secret.len()
    }
}

impl RemovedSecrets {
    /// Records that the mask at offset `at` of the masked stream replaces `secret`.
    pub(crate) fn record(&mut self, at: u64, secret: &[u8]) {
        let piece = RemovedSecret {
            at,
            secret: secret.to_vec(),
        };
        self.bytes += piece.size();
        self.pieces.push_back(piece);
        while self.bytes > MAX_REMEMBERED_BYTES
            && let Some(oldest) = self.pieces.pop_front()
        {
            self.bytes -= oldest.size();
            self.known_from = oldest.at + 1;
        }
    }

    /// Returns the original of `masked`, which is at offset `at` of the masked stream, or `None` if
    /// it is forgotten.
    #[must_use]
    pub fn restore(&self, at: u64, masked: &[u8]) -> Option<Vec<u8>> {
        if at < self.known_from {
            return None;
        }
        let first = self.pieces.partition_point(|piece| piece.at < at);
        let mut whole = Vec::with_capacity(masked.len());
        let mut copied = 0;
        for piece in self.pieces.range(first..) {
            let start = usize::try_from(piece.at - at).ok()?;
            let end = start + MASK.len();
            if end > masked.len() {
                break;
            }
            whole.extend_from_slice(masked.get(copied..start)?);
            whole.extend_from_slice(&piece.secret);
            copied = end;
        }
        whole.extend_from_slice(&masked[copied..]);
        Some(whole)
    }
}

impl fmt::Debug for RemovedSecrets {
    /// Prints sizes only, never the secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RemovedSecrets")
            .field("pieces", &self.pieces.len())
            .field("bytes", &self.bytes)
            .finish()
    }
}
