//! Files of plans: stamps, edits, and what follows from them.

use baton_model::plan::ToolOutput;
use baton_model::{MergeClash, Plan, RunId, Timestamp};
use uuid::Uuid;

use super::*;
use crate::plan_fixture::plan_of;

const FORMATS: [ProjectFileFormat; 2] = [ProjectFileFormat::Markdown, ProjectFileFormat::Yaml];

fn edit(text: &str, format: ProjectFileFormat, base: &Plan, current: &Plan) -> Option<FileEdit> {
    let mut last = 1_u128 << 80;
    merge_edit(text, format, "PLAN-1.md", base, current, &mut || {
        last += 1;
        Uuid::from_u128(last)
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

fn facts() -> FileFacts {
    FileFacts {
        created_at: Some(Timestamp(1_700_000_000_000)),
        updated_at: Some(Timestamp(1_700_000_600_250)),
        last_run: Some(LastRun {
            run: RunId(Uuid::from_u128(5)),
            number: 4,
            state: "completed".to_owned(),
            started_at: Some(Timestamp(1_700_000_700_000)),
            ended_at: None,
        }),
    }
}

#[test]
fn facts_are_in_the_front_matter_and_no_edit() {
    let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
    plan.origin.planner_model = Some("opus".to_owned());
    plan.origin.executor_model = Some("haiku".to_owned());
    plan.settings.tools_required = vec!["Read".to_owned()];
    let format = ProjectFileFormat::Markdown;
    let text = write(&plan, 7, &facts(), format);
    for line in [
        "created_at: 2023-11-14T22:13:20Z",
        "updated_at: 2023-11-14T22:23:20.25Z",
        "planner_model: opus",
        "tools_required: [Read]",
        "executor_model: haiku",
        "execution_session: sessions/00000000-0000-0000-0000-000000000005.jsonl",
        "execution_started_at: 2023-11-14T22:25:00Z",
        "result_summary: #4: completed",
    ] {
        let is_there = text.replace('"', "").lines().any(|found| found == line);
        assert!(is_there, "{line}: {text}");
    }
    let read = crate::plan_file::read(&text, Format::Markdown, "PLAN-1.md", &mut Uuid::now_v7);
    let header = read.unwrap_or_else(|error| panic!("{error}")).header;
    assert_eq!(
        header.updated_at.as_deref(),
        Some("2023-11-14T22:23:20.25Z")
    );
    assert_eq!(header.result_summary.as_deref(), Some("#4: completed"));
    assert_eq!(edit(&text, format, &plan, &plan), None);
    let without = write(&plan, 7, &FileFacts::default(), format);
    assert!(
        !without.contains("execution_") && !without.contains("_at:"),
        "{without}"
    );
}

#[test]
fn models_are_content_and_the_rest_of_the_origin_stays() {
    let mut plan = plan_of(&["A"], &[]);
    plan.origin.user = Some("anna".to_owned());
    plan.origin.executor_model = Some("haiku".to_owned());
    for format in FORMATS {
        let text = write(&plan, 1, &FileFacts::default(), format);
        let edit = edit(&text.replace("haiku", "sonnet"), format, &plan, &plan).expect("an edit");
        assert_eq!(edit.plan.origin.executor_model.as_deref(), Some("sonnet"));
        assert_eq!(edit.plan.origin.user.as_deref(), Some("anna"));
        assert_eq!(edit.clashes, []);
    }
}

#[test]
fn stamp_tells_edits_from_what_baton_wrote() {
    let plan = plan_of(&["A", "B"], &[(0, 1)]);
    for format in FORMATS {
        let text = write(&plan, 7, &facts(), format);
        let stamp = read_stamp(&text).expect("a stamp");
        assert_eq!((stamp.plan, stamp.version), (plan.id, 7), "{text}");
        assert!(stamp.is_untouched, "{text}");
        let crlf = read_stamp(&text.replace('\n', "\r\n")).expect("a stamp");
        assert!(crlf.is_untouched, "git may change line ends");
        let edited = read_stamp(&text.replace("A plan", "My plan")).expect("a stamp");
        assert!(!edited.is_untouched);
        let other = read_stamp(&text.replacen("version: 7", "version: 6", 1)).expect("a stamp");
        assert!(!other.is_untouched && other.version == 6);
    }
    assert_eq!(read_stamp("# Notes\n"), None);
}

#[test]
fn files_without_edits_change_nothing() {
    let mut plan = plan_of(&["A", "B", "C"], &[(0, 1)]);
    plan.cwd = Some("/home/anna/shop".to_owned());
    plan.nodes[0].position = Some(baton_model::node::Position { x: 4.0, y: 2.0 });
    for format in FORMATS {
        let text = write(&plan, 1, &FileFacts::default(), format);
        assert!(!text.contains("/home/anna"), "a machine's path: {text}");
        assert_eq!(edit(&text, format, &plan, &plan), None);
    }
}

#[test]
fn edits_of_both_sides_meet() {
    let base = plan_of(&["A", "B"], &[(0, 1)]);
    let mut current = base.clone();
    current.nodes[0].max_retries = 2;
    for format in FORMATS {
        let text =
            write(&base, 1, &FileFacts::default(), format).replace("A plan", "From the file");
        let edit = edit(&text, format, &base, &current).expect("an edit");
        assert_eq!(edit.clashes, []);
        assert_eq!(edit.plan.title, "From the file");
        assert_eq!(edit.plan.nodes, current.nodes);
    }
}

#[test]
fn clashes_have_both_sides() {
    let base = plan_of(&["Alpha", "B"], &[(0, 1)]);
    let mut current = base.clone();
    current.nodes[0].title = "In Baton".to_owned();
    let format = ProjectFileFormat::Yaml;
    let text = write(&base, 1, &FileFacts::default(), format).replace("Alpha", "In the file");
    let edit = edit(&text, format, &base, &current).expect("an edit");
    assert_eq!(edit.plan.nodes[0].title, "In the file");
    let [MergeClash::Node { ours, theirs }] = &edit.clashes[..] else {
        panic!("{:?}", edit.clashes)
    };
    assert_eq!(
        (ours.title.as_str(), theirs.title.as_str()),
        ("In the file", "In Baton")
    );
    assert!(clash_text(&edit.clashes[0]).starts_with("'In the file' changed in the plan"));
}

#[test]
fn large_context_is_beside_the_file() {
    let mut plan = plan_of(&["A"], &[]);
    let answer = ToolOutput {
        tool: "grep".to_owned(),
        operation: "search".to_owned(),
        data: "x".repeat(CONTEXT_LIMIT).into(),
    };
    plan.context.tool_outputs = [("found".to_owned(), answer)].into();
    for format in FORMATS {
        let text = write(&plan, 1, &FileFacts::default(), format);
        assert!(text.len() < 2_000, "{} bytes", text.len());
        assert!(text.contains(&format!("artifacts/{}/context.json", file_stem(plan.id))));
        let edited = text.replace("A plan", "My plan");
        let edit = edit(&edited, format, &plan, &plan).expect("an edit");
        assert_eq!(
            edit.plan.context, plan.context,
            "what the file doesn't have stays"
        );
    }
}

#[test]
fn no_edit_is_overwritten_before_a_proposal_has_it() {
    let stamp = |version, is_untouched| {
        FileState::Stamped(Stamp {
            plan: plan_of(&[], &[]).id,
            version,
            is_untouched,
        })
    };
    let step = |file, coverage, is_due| next_step(file, 5, coverage, is_due);
    for is_due in [true, false] {
        assert_eq!(
            step(FileState::Unknown, Coverage::None, is_due),
            NextStep::Nothing
        );
        for version in [4, 5] {
            let edited = stamp(version, false);
            assert_eq!(step(edited, Coverage::None, is_due), NextStep::Propose);
            assert_eq!(step(edited, Coverage::Waiting, is_due), NextStep::Nothing);
        }
        let newer = stamp(6, true);
        assert_eq!(step(newer, Coverage::None, is_due), NextStep::Nothing);
    }
    assert_eq!(
        step(stamp(4, false), Coverage::Decided, true),
        NextStep::Write
    );
    assert_eq!(
        step(stamp(5, false), Coverage::Decided, true),
        NextStep::Nothing
    );
    assert_eq!(
        step(stamp(4, true), Coverage::None, false),
        NextStep::Nothing,
        "a checkout of another branch"
    );
    assert_eq!(step(stamp(4, true), Coverage::None, true), NextStep::Write);
    assert_eq!(
        step(stamp(4, true), Coverage::Waiting, false),
        NextStep::Withdraw
    );
    assert_eq!(
        step(FileState::Missing, Coverage::None, true),
        NextStep::Write
    );
}
