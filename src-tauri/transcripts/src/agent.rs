//! The agents whose own histories can be read: those whose adapter describes where they are.

use std::fmt;
use std::sync::LazyLock;

use baton_agents::{HistoryLayout, builtin};

/// An agent that keeps histories.
#[derive(Clone, Copy)]
pub struct Agent(&'static HistoryOwner);

struct HistoryOwner {
    name: String,
    title: String,
    mark: char,
    layout: &'static HistoryLayout,
}

static OWNERS: LazyLock<Vec<HistoryOwner>> = LazyLock::new(|| {
    let adapters = builtin();
    let owners = adapters.iter().filter_map(|adapter| {
        Some(HistoryOwner {
            layout: adapter.history()?,
            name: adapter.id().to_owned(),
            title: adapter.title().to_owned(),
            mark: adapter.mark(),
        })
    });
    owners.collect()
});

impl Agent {
    /// Every agent with histories, in the order of [`builtin`].
    pub fn all() -> impl Iterator<Item = Self> {
        OWNERS.iter().map(Self)
    }

    /// The adapter's id, as plans and commands write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        &self.0.title
    }

    /// One letter for icons.
    #[must_use]
    pub fn mark(self) -> char {
        self.0.mark
    }

    /// The agent with this id; `None` when it keeps no histories that Baton can read.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|agent| agent.name() == name)
    }

    /// Where its histories are, and how their lines are read.
    #[must_use]
    pub fn layout(self) -> &'static HistoryLayout {
        self.0.layout
    }
}

impl PartialEq for Agent {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Agent {}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Agent({})", self.name())
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
