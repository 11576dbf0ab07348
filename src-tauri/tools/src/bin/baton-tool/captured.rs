//! The captured output of a program, up to a limit.

/// The beginning of an output, and how many bytes followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CapturedOutput {
    bytes: Vec<u8>,
    left_out: u64,
}

impl CapturedOutput {
    /// Adds a chunk of output, as far as it fits.
    pub(crate) fn add(&mut self, piece: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.bytes.len()).min(piece.len());
        self.bytes.extend_from_slice(&piece[..room]);
        self.left_out += (piece.len() - room) as u64;
    }

    /// The number of bytes that didn't fit.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the captured text, with `U+FFFD` for invalid UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the last `limit` characters of the trimmed captured text.
    pub(crate) fn tail(&self, limit: usize) -> String {
        let text = self.text();
        let text = text.trim();
        let skipped = text.chars().count().saturating_sub(limit);
        let end: String = text.chars().skip(skipped).collect();
        if skipped > 0 {
            format!("…{end}")
        } else {
            end
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_is_kept_and_rest_is_counted() {
        let mut captured = CapturedOutput::default();
        captured.add(b"012", 4);
        captured.add(b"3456789", 4);
        assert_eq!((captured.text().as_str(), captured.left_out()), ("0123", 6));
    }

    #[test]
    fn tail_is_cut_at_character_boundary() {
        let mut captured = CapturedOutput::default();
        captured.add("  äöü\n".as_bytes(), 100);
        assert_eq!(captured.tail(2), "…öü");
        assert_eq!(captured.tail(3), "äöü");
    }
}
