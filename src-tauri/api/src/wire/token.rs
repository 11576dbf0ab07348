//! Access tokens of programs.

use baton_model::{AccessLevel, Timestamp};

use super::wire;

wire! {
    /// References an access token.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TokenRef {
        pub name: String,
    }
    /// Creates an access token.
    pub struct TokenCreate {
        /// Its name: 1 to 64 letters, digits, `-`, `_`, or `.`.
        pub name: String,
        /// What the token gives access to.
        pub surface: AccessLevel,
    }
    /// A new token. It is shown only once.
    pub struct TokenCreated {
        /// The secret: 64 hexadecimal digits.
        pub token: String,
        /// The token's metadata as listed.
        pub view: TokenView,
    }
    /// An access token's metadata, without the secret.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TokenView {
        pub name: String,
        /// What the token gives access to.
        pub surface: AccessLevel,
        pub created_at: Timestamp,
        /// When it was last used, to the minute.
        pub used_at: Option<Timestamp>,
    }
}
