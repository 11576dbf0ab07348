//! What goes over the border, where it differs from what the inner crates hold.
//!
//! Plans, nodes, edges and states travel as `baton-model` has them; timeline entries as `baton-agents` has
//! them. Everything here is data without behavior.

mod agent;
mod artifact;
mod change;
mod conversation;
mod course;
mod doctor;
mod executor;
mod grant;
mod handoff;
mod homecoming;
mod inbox;
mod overview;
mod plan;
mod proposal;
mod request;
mod run;
mod session;
mod settings;
mod statistics;
mod token;
mod transcript;
mod worktree;

pub use agent::*;
pub use artifact::*;
pub use change::*;
pub use conversation::*;
pub use course::*;
pub use doctor::*;
pub use executor::*;
pub use grant::*;
pub use handoff::*;
pub use homecoming::*;
pub use inbox::*;
pub use overview::*;
pub use plan::*;
pub use proposal::*;
pub use request::*;
pub use run::*;
pub use session::*;
pub use settings::*;
pub use statistics::*;
pub use token::*;
pub use transcript::*;
pub use worktree::*;

/// Gives a wire type the derives that every wire type has.
macro_rules! wire {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    )+};
}
pub(crate) use wire;

wire! {
    /// An operation that needs nothing.
    pub struct Nothing {}
    /// An operation that answers nothing but "done".
    pub struct Done {}
}
