//! What an operation needs, and what somebody has.

use baton_store::Surface;

/// The right that an operation needs. Each right includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// To look.
    Read,
    /// To change what no person has to decide: to create, save, propose, start what is approved, pause, cancel, retry.
    Write,
    /// To decide: to approve, answer, grant, accept, skip, delete, bring work home, change settings.
    Decide,
}

impl Right {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Decide => "decide",
        }
    }
}

impl From<Surface> for Right {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::Read => Self::Read,
            Surface::Write => Self::Write,
            Surface::Decide => Self::Decide,
        }
    }
}
