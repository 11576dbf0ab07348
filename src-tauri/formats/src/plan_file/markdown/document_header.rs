//! What the front matter of a document says about the document and its last run.

use super::super::fault::Faults;
use super::super::fields::Fields;
use super::super::keys::keyword_for;

/// Facts about a document that are not part of its plan. Reading them decides nothing: the state
/// of a plan is in the store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentHeader {
    /// `PLAN-` and an identifier.
    pub id: Option<String>,
    /// The state when the document was written.
    pub status: Option<DocumentStatus>,
    /// Grows with each write.
    pub version: Option<u64>,
    /// As written, usually in ISO 8601.
    pub created_at: Option<String>,
    /// As written, usually in ISO 8601.
    pub updated_at: Option<String>,
    /// Where the log of the last run is.
    pub execution_session: Option<String>,
    /// As written, usually in ISO 8601.
    pub execution_started_at: Option<String>,
    /// As written, usually in ISO 8601.
    pub execution_ended_at: Option<String>,
    /// How the last run ended, for people.
    pub result_summary: Option<String>,
}

/// The state of a plan in the words of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum DocumentStatus {
    Draft,
    Proposed,
    Approved,
    Executing,
    Completed,
    Failed,
    Rejected,
    Cancelled,
    Stalled,
    NeedsReview,
}

const STATUSES: &[(&str, DocumentStatus)] = &[
    ("draft", DocumentStatus::Draft),
    ("proposed", DocumentStatus::Proposed),
    ("approved", DocumentStatus::Approved),
    ("executing", DocumentStatus::Executing),
    ("completed", DocumentStatus::Completed),
    ("failed", DocumentStatus::Failed),
    ("rejected", DocumentStatus::Rejected),
    ("cancelled", DocumentStatus::Cancelled),
    ("stalled", DocumentStatus::Stalled),
    ("needs_review", DocumentStatus::NeedsReview),
];

/// The keys of a header in a document.
pub(super) const KEYS: [&str; 9] = [
    "id",
    "status",
    "version",
    "created_at",
    "updated_at",
    "execution_session",
    "execution_started_at",
    "execution_ended_at",
    "result_summary",
];

impl DocumentStatus {
    /// The word in documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        keyword_for(STATUSES, &self)
    }
}

impl DocumentHeader {
    pub(super) fn read(fields: &Fields<'_>, faults: &mut Faults) -> Self {
        Self {
            id: fields.text("id", faults),
            status: fields.keyword("status", STATUSES, faults),
            version: fields.whole_number("version", 0..=u64::MAX, faults),
            created_at: fields.text("created_at", faults),
            updated_at: fields.text("updated_at", faults),
            execution_session: fields.text("execution_session", faults),
            execution_started_at: fields.text("execution_started_at", faults),
            execution_ended_at: fields.text("execution_ended_at", faults),
            result_summary: fields.text("result_summary", faults),
        }
    }
}
