//! Where the work of a drawn plan flows to.

/// Where the work flows to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Dependents stand to the right.
    #[default]
    LeftRight,
    /// Dependents stand below.
    TopDown,
}

impl Direction {
    /// Whether it is the way that nobody has to name.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
