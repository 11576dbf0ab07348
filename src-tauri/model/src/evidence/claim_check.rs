//! Compares claims with evidence. Pure: how the evidence is gathered is up to the engine.

use super::{AttemptDirectory, CriterionCheck, FileChanges, Mismatch, Verdict};
use crate::artifact::{Artifact, Author, FileAct, FileClaim};

/// What a handoff claims, and where its author worked.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Claim<'a> {
    pub artifact: &'a Artifact,
    /// The directory of the attempt.
    pub place: &'a AttemptDirectory,
    /// The directory that `~` and `$HOME` refer to.
    pub home: Option<&'a str>,
    /// The agent called no tool and gave no answer.
    pub is_idle: bool,
}

impl Claim<'_> {
    /// Expands the home directory; `None` if it is not known.
    fn expand_home(&self, path: &str) -> Option<String> {
        match ["~/", "$HOME/"]
            .iter()
            .find_map(|start| path.strip_prefix(start))
        {
            Some(rest) => self
                .home
                .map(|home| format!("{}/{rest}", home.trim_end_matches('/'))),
            None => Some(path.strip_prefix("$PWD/").unwrap_or(path).to_owned())
                .filter(|path| !path.starts_with(['~', '$'])),
        }
    }
}

/// The result of checking a claimed path that is not among the known changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PathProbe {
    /// It did change: git ignores the file, or it is outside of the compared tree.
    Changed,
    /// It exists and did not change.
    Unchanged,
    Missing,
    /// It can't be determined whether it changed.
    Unknown,
}

/// The differences between what was claimed or required and what is known.
///
/// `probe` is called with claimed absolute paths that are not among the changes. Only an agent's
/// claims are checked, not facts or a person's text. If other nodes worked in the same directory at
/// the same time, an unmentioned file may be theirs and is not reported.
pub fn find_mismatches(
    claim: Claim<'_>,
    files: &FileChanges,
    checks: &[CriterionCheck],
    mut probe: impl FnMut(&str) -> PathProbe,
) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if claim.is_idle
        && claim.artifact.outputs.is_empty()
        && files.paths_with_shared().next().is_none()
    {
        found.push(Mismatch::NothingDone);
    }
    if claim.artifact.author == Author::Agent {
        let known: Vec<String> = files
            .paths_with_shared()
            .map(|path| claim.place.absolute(path))
            .collect();
        found.extend(untouched(claim, &known, &mut probe));
        if files.is_known() && files.beside.is_empty() {
            found.extend(unmentioned(claim, files));
        }
    }
    found.extend(checks.iter().filter_map(|check| {
        let criterion = check.criterion.clone();
        match check.verdict {
            // A sentence without a reviewer says nothing for or against the work.
            Verdict::Met | Verdict::NotChecked => None,
            Verdict::NotMet => Some(Mismatch::NotMet { criterion }),
            Verdict::Unknown => Some(Mismatch::Unchecked { criterion }),
        }
    }));
    found
}

/// The files that were claimed but not touched. An uncertain path only counts if the file exists,
/// and a file claimed to be gone may be missing.
fn untouched(
    claim: Claim<'_>,
    known: &[String],
    probe: &mut impl FnMut(&str) -> PathProbe,
) -> Vec<Mismatch> {
    let mut found = Vec::new();
    for FileClaim {
        path,
        act,
        is_certain,
    } in claim.artifact.file_claims()
    {
        let Some(meant) = claim.expand_home(&path) else {
            continue;
        };
        if known
            .iter()
            .any(|changed| refers_to(claim.place, &meant, changed))
        {
            continue;
        }
        match probe(&claim.place.absolute(&meant)) {
            PathProbe::Unchanged => found.push(Mismatch::ClaimedUntouched { path, exists: true }),
            PathProbe::Missing if is_certain && act == FileAct::Written => {
                found.push(Mismatch::ClaimedUntouched {
                    path,
                    exists: false,
                });
            }
            PathProbe::Missing | PathProbe::Changed | PathProbe::Unknown => {}
        }
    }
    found
}

/// The files that changed and that the text does not mention, in its list or anywhere else.
fn unmentioned<'a>(
    claim: Claim<'a>,
    files: &'a FileChanges,
) -> impl Iterator<Item = Mismatch> + 'a {
    let listed = claim
        .artifact
        .file_claims()
        .into_iter()
        .map(|listed| listed.path);
    let words = claim.artifact.text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '/' | '.' | '_' | '~' | '*' | '$')
        })
        .trim_end_matches('.')
        .to_owned()
    });
    let mentioned =
        words.filter(|word| word.contains(['.', '/']) && word.contains(char::is_alphanumeric));
    let named: Vec<String> = listed
        .chain(mentioned)
        .filter_map(|path| claim.expand_home(&path))
        .collect();
    files.paths().filter_map(move |path| {
        let changed = claim.place.absolute(path);
        let is_named = named
            .iter()
            .any(|named| refers_to(claim.place, named, &changed));
        (!is_named).then(|| Mismatch::Unmentioned {
            path: path.to_owned(),
        })
    })
}

/// Whether the path `claimed` may refer to the file `changed`: the path itself, its end, a folder
/// that contains it, or a pattern with `*`. Deliberately generous: `lib.rs` for `src/lib.rs` is not
/// a false claim.
fn refers_to(place: &AttemptDirectory, claimed: &str, changed: &str) -> bool {
    // Some file systems treat "readme.md" and "README.md" as the same file, and so do people.
    let (claimed, changed) = (claimed.to_lowercase(), changed.to_lowercase());
    let place = &AttemptDirectory {
        directory: place.directory.to_lowercase(),
        root: place.root.to_lowercase(),
    };
    let (claimed, changed) = (claimed.as_str(), changed.trim_end_matches('/'));
    let absolute = place.absolute(claimed);
    let is_below = |folder: &str| {
        changed
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    if absolute == changed || is_below(&absolute) {
        return true;
    }
    let words = claimed.trim_start_matches("./").trim_matches('/');
    if words.is_empty() {
        return false;
    }
    let ends_so = |path: &str| {
        path.strip_suffix(words)
            .is_some_and(|rest| rest.ends_with('/'))
    };
    let from_root = format!("{}/{words}", place.root.trim_end_matches('/'));
    ends_so(changed)
        || is_below(&from_root)
        || (words.contains('*') && matches_pattern(&absolute, changed))
}

/// Whether `path` matches `pattern`, in which `*` stands for anything, including folders.
fn matches_pattern(pattern: &str, path: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len() && !pattern.ends_with('*');
        if last {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::artifact::MARKER;
    use crate::evidence::{Checker, Evidence, FileSource};

    fn place() -> AttemptDirectory {
        AttemptDirectory {
            directory: "/w/app".to_owned(),
            root: "/w/app".to_owned(),
        }
    }

    fn agent(files: &[&str]) -> Artifact {
        let list: Vec<String> = files.iter().map(|file| format!("- `{file}`\n")).collect();
        let text = format!(
            "{MARKER}\nSomething.\n\n**Files changed:**\n{}",
            list.concat()
        );
        Artifact::from_answer(&text).expect("it has the headings")
    }

    fn changed(files: &[&str]) -> FileChanges {
        let changed = files.iter().map(|&file| file.to_owned()).collect();
        FileChanges {
            source: FileSource::Git,
            changed,
            ..FileChanges::default()
        }
    }

    fn judged(claimed: &[&str], really: &[&str], probe: PathProbe) -> Vec<Mismatch> {
        find_mismatches(
            Claim {
                artifact: &agent(claimed),
                place: &place(),
                home: None,
                is_idle: false,
            },
            &changed(really),
            &[],
            |_| probe,
        )
    }

    fn untouched(path: &str, exists: bool) -> Mismatch {
        Mismatch::ClaimedUntouched {
            path: path.to_owned(),
            exists,
        }
    }

    fn unmentioned(path: &str) -> Mismatch {
        Mismatch::Unmentioned {
            path: path.to_owned(),
        }
    }

    #[test]
    fn claims_are_compared_with_changes() {
        use PathProbe::{Changed, Missing, Unchanged, Unknown};
        for (claimed, really, probe, expected) in [
            (&["src/a.rs"][..], &["src/a.rs"][..], Unchanged, vec![]),
            (&["./src/a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["/w/app/src/a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["a.rs"], &["src/a.rs"], Unchanged, vec![]),
            (&["src/"], &["src/a.rs", "src/b/c.rs"], Unchanged, vec![]),
            (&["src/*.rs"], &["src/a.rs", "src/b.rs"], Unchanged, vec![]),
            (
                &["src/a.rs"],
                &[],
                Unchanged,
                vec![untouched("src/a.rs", true)],
            ),
            (
                &["src/a.rs"],
                &[],
                Missing,
                vec![untouched("src/a.rs", false)],
            ),
            (&["dist/a.js"], &[], Changed, vec![]),
            (&["/etc/x"], &[], Unknown, vec![]),
            (&[], &["src/a.rs"], Unchanged, vec![unmentioned("src/a.rs")]),
            (
                &["b.rs"],
                &["ab.rs"],
                Missing,
                vec![untouched("b.rs", false), unmentioned("ab.rs")],
            ),
            (
                &["src/*.ts"],
                &["src/a.rs"],
                Missing,
                vec![untouched("src/*.ts", false), unmentioned("src/a.rs")],
            ),
        ] {
            assert_eq!(
                judged(claimed, really, probe),
                expected,
                "{claimed:?} against {really:?}"
            );
        }
    }

    #[test]
    fn concurrent_changes_do_not_contradict_a_claim() {
        let files = FileChanges {
            beside: vec!["Other".to_owned()],
            ..changed(&["theirs.rs"])
        };
        let (artifact, place) = (agent(&["mine.rs"]), place());
        let claim = Claim {
            artifact: &artifact,
            place: &place,
            home: None,
            is_idle: false,
        };
        assert_eq!(
            find_mismatches(claim, &files, &[], |_| PathProbe::Missing),
            [untouched("mine.rs", false)]
        );
    }

    #[test]
    fn shared_changes_are_not_mismatches() {
        let files = FileChanges {
            shared: vec!["either.rs".to_owned()],
            ..changed(&["mine.rs"])
        };
        let place = place();
        for named in [&["mine.rs", "either.rs"][..], &["mine.rs"]] {
            let artifact = agent(named);
            let claim = Claim {
                artifact: &artifact,
                place: &place,
                home: None,
                is_idle: false,
            };
            assert_eq!(
                find_mismatches(claim, &files, &[], |_| PathProbe::Unchanged),
                [],
                "{named:?}"
            );
        }
    }

    #[test]
    fn factual_and_manual_handoffs_are_not_checked() {
        for author in [Author::Facts, Author::Person] {
            let artifact = Artifact {
                author,
                ..agent(&["x"])
            };
            let (claim, files) = (
                Claim {
                    artifact: &artifact,
                    place: &place(),
                    home: None,
                    is_idle: false,
                },
                changed(&["y"]),
            );
            assert_eq!(
                find_mismatches(claim, &files, &[], |_| PathProbe::Missing),
                []
            );
        }
    }

    #[test]
    fn unverified_reason_is_one_line() {
        let check = |verdict| CriterionCheck {
            criterion: "make test".to_owned(),
            by: Checker::Command { code: Some(2) },
            verdict,
            detail: String::new(),
            changed_since_approval: Vec::new(),
        };
        let checks = [
            check(Verdict::Met),
            check(Verdict::NotMet),
            check(Verdict::Unknown),
        ];
        let artifact = agent(&["a.rs", "b.rs"]);
        let claim = Claim {
            artifact: &artifact,
            place: &place(),
            home: None,
            is_idle: false,
        };
        let mismatches =
            find_mismatches(claim, &changed(&["c.rs"]), &checks, |_| PathProbe::Missing);
        let doubt = Evidence {
            mismatches,
            checks: checks.to_vec(),
            ..Evidence::default()
        }
        .unverified_reason()
        .expect("much");
        let said = "2 files were reported as changed but were not, 1 acceptance criterion is not met, \
             1 acceptance criterion couldn't be checked";
        assert_eq!(doubt.reason, said);
        assert_eq!(
            doubt.failed_criteria.as_deref(),
            Some("`make test` ended with exit code 2")
        );
        let only_unmentioned = vec![unmentioned("c.rs")];
        assert_eq!(
            Evidence {
                mismatches: only_unmentioned,
                ..Evidence::default()
            }
            .unverified_reason(),
            None
        );
    }

    fn path() -> impl Strategy<Value = String> {
        "[a-c]{1,2}(/[a-c]{1,2}){0,2}\\.rs"
    }

    proptest! {
        #[test]
        fn exact_claims_have_no_mismatch(paths in prop::collection::btree_set(path(), 0..12)) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            prop_assert_eq!(judged(&paths, &paths, PathProbe::Missing), vec![]);
        }

        #[test]
        fn false_claims_are_always_found(
            really in prop::collection::btree_set(path(), 0..12),
            lie in "[x-z]{3,6}\\.rs",
        ) {
            let really: Vec<&str> = really.iter().map(String::as_str).collect();
            let claimed: Vec<&str> = really.iter().copied().chain([lie.as_str()]).collect();
            prop_assert_eq!(judged(&claimed, &really, PathProbe::Missing), vec![untouched(&lie, false)]);
        }

        #[test]
        fn every_change_is_claimed_or_reported(
            really in prop::collection::btree_set(path(), 0..12),
            claimed in prop::collection::btree_set(path(), 0..12),
        ) {
            let really: Vec<&str> = really.iter().map(String::as_str).collect();
            let claimed: Vec<&str> = claimed.iter().map(String::as_str).collect();
            let found = judged(&claimed, &really, PathProbe::Unchanged);
            for path in really {
                let is_reported = found.contains(&unmentioned(path));
                let named = claimed.iter().any(|claim| path == *claim || path.ends_with(&format!("/{claim}")));
                prop_assert_eq!(is_reported, !named, "{}", path);
            }
        }

        #[test]
        fn arbitrary_claims_never_panic(claimed in prop::collection::vec("(?s).{0,20}", 0..4), really in path()) {
            let claimed: Vec<&str> = claimed.iter().map(String::as_str).collect();
            judged(&claimed, &[&really], PathProbe::Unchanged);
        }
    }
}
