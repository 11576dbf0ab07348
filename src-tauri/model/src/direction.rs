//! The direction in which a plan is drawn.

/// The direction of the edges on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Dependents are to the right of their parents.
    #[default]
    LeftRight,
    /// Dependents are below their parents.
    TopDown,
}

impl Direction {
    /// Used to omit the default from the stored plan.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
