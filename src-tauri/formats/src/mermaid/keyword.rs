//! Keywords in flowcharts that Baton both writes and reads.

/// Precedes the expression of a condition, which is in a comment because labels hold titles.
pub(crate) const CONDITION: &str = "condition";

/// The labels of branches and jumps.
pub(crate) mod branch_label {
    pub(crate) const TRUE: &str = "true";
    pub(crate) const FALSE: &str = "false";
    pub(crate) const SUCCESS: &str = "on success";
    pub(crate) const FAILURE: &str = "on failure";
    /// On a dotted arrow: an edge that nobody has confirmed.
    pub(crate) const INFERRED: &str = "inferred";
}
