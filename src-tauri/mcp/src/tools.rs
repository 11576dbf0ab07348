//! The tools, one per file.

pub(crate) mod guide;
pub(crate) mod older_names;
pub(crate) mod plan_check;
pub(crate) mod plan_find;
pub(crate) mod plan_get;
pub(crate) mod plan_propose;
pub(crate) mod proposal_get;
pub(crate) mod proposal_revise;
pub(crate) mod run_get;
pub(crate) mod run_request;
pub(crate) mod run_stop;
pub(crate) mod session;
