//! The timeline of one transcript from an agent's own history.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use baton_transcripts::{TranscriptReader, TranscriptRow, TranscriptsError};

use super::read_ahead::ReadAhead;
use super::timeline_reading::TimelineReading;

/// The maximum number of open timelines; the least recently used one is dropped first.
const MAX_OPEN_TIMELINES: usize = 4;

/// The open timelines of transcripts.
#[derive(Default)]
pub(crate) struct TranscriptTimelines {
    ready: HashMap<String, Arc<Mutex<TranscriptTimeline>>>,
    order: VecDeque<String>,
}

impl TranscriptTimelines {
    /// The open timeline of the transcript in `row`, or a new one.
    pub(crate) fn open(&mut self, row: &TranscriptRow) -> Arc<Mutex<TranscriptTimeline>> {
        self.order.retain(|other| *other != row.id);
        self.order.push_back(row.id.clone());
        while self.order.len() > MAX_OPEN_TIMELINES {
            let oldest = self.order.pop_front();
            self.ready.retain(|id, _| Some(id) != oldest.as_ref());
        }
        let fresh = || TranscriptTimeline {
            reading: TranscriptReader::new(row),
            row: row.clone(),
            is_reading_ahead: false,
        };
        let timeline = self.ready.entry(row.id.clone());
        Arc::clone(timeline.or_insert_with(|| Arc::new(Mutex::new(fresh()))))
    }
}

/// One transcript with the index of its entries.
pub(crate) struct TranscriptTimeline {
    pub(crate) reading: TranscriptReader,
    /// The row of the index at the latest request.
    pub(crate) row: TranscriptRow,
    is_reading_ahead: bool,
}

impl ReadAhead for TranscriptTimeline {
    type Error = TranscriptsError;

    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> Result<(), TranscriptsError> {
        self.reading
            .read_until(&self.row, &|index| enough(index.len()))
    }

    fn unread(&self) -> Option<TimelineReading> {
        self.reading
            .partial_progress()
            .map(|(read, size)| TimelineReading { read, size })
    }

    fn is_reading_ahead(&mut self) -> &mut bool {
        &mut self.is_reading_ahead
    }
}
