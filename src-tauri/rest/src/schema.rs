//! What a type must be able to do to appear in a route: with the feature `bindings`, describe
//! itself.

#[cfg(feature = "bindings")]
mod described {
    /// A type with a JSON schema.
    pub(crate) trait Described: schemars::JsonSchema {}
    impl<T: schemars::JsonSchema> Described for T {}
}

#[cfg(not(feature = "bindings"))]
mod described {
    /// Any type: released programs contain no schemas.
    pub(crate) trait Described {}
    impl<T> Described for T {}
}

pub(crate) use described::Described;

/// Adds the derives that the answers of this API share.
macro_rules! answers {
    ($($(#[$meta:meta])* pub(crate) struct $name:ident { $($(#[$field_meta:meta])* pub(crate) $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        #[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name { $($(#[$field_meta])* pub(crate) $field: $type,)* }
    )+};
}
pub(crate) use answers;

/// Adds the derives that the bodies and query parameters of this API share.
macro_rules! inputs {
    ($($(#[$meta:meta])* pub(crate) struct $name:ident { $($(#[$field_meta:meta])* pub(crate) $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, serde::Deserialize)]
        #[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", default, deny_unknown_fields)]
        pub(crate) struct $name { $($(#[$field_meta])* pub(crate) $field: $type,)* }
    )+};
}
pub(crate) use inputs;

/// Adds the derives of fixed words in answers.
macro_rules! words {
    ($($(#[$meta:meta])* pub(crate) enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $name { $($(#[$variant_meta])* $variant,)* }
    )+};
}
pub(crate) use words;
