//! The tokens by which programs reach Baton.

use baton_model::{Right, Timestamp};

use super::wire;

wire! {
    /// Which token.
    pub struct TokenRef {
        /// Its name.
        pub name: String,
    }
    /// A token for a program.
    pub struct TokenCreate {
        /// Its name, 1 to 64 letters, digits, `-`, `_` or `.`.
        pub name: String,
        /// What it is good for.
        pub surface: Right,
    }
    /// A new token. It is shown this once.
    pub struct TokenCreated {
        /// The token: 64 hexadecimal digits.
        pub token: String,
        /// What is known of it.
        pub view: TokenView,
    }
    /// A token, without the token.
    pub struct TokenView {
        /// Its name.
        pub name: String,
        /// What it is good for.
        pub surface: Right,
        /// When it was made.
        pub created_at: Timestamp,
        /// When it was last shown; exact to the minute.
        pub used_at: Option<Timestamp>,
    }
}
