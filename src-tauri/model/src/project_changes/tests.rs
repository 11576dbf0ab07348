//! Comparisons of states, without git.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::approval::Digest;

fn digest(content: u8) -> FileContent {
    FileContent::Digest(Digest([content; 32]))
}

fn file(path: &str, content: FileContent) -> FileState {
    FileState {
        path: path.to_owned(),
        content,
    }
}

fn tree(uncommitted: Vec<FileState>) -> RepositoryState {
    RepositoryState {
        commit: Some("a".repeat(40)),
        branch: Some("main".to_owned()),
        uncommitted,
        left_out: 0,
    }
}

fn state(repository: ProjectRepository) -> ProjectState {
    ProjectState {
        repository,
        agents: Vec::new(),
    }
}

fn since(files: &[&str]) -> CommitsSince {
    CommitsSince {
        approved: if files.is_empty() {
            ApprovedCommit::CheckedOut
        } else {
            ApprovedCommit::InHistory
        },
        count: u32::from(!files.is_empty()),
        newest: Vec::new(),
        files: files.iter().map(|path| (*path).to_owned()).collect(),
    }
}

fn now(uncommitted: &[&str], earlier: Vec<FileState>, committed: &[&str]) -> ProjectNow {
    let unread = uncommitted
        .iter()
        .map(|path| file(path, FileContent::NotRead));
    ProjectNow {
        state: state(ProjectRepository::Present(tree(unread.collect()))),
        earlier_files: earlier,
        history: Some(since(committed)),
    }
}

fn compared(then: RepositoryState, now: &ProjectNow) -> RepositoryChanges {
    let then = state(ProjectRepository::Present(then));
    match project_changes(&then, now, &NamedFiles::default()).repository {
        RepositoryComparison::Compared(changes) => changes,
        other => panic!("{other:?}"),
    }
}

fn paths(changes: &RepositoryChanges) -> Vec<(&str, bool, bool)> {
    let files = changes.files.iter();
    files
        .map(|file| (file.path.as_str(), file.committed, file.uncommitted))
        .collect()
}

#[test]
fn files_are_compared_with_the_approved_ones() {
    type Case<'a> = (
        &'a str,
        Vec<FileState>,
        ProjectNow,
        &'a [(&'a str, bool, bool)],
        u32,
    );
    let cases: Vec<Case<'_>> = vec![
        ("nothing", vec![], now(&[], vec![], &[]), &[], 0),
        (
            "a commit and an edit",
            vec![],
            now(&["b", "c"], vec![], &["a", "b"]),
            &[("a", true, false), ("b", true, true), ("c", false, true)],
            0,
        ),
        (
            "an uncommitted file stayed as it was",
            vec![file("a", digest(1))],
            now(&["a"], vec![file("a", digest(1))], &[]),
            &[],
            0,
        ),
        (
            "an uncommitted file was edited further",
            vec![file("a", digest(1))],
            now(&["a"], vec![file("a", digest(2))], &[]),
            &[("a", false, true)],
            0,
        ),
        (
            "it was committed as approved",
            vec![file("a", digest(1))],
            now(&[], vec![file("a", digest(1))], &["a"]),
            &[],
            0,
        ),
        (
            "its changes were discarded",
            vec![file("a", digest(1))],
            now(&[], vec![file("a", digest(2))], &[]),
            &[("a", false, false)],
            0,
        ),
        (
            "a new file was deleted",
            vec![file("a", digest(1))],
            now(&[], vec![file("a", FileContent::Missing)], &[]),
            &[("a", false, false)],
            0,
        ),
        (
            "a deleted file stayed deleted",
            vec![file("a", FileContent::Missing)],
            now(&["a"], vec![file("a", FileContent::Missing)], &[]),
            &[],
            0,
        ),
        (
            "unread contents are not compared",
            vec![
                file("a", FileContent::NotRead),
                file("b", digest(1)),
                file("c", digest(1)),
            ],
            now(
                &["a", "b"],
                vec![file("a", digest(1)), file("b", FileContent::NotRead)],
                &[],
            ),
            &[],
            3,
        ),
    ];
    for (name, uncommitted, now, expected, not_compared) in cases {
        let changes = compared(tree(uncommitted), &now);
        assert_eq!(paths(&changes), expected, "{name}");
        assert_eq!(changes.not_compared, not_compared, "{name}");
        assert_eq!(changes.file_count as usize, expected.len(), "{name}");
    }
}

#[test]
fn files_beyond_the_stored_ones_are_not_compared() {
    let mut then = tree(vec![file("a", digest(1))]);
    then.left_out = 3;
    let now = now(&["a", "b"], vec![file("a", digest(2))], &["c"]);
    let changes = compared(then, &now);
    assert_eq!(
        paths(&changes),
        [("a", false, true), ("c", true, false)],
        "whether b was uncommitted too isn't known"
    );
    assert_eq!(changes.not_compared, 1);
}

#[test]
fn named_files_come_first_and_all_are_counted() {
    let many: Vec<String> = (0..1_000).map(|number| format!("f{number:04}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut named = NamedFiles::default();
    named.add_file("f0900");
    let then = state(ProjectRepository::Present(tree(vec![])));
    let found = project_changes(&then, &now(&many, vec![], &many[..10]), &named);
    let RepositoryComparison::Compared(changes) = found.repository else {
        panic!("both are known");
    };
    assert_eq!(changes.files.len(), MAX_LISTED_FILES);
    assert_eq!(changes.files[0].path, "f0900");
    assert!(changes.files[0].named && !changes.files[1].named);
    assert_eq!(changes.files[1].path, "f0000");
    assert_eq!(
        (
            changes.file_count,
            changes.committed_count,
            changes.uncommitted_count
        ),
        (1_000, 10, 1_000)
    );
}

#[test]
fn branch_and_lost_commits_are_changes() {
    let mut other = now(&[], vec![], &[]);
    let ProjectRepository::Present(present) = &mut other.state.repository else {
        panic!("it is present");
    };
    present.branch = None;
    let changes = compared(tree(vec![]), &other);
    let expected = BranchChange {
        from: Some("main".to_owned()),
        to: None,
    };
    assert_eq!(changes.branch, Some(expected));
    let then = state(ProjectRepository::Present(tree(vec![])));
    for (approved, expected) in [
        (ApprovedCommit::CheckedOut, false),
        (ApprovedCommit::Unknown, false),
        (ApprovedCommit::NotInHistory, true),
        (ApprovedCommit::Gone, true),
    ] {
        let mut now = now(&[], vec![], &[]);
        now.history = Some(CommitsSince {
            approved,
            ..since(&[])
        });
        let found = project_changes(&then, &now, &NamedFiles::default());
        assert_eq!(found.any, expected, "{approved:?}");
    }
}

#[test]
fn repositories_appear_and_disappear() {
    use ProjectRepository::{Absent, Present, Unknown};
    let present = || Present(tree(vec![]));
    for (then, is, expected, any) in [
        (Absent, Absent, RepositoryComparison::NoRepository, false),
        (Absent, present(), RepositoryComparison::Created, true),
        (present(), Absent, RepositoryComparison::Removed, true),
        (Unknown, present(), RepositoryComparison::Unknown, false),
        (present(), Unknown, RepositoryComparison::Unknown, false),
    ] {
        let now = ProjectNow {
            state: state(is),
            earlier_files: Vec::new(),
            history: None,
        };
        let found = project_changes(&state(then), &now, &NamedFiles::default());
        assert_eq!((found.repository, found.any), (expected, any));
    }
}

#[test]
fn agents_are_compared_by_version() {
    let agent = |name: &str, version: Option<&str>| AgentVersion {
        agent: name.to_owned(),
        version: version.map(str::to_owned),
    };
    let then = [
        agent("claude", Some("2.1.4")),
        agent("codex", None),
        agent("gemini", Some("1")),
        agent("pi", Some("3")),
        agent("same", Some("1")),
    ];
    let now = [
        agent("claude", Some("2.2.0")),
        agent("codex", Some("1")),
        agent("gemini", None),
        agent("new", None),
        agent("same", Some("1")),
    ];
    let (changes, unknown) = compare_agents(&then, &now);
    let change = |name: &str, change| AgentChange {
        agent: name.to_owned(),
        change,
    };
    let version = AgentChangeKind::Version {
        from: "2.1.4".to_owned(),
        to: "2.2.0".to_owned(),
    };
    assert_eq!(
        changes,
        [
            change("claude", version),
            change("new", AgentChangeKind::Added),
            change("pi", AgentChangeKind::Removed),
        ]
    );
    assert_eq!(unknown, ["codex", "gemini"]);
}

fn contents() -> impl Strategy<Value = FileContent> {
    prop_oneof![
        (0_u8..3).prop_map(digest),
        Just(FileContent::Missing),
        Just(FileContent::NotRead),
    ]
}

fn trees() -> impl Strategy<Value = RepositoryState> {
    let files = proptest::collection::btree_map("[a-d]", contents(), 0..5);
    (files, 0_u32..2).prop_map(|(files, left_out)| RepositoryState {
        left_out,
        ..tree(
            files
                .iter()
                .map(|(path, content)| file(path, *content))
                .collect(),
        )
    })
}

proptest! {
    /// A file that was and is as in the commit is never listed; one that is listed was changed by
    /// a commit, is uncommitted, or was.
    #[test]
    fn only_touched_files_are_listed(
        then in trees(), present in trees(), committed in proptest::collection::btree_set("[a-f]", 0..4),
        contents in proptest::collection::vec(contents(), 5),
    ) {
        let earlier: Vec<_> = then.uncommitted.iter().zip(contents).map(|(before, content)| file(&before.path, content)).collect();
        let now = ProjectNow {
            state: state(ProjectRepository::Present(present.clone())),
            earlier_files: earlier.clone(),
            history: Some(since(&committed.iter().map(String::as_str).collect::<Vec<_>>())),
        };
        let changes = compared(then.clone(), &now);
        let touched: BTreeSet<&str> = committed.iter().map(String::as_str)
            .chain(present.uncommitted.iter().chain(&then.uncommitted).map(|file| file.path.as_str())).collect();
        for file in &changes.files {
            prop_assert!(touched.contains(file.path.as_str()));
            prop_assert_eq!(file.committed, committed.contains(&file.path));
        }
        for (before, after) in then.uncommitted.iter().zip(&earlier) {
            let listed = changes.files.iter().any(|file| file.path == before.path);
            let known = before.content != FileContent::NotRead && after.content != FileContent::NotRead;
            prop_assert_eq!(listed, known && before.content != after.content);
        }
        prop_assert!(changes.file_count as usize + (changes.not_compared as usize) <= touched.len() + 1);
    }

    #[test]
    fn project_does_not_differ_from_itself(then in trees()) {
        let now = ProjectNow {
            state: state(ProjectRepository::Present(then.clone())),
            earlier_files: then.uncommitted.clone(),
            history: Some(since(&[])),
        };
        prop_assert!(!project_changes(&state(ProjectRepository::Present(then)), &now, &NamedFiles::default()).any);
    }
}
