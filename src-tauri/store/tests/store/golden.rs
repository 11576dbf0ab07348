//! Databases of every released format, as written by the programs of their time.

use std::fs;
use std::path::{Path, PathBuf};

use baton_model::artifact::Facts;
use baton_model::outcome::Failure;
use baton_model::planning::{ProposalState, Subject};
use baton_model::run::Command;
use baton_model::{Artifact, ArtifactId, Edge, NodeId, Outcome, Plan, RunState, Slug, Timestamp};
use baton_store::{Actor, Approval, NEWEST_FORMAT, NewArtifact, ProposalsFilter, Store};
use rusqlite::Connection;
use uuid::Uuid;

use crate::approvals::approval;
use crate::plan_deletion::{basis, proposal};
use crate::runs::check_against_history;
use crate::sample_run::{SampleRun, layered_plan, open};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/databases")
}

fn file_of(format: u32) -> PathBuf {
    fixtures().join(format!("format-{format}")).join("baton.db")
}

#[test]
fn golden_database_exists_for_every_format() {
    let newest = file_of(NEWEST_FORMAT);
    if std::env::var_os("BATON_GOLDEN").is_some() && !newest.exists() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        fs::create_dir_all(newest.parent().unwrap()).unwrap();
        fs::copy(folder.path().join("baton.db"), &newest).unwrap();
    }
    for format in 1..=NEWEST_FORMAT {
        let file = file_of(format);
        let size = fs::metadata(&file).map_or(0, |found| found.len());
        assert!(
            (1..400_000).contains(&size),
            "{}: {size} bytes; its folder's README says how to make it",
            file.display()
        );
        // Tests in other processes may read the same file, so nothing may be written next to it.
        let uri = format!("file:{}?immutable=1", file.display());
        let version: u32 = Connection::open(uri)
            .unwrap()
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(version, format);
    }
}

#[test]
fn golden_databases_of_every_format_migrate_and_continue() {
    for format in 1..=NEWEST_FORMAT {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baton.db");
        fs::copy(file_of(format), &path).unwrap();
        let store = open(folder.path()).unwrap_or_else(|error| panic!("format {format}: {error}"));
        for next in format + 1..=NEWEST_FORMAT {
            assert!(
                folder
                    .path()
                    .join(format!("baton.db.before-{next}"))
                    .exists(),
                "no copy before format {next}"
            );
        }
        assert!(
            !folder
                .path()
                .join(format!("baton.db.before-{format}"))
                .exists(),
            "no migration led to format {format}"
        );
        let mut titles: Vec<String> = store
            .runs()
            .list(None, 10)
            .unwrap()
            .rows
            .iter()
            .map(|run| continue_run(&store, run.id))
            .collect();
        titles.sort_unstable();
        check_approvals(&store, format);
        check_basis(&store, format);
        assert_eq!(
            titles,
            ["Failed", "Finished", "Half way"],
            "format {format}"
        );
    }
}

/// Content that is JSON, but no plan, is a damaged row. It must not keep the database from opening.
#[test]
fn mistyped_content_does_not_prevent_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baton.db");
    fs::copy(file_of(11), &path).unwrap();
    let rows = Connection::open(&path).unwrap();
    for (number, settings) in [
        r#"{"priority": "high", "autonomy": [1]}"#,
        r#"{"priority": 5.5, "autonomy": {}}"#,
        r#"{"priority": 700, "autonomy": 9}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let update = "UPDATE plan_versions SET content = json_set(content, '$.settings', json(?1),
                '$.origin', json('{\"user\": 7, \"goal\": [1]}'))
            WHERE plan = (SELECT id FROM plans ORDER BY id LIMIT 1 OFFSET ?2)";
        let changed = rows
            .execute(update, rusqlite::params![settings, number])
            .unwrap();
        assert!(changed > 0, "{settings}");
    }
    drop(rows);
    let store = open(folder.path()).unwrap();
    let plans = store.plans().list().unwrap();
    assert_eq!(plans.rows.len(), 3, "{:?}", plans.unreadable);
    assert!(
        plans
            .rows
            .iter()
            .all(|row| row.priority == 5 && row.autonomy.is_none())
    );
    assert!(
        plans
            .rows
            .iter()
            .all(|row| row.user.is_none() && row.goal.is_none())
    );
}

/// Approvals are stored since format 9, with the state of the project since format 11. Plans
/// approved earlier stay approved.
fn check_approvals(store: &Store, format: u32) {
    let rows = store.plans().list().unwrap().rows;
    let half = rows.iter().find(|row| row.title == "Half way").unwrap();
    let expected = (format >= 9).then(|| {
        let newest = approval(900);
        let project = newest.project.clone().filter(|_| format >= 11);
        Approval { project, ..newest }
    });
    assert_eq!(
        store.approvals().newest(half.record.plan, 1).unwrap(),
        expected,
        "format {format}"
    );
    assert_eq!(half.record.agents_may_start, format >= 9, "format {format}");
}

/// What a draft was made from is stored since format 13.
fn check_basis(store: &Store, format: u32) {
    let filter = ProposalsFilter {
        limit: 9,
        ..ProposalsFilter::default()
    };
    let rows = store.proposals().list(filter).unwrap().rows;
    let found: Vec<_> = rows
        .iter()
        .map(|row| store.proposals().basis(row.proposal.id).unwrap())
        .collect();
    let expected = if format >= 13 {
        vec![Some(basis())]
    } else {
        vec![]
    };
    assert_eq!(found, expected, "format {format}");
}

/// Finishes a run, as after an update of Baton, and returns its plan's title.
fn continue_run(store: &Store, run: baton_model::RunId) -> String {
    store.runs().rebuild_node_states(run).unwrap();
    check_against_history(store, run);
    let mut sample = SampleRun::load(store, run);
    let title = sample.run.plan().title.clone();
    if title == "Finished" {
        assert_eq!(*sample.run.state(), RunState::Completed);
        return title;
    }
    sample.take_over();
    let stuck: Vec<NodeId> = sample
        .run
        .nodes()
        .filter(|(_, view)| matches!(view.state.as_str(), "interrupted" | "failed"))
        .map(|(node, _)| node.id)
        .collect();
    assert_eq!(stuck.len(), 1, "{title}");
    for node in stuck {
        sample
            .command(
                &Command::RetryNode {
                    node,
                    resume: false,
                },
                &[],
            )
            .unwrap();
    }
    sample.finish();
    assert_eq!(*sample.run.state(), RunState::Completed, "{title}");
    check_against_history(store, run);
    title
}

/// Writes a database of the newest format. Older ones were written by this function with the store
/// of their time.
fn write(folder: &Path) {
    let store = Store::open(folder).unwrap();
    let half = plan(
        "Half way",
        &[
            ("done", ""),
            ("lost", ""),
            ("running", ""),
            ("reserved", ""),
            ("after", "reserved"),
        ],
    );
    let mut sample = SampleRun::begin(&store, half.clone());
    // Supported since format 9.
    store.plans().approve(half.id, 1, &approval(900)).unwrap();
    store.plans().set_agents_may_start(half.id, true).unwrap();
    started(&mut sample, half.nodes[0].id);
    ended(&mut sample, half.nodes[0].id, Outcome::Succeeded);
    started(&mut sample, half.nodes[1].id);
    ended(
        &mut sample,
        half.nodes[1].id,
        Outcome::Lost {
            detail: "the machine went down".to_owned(),
        },
    );
    started(&mut sample, half.nodes[2].id);
    let words: Vec<&str> = sample
        .run
        .nodes()
        .map(|(_, view)| view.state.as_str())
        .collect();
    assert_eq!(
        words,
        ["done", "interrupted", "running", "waiting", "pending"]
    );
    SampleRun::begin(
        &store,
        plan("Finished", &[("first", ""), ("second", "first")]),
    )
    .finish();
    let failed = plan("Failed", &[("bad", ""), ("below", "bad")]);
    let mut sample = SampleRun::begin(&store, failed.clone());
    started(&mut sample, failed.nodes[0].id);
    ended(
        &mut sample,
        failed.nodes[0].id,
        Outcome::Failed {
            failure: Failure::ExitCode { code: 1 },
        },
    );
    // Supported since format 13.
    let change = Subject::SubmittedChange {
        plan: failed.id,
        version: 1,
    };
    let change = proposal(change, ProposalState::Ready, None);
    let author = Actor::Agent("claude".to_owned());
    store
        .proposals()
        .submit(&change, Some("one"), &basis(), &author)
        .unwrap();
    drop((sample, store));
    Connection::open(folder.join("baton.db"))
        .unwrap()
        .execute_batch("VACUUM")
        .unwrap();
}

/// A plan of nodes given as (slug, parent slug); an empty parent means none.
fn plan(title: &str, nodes: &[(&str, &str)]) -> Plan {
    let mut plan = layered_plan(nodes.len(), 1);
    plan.title = title.to_owned();
    plan.cwd = Some("/".to_owned());
    plan.edges.clear();
    for (at, (slug, parent)) in nodes.iter().enumerate() {
        plan.nodes[at].slug = Slug::new(slug).unwrap();
        plan.nodes[at].title = (*slug).to_owned();
        if let Some(above) = nodes.iter().position(|(slug, _)| slug == parent) {
            plan.edges.push(Edge {
                parent: plan.nodes[above].id,
                child: plan.nodes[at].id,
                soft: false,
                inferred: false,
            });
        }
    }
    plan
}

fn started(sample: &mut SampleRun, node: NodeId) {
    let attempt = sample.run.node(node).unwrap().attempt;
    sample
        .command(
            &Command::SessionStarted {
                node,
                attempt,
                checkpoint: None,
            },
            &[],
        )
        .unwrap();
}

fn ended(sample: &mut SampleRun, node: NodeId, outcome: Outcome) {
    let attempt = sample.run.node(node).unwrap().attempt;
    let facts = Facts {
        done: "`true` ended with exit code 0.".to_owned(),
        ..Facts::default()
    };
    let left = (outcome == Outcome::Succeeded).then(|| NewArtifact {
        id: ArtifactId(Uuid::now_v7()),
        node,
        attempt,
        content: Artifact::from_facts(facts),
        created_at: Timestamp(1100),
    });
    let artifact = left.as_ref().map(|left| left.id);
    sample
        .command(
            &Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact,
                taken: None,
                doubt: None,
            },
            left.as_slice(),
        )
        .unwrap();
}
