//! Points in time. The core receives them as arguments and never reads a clock.

use serde::{Deserialize, Serialize, Serializer};

/// The name under which a [`Timestamp`] is serialized. Formats that write times in their own way
/// recognize them by it; all others write the number.
pub const TIMESTAMP_NAME: &str = "Timestamp";

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Timestamp(#[cfg_attr(feature = "bindings", ts(type = "number"))] pub i64);

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TIMESTAMP_NAME, &self.0)
    }
}

// By hand, because the schema of a transparent type has no name.
#[cfg(feature = "bindings")]
impl schemars::JsonSchema for Timestamp {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        TIMESTAMP_NAME.into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "format": "int64" })
    }
}

impl Timestamp {
    /// This time plus `ms` milliseconds.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add_unsigned(ms))
    }

    /// Milliseconds from `earlier` to this time; 0 if the clock was set back in between.
    #[must_use]
    pub fn ms_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}
