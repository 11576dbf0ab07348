//! The open terminals of a process, and what each belongs to.

use baton_model::PlanId;
use baton_planning::work_place::WorkPlace;

/// The terminals of this process.
pub(crate) type OpenTerminals = baton_terminal::Terminals<OpenPlace>;

/// What a terminal belongs to, and where it began.
#[derive(Debug, Clone)]
pub(crate) struct OpenPlace {
    pub(crate) place: WorkPlace,
    pub(crate) plan: PlanId,
    pub(crate) directory: String,
    pub(crate) shell: String,
}

/// A place has one terminal, also if its directory is another one by now.
impl PartialEq for OpenPlace {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}
