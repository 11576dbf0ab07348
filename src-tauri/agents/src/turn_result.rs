//! The message that ends a turn of Claude.

/// The end of a turn as the client reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnResult {
    pub(crate) is_error: bool,
    pub(crate) subtype: String,
    /// `completed`, `api_error`, `aborted_tools`, …; empty in some errors.
    pub(crate) reason: String,
    /// The last message, or the errors.
    pub(crate) text: String,
    pub(crate) api_status: Option<u32>,
    pub(crate) unprompted: bool,
}
