//! What both a file and the plan changed, as sentences for people.

use baton_model::MergeClash;

/// A sentence about a clash of a [`FileEdit`](super::FileEdit).
#[must_use]
pub fn clash_text(clash: &MergeClash) -> String {
    match clash {
        MergeClash::Node { ours, .. } => format!(
            "'{}' changed in the plan as well; this proposal has what the file says",
            ours.title
        ),
        MergeClash::Slug { theirs } => format!(
            "'{}' of the plan has another id, because the file uses its id for another node",
            theirs.title
        ),
        MergeClash::RemovedByUs { theirs } => format!(
            "the file has no '{}', but the plan changed it since; the node stays",
            theirs.title
        ),
        MergeClash::RemovedByThem { ours } => format!(
            "'{}' was removed from the plan, but the file changed it; this proposal adds it again",
            ours.title
        ),
        MergeClash::Edge { .. } => {
            "an edge changed in the plan as well; this proposal has what the file says".to_owned()
        }
        MergeClash::Field { path, .. } => format!(
            "{} changed in the plan as well; this proposal has what the file says",
            path.join(".")
        ),
        MergeClash::Groups { .. } => {
            "the groups changed in the plan as well; this proposal has what the file says"
                .to_owned()
        }
        MergeClash::Order => {
            "the order of the nodes changed in the plan as well; this proposal has that of the file"
                .to_owned()
        }
    }
}
