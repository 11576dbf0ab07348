//! Where claim and evidence differ. Pure: who looked, and how, is for the engine.

use super::{CriterionCheck, FileChanges, Mismatch, Place, Verdict};
use crate::artifact::{Artifact, Author, FileAct, FileClaim};

/// What a handoff claims, and where its author stood.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The handoff.
    pub artifact: &'a Artifact,
    /// Where the attempt worked.
    pub place: &'a Place,
    /// What `~` and `$HOME` mean there.
    pub home: Option<&'a str>,
    /// Its agent called no tool and said nothing.
    pub is_idle: bool,
}

impl Claim<'_> {
    /// The path with its home directory written out; `None` when that is not known.
    fn at_home(&self, path: &str) -> Option<String> {
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
            // A sentence that nobody checks says nothing for or against the work.
            Verdict::Met | Verdict::NotChecked => None,
            Verdict::NotMet => Some(Mismatch::NotMet { criterion }),
            Verdict::Unknown => Some(Mismatch::Unchecked { criterion }),
        }
    }));
    found
}

/// The files that were claimed and not touched. A path that is none for certain counts only where there is such a file, and
/// one that was claimed to be gone is not missed.
fn untouched(
    claim: Claim<'_>,
    known: &[String],
    probe: &mut impl FnMut(&str) -> Probe,
) -> Vec<Mismatch> {
    let mut found = Vec::new();
    for FileClaim {
        path,
        act,
        is_certain,
    } in claim.artifact.file_claims()
    {
        let Some(meant) = claim.at_home(&path) else {
            continue;
        };
        if known
            .iter()
            .any(|changed| means(claim.place, &meant, changed))
        {
            continue;
        }
        match probe(&claim.place.absolute(&meant)) {
            Probe::Unchanged => found.push(Mismatch::ClaimedUntouched { path, exists: true }),
            Probe::Missing if is_certain && act == FileAct::Written => {
                found.push(Mismatch::ClaimedUntouched {
                    path,
                    exists: false,
                });
            }
            Probe::Missing | Probe::Changed | Probe::Unknown => {}
        }
    }
    found
}

/// The files that changed and that the text does not name, in its list or anywhere else.
fn unmentioned<'a>(
    claim: Claim<'a>,
    files: &'a FileChanges,
) -> impl Iterator<Item = Mismatch> + 'a {
    let listed = claim
        .artifact
        .file_claims()
        .into_iter()
        .map(|listed| listed.path);
    let told = claim.artifact.text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '/' | '.' | '_' | '~' | '*' | '$')
        })
        .trim_end_matches('.')
        .to_owned()
    });
    let told =
        told.filter(|word| word.contains(['.', '/']) && word.contains(char::is_alphanumeric));
    let named: Vec<String> = listed
        .chain(told)
        .filter_map(|path| claim.at_home(&path))
        .collect();
    files.paths().filter_map(move |path| {
        let changed = claim.place.absolute(path);
        let is_named = named
            .iter()
            .any(|named| means(claim.place, named, &changed));
        (!is_named).then(|| Mismatch::Unmentioned {
            path: path.to_owned(),
        })
    })
}

/// Whether the words `claimed` may mean the file `changed`: the path itself, the end of it, a folder around it, or a
/// pattern with `*`. Generous: who says `lib.rs` for `src/lib.rs` does not lie.
fn means(place: &Place, claimed: &str, changed: &str) -> bool {
    // Some file systems do not tell "readme.md" from "README.md", and neither do people.
    let (claimed, changed) = (claimed.to_lowercase(), changed.to_lowercase());
    let place = &Place {
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
    ends_so(changed) || is_below(&from_root) || (words.contains('*') && is_like(&absolute, changed))
}

/// Whether `path` is like `pattern`, in which `*` stands for anything, folders included.
fn is_like(pattern: &str, path: &str) -> bool {
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

    fn place() -> Place {
        Place {
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

    fn judged(claimed: &[&str], really: &[&str], probe: Probe) -> Vec<Mismatch> {
        judge(
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
    fn a_claim_is_held_against_what_changed() {
        use Probe::{Changed, Missing, Unchanged, Unknown};
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
    fn others_in_the_same_directory_make_nobody_a_liar() {
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
            judge(claim, &files, &[], |_| Probe::Missing),
            [untouched("mine.rs", false)]
        );
    }

    #[test]
    fn a_file_that_changed_while_others_worked_is_neither_claimed_nor_an_accusation() {
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
                judge(claim, &files, &[], |_| Probe::Unchanged),
                [],
                "{named:?}"
            );
        }
    }

    #[test]
    fn facts_and_persons_are_not_held_against_anybody() {
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
        let mismatches = judge(claim, &changed(&["c.rs"]), &checks, |_| Probe::Missing);
        let doubt = Evidence {
            mismatches,
            checks: checks.to_vec(),
            ..Evidence::default()
        }
        .doubt()
        .expect("much");
        let said = "2 files are named as changed and were not, 1 acceptance criterion is not met, \
             1 acceptance criterion could not be checked";
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
            .doubt(),
            None
        );
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
