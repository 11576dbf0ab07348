//! Where claim and evidence differ. Pure: who looked, and how, is for the engine.

use super::{CriterionCheck, FileChanges, Mismatch, Place, Verdict};
use crate::artifact::{Artifact, Author};

/// What a handoff claims, and where its author stood.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The handoff.
    pub artifact: &'a Artifact,
    /// Where the attempt worked.
    pub place: &'a Place,
}

/// What one look at a claimed path tells that is not among the known changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// It changed after all: a file that git ignores, or that lies outside of the tree that is looked at.
    Changed,
    /// It is there and did not change.
    Unchanged,
    /// There is no such file.
    Missing,
    /// Whether it changed cannot be told.
    Unknown,
}

/// The differences between what was claimed, or asked for, and what is known.
///
/// `probe` is asked about claimed paths (absolute) that are not among the changes. Only an agent's claims are held
/// against it; facts and persons speak for themselves. Where others worked in the same directory meanwhile, a
/// file that was not mentioned may be theirs and is not held against anybody.
pub fn judge(
    claim: Claim<'_>,
    files: &FileChanges,
    checks: &[CriterionCheck],
    mut probe: impl FnMut(&str) -> Probe,
) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if claim.artifact.author == Author::Agent {
        let known: Vec<String> = files.paths().map(|path| claim.place.absolute(path)).collect();
        found.extend(untouched(claim, &known, &mut probe));
        if files.is_known() && files.beside.is_empty() {
            found.extend(unmentioned(claim, files));
        }
    }
    found.extend(checks.iter().filter_map(|check| {
        let criterion = check.criterion.clone();
        match check.verdict {
            Verdict::Met => None,
            Verdict::NotMet => Some(Mismatch::NotMet { criterion }),
            Verdict::Unknown => Some(Mismatch::Unchecked { criterion }),
        }
    }));
    found
}

fn untouched<'a>(
    claim: Claim<'a>,
    known: &'a [String],
    probe: &'a mut impl FnMut(&str) -> Probe,
) -> impl Iterator<Item = Mismatch> + 'a {
    claim.artifact.files.iter().filter_map(move |path| {
        if known.iter().any(|changed| means(claim.place, path, changed)) {
            return None;
        }
        let exists = match probe(&claim.place.absolute(path)) {
            Probe::Unchanged => true,
            Probe::Missing => false,
            Probe::Changed | Probe::Unknown => return None,
        };
        Some(Mismatch::ClaimedUntouched { path: path.clone(), exists })
    })
}

fn unmentioned<'a>(claim: Claim<'a>, files: &'a FileChanges) -> impl Iterator<Item = Mismatch> + 'a {
    files.paths().filter_map(move |path| {
        let changed = claim.place.absolute(path);
        let named = claim.artifact.files.iter().any(|claimed| means(claim.place, claimed, &changed));
        (!named).then(|| Mismatch::Unmentioned { path: path.to_owned() })
    })
}

/// Whether the words `claimed` may mean the file `changed`: the path itself, the end of it, a folder around it, or a
/// pattern with `*`. Generous: who says `lib.rs` for `src/lib.rs` does not lie.
fn means(place: &Place, claimed: &str, changed: &str) -> bool {
    let absolute = place.absolute(claimed);
    let is_below = |folder: &str| changed.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if absolute == changed || is_below(&absolute) {
        return true;
    }
    let words = claimed.trim_start_matches("./").trim_matches('/');
    if words.is_empty() {
        return false;
    }
    let ends_so = |path: &str| path.strip_suffix(words).is_some_and(|rest| rest.ends_with('/'));
    let from_root = format!("{}/{words}", place.root.trim_end_matches('/'));
    ends_so(changed) || is_below(&from_root) || (words.contains('*') && is_like(&absolute, changed))
}

/// Whether `path` is like `pattern`, in which `*` stands for anything, folders included.
fn is_like(pattern: &str, path: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len() && !pattern.ends_with('*');
        if last {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evidence::{Checker, Evidence, FileSource};

    fn place() -> Place {
        Place { directory: "/w/app".to_owned(), root: "/w/app".to_owned() }
    }

    fn agent(files: &[&str]) -> Artifact {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        Artifact { author: Author::Agent, files, ..Artifact::default() }
    }

    fn changed(files: &[&str]) -> FileChanges {
        let changed = files.iter().map(|&file| file.to_owned()).collect();
        FileChanges { source: FileSource::Git, changed, ..FileChanges::default() }
    }

    fn judged(claimed: &[&str], really: &[&str], probe: Probe) -> Vec<Mismatch> {
        judge(Claim { artifact: &agent(claimed), place: &place() }, &changed(really), &[], |_| probe)
    }

    fn untouched(path: &str, exists: bool) -> Mismatch {
        Mismatch::ClaimedUntouched { path: path.to_owned(), exists }
    }

    fn unmentioned(path: &str) -> Mismatch {
        Mismatch::Unmentioned { path: path.to_owned() }
    }

    #[test]
    fn a_claim_is_held_against_what_changed() {
        use Probe::{Changed, Missing, Unchanged, Unknown};
        for (claimed, really, probe, expected) in [
            (&["src/a.rs"][..], &["src/a.rs"][..], Unchanged, vec![]),
            (&["./src/a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["/w/app/src/a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["src/"], &["src/a.rs", "src/b/c.rs"], Unchanged, vec![]),
            (&["src/*.rs"], &["src/a.rs", "src/b.rs"], Unchanged, vec![]),
            (&["src/a.rs"], &[], Unchanged, vec![untouched("src/a.rs", true)]),
            (&["src/a.rs"], &[], Missing, vec![untouched("src/a.rs", false)]),
            (&["dist/a.js"], &[], Changed, vec![]),
            (&["/etc/x"], &[], Unknown, vec![]),
            (&[], &["src/a.rs"], Unchanged, vec![unmentioned("src/a.rs")]),
            (&["b.rs"], &["ab.rs"], Missing, vec![untouched("b.rs", false), unmentioned("ab.rs")]),
            (&["src/*.ts"], &["src/a.rs"], Missing, vec![untouched("src/*.ts", false), unmentioned("src/a.rs")]),
        ] {
            assert_eq!(judged(claimed, really, probe), expected, "{claimed:?} against {really:?}");
        }
    }

    #[test]
    fn others_in_the_same_directory_make_nobody_a_liar() {
        let files = FileChanges { beside: vec!["Other".to_owned()], ..changed(&["theirs.rs"]) };
        let (artifact, place) = (agent(&["mine.rs"]), place());
        let claim = Claim { artifact: &artifact, place: &place };
        assert_eq!(judge(claim, &files, &[], |_| Probe::Missing), [untouched("mine.rs", false)]);
    }

    #[test]
    fn facts_and_persons_are_not_held_against_anybody() {
        for author in [Author::Facts, Author::Person] {
            let artifact = Artifact { author, ..agent(&["x"]) };
            let (claim, files) = (Claim { artifact: &artifact, place: &place() }, changed(&["y"]));
            assert_eq!(judge(claim, &files, &[], |_| Probe::Missing), []);
        }
    }

    #[test]
    fn what_speaks_against_the_work_is_said_in_a_line() {
        let check = |verdict| CriterionCheck {
            criterion: "make test".to_owned(),
            by: Checker::Command { code: Some(2) },
            verdict,
            detail: String::new(),
        };
        let checks = [check(Verdict::Met), check(Verdict::NotMet), check(Verdict::Unknown)];
        let artifact = agent(&["a.rs", "b.rs"]);
        let claim = Claim { artifact: &artifact, place: &place() };
        let mismatches = judge(claim, &changed(&["c.rs"]), &checks, |_| Probe::Missing);
        let doubt = Evidence { mismatches, ..Evidence::default() }.doubt();
        let said = "2 files are named as changed and were not, 1 acceptance criterion is not met, \
             1 acceptance criterion could not be checked";
        assert_eq!(doubt.as_deref(), Some(said));
        let only_unmentioned = vec![unmentioned("c.rs")];
        assert_eq!(Evidence { mismatches: only_unmentioned, ..Evidence::default() }.doubt(), None);
    }

    fn path() -> impl Strategy<Value = String> {
        "[a-c]{1,2}(/[a-c]{1,2}){0,2}\\.rs"
    }

    proptest! {
        #[test]
        fn whoever_names_exactly_what_changed_is_never_doubted(paths in prop::collection::btree_set(path(), 0..12)) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            prop_assert_eq!(judged(&paths, &paths, Probe::Missing), vec![]);
        }

        #[test]
        fn a_file_that_nobody_touched_is_always_found(
            really in prop::collection::btree_set(path(), 0..12),
            lie in "[x-z]{3,6}\\.rs",
        ) {
            let really: Vec<&str> = really.iter().map(String::as_str).collect();
            let claimed: Vec<&str> = really.iter().copied().chain([lie.as_str()]).collect();
            prop_assert_eq!(judged(&claimed, &really, Probe::Missing), vec![untouched(&lie, false)]);
        }

        #[test]
        fn every_change_is_named_or_told(
            really in prop::collection::btree_set(path(), 0..12),
            claimed in prop::collection::btree_set(path(), 0..12),
        ) {
            let really: Vec<&str> = really.iter().map(String::as_str).collect();
            let claimed: Vec<&str> = claimed.iter().map(String::as_str).collect();
            let found = judged(&claimed, &really, Probe::Unchanged);
            for path in really {
                let told = found.contains(&unmentioned(path));
                let named = claimed.iter().any(|claim| path == *claim || path.ends_with(&format!("/{claim}")));
                prop_assert_eq!(told, !named, "{}", path);
            }
        }

        #[test]
        fn no_words_make_it_stumble(claimed in prop::collection::vec("(?s).{0,20}", 0..4), really in path()) {
            let claimed: Vec<&str> = claimed.iter().map(String::as_str).collect();
            judged(&claimed, &[&really], Probe::Unchanged);
        }
    }
}
