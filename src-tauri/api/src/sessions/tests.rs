//! Lists of very many sessions.

use std::sync::Arc;

use baton_model::arbiter::EmptyRoster;
use baton_model::node::{CommandLine, CommandTask, NodeKind};
use baton_model::run::{Command, Context, Event, UnlimitedPermits};
use baton_model::{ExecutorId, Goal, Node, Plan, Run, SessionId, Slug, Timestamp};
use baton_store::{Actor, NewRun, NewSession, RecordedEvent, Store};
use uuid::Uuid;

use super::*;
use crate::Role;

pub(crate) fn plan(nodes: u32) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), "Many");
    for number in 0..nodes {
        let command = CommandLine::Argv(vec!["true".to_owned()]);
        let kind = NodeKind::Command(CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        });
        let slug = Slug::from_title(&format!("n{number}"));
        plan.nodes.push(Node::new(
            NodeId(Uuid::now_v7()),
            slug,
            format!("Node {number}"),
            kind,
        ));
    }
    plan
}

/// Stores a run that has reserved a session for each node.
fn begin(app: &App, nodes: u32) -> RunId {
    begin_plan(app, plan(nodes))
}

/// Stores a run of `plan` that has reserved a session for each node that can start.
pub(crate) fn begin_plan(app: &App, plan: Plan) -> RunId {
    let nodes = u32::try_from(plan.nodes.len()).expect("few nodes");
    app.store
        .plans()
        .create(&plan, &Actor::PERSON, Timestamp(1))
        .expect("new plan");
    let mut run = Run::new(RunId(Uuid::now_v7()), Arc::new(plan)).expect("no cycle");
    let executor = ExecutorId(Uuid::now_v7());
    let start = Command::Start {
        version: 1,
        goal: Goal::All,
        limit: Some(nodes),
        executor,
        default_agent: None,
        inherits: None,
        grants: Vec::new(),
        caller: None,
        pinned: Vec::new(),
    };
    let fill_templates: &dyn Fn(NodeId, &str) -> String = &|_, text| text.to_owned();
    let new_session: &mut dyn FnMut() -> SessionId = &mut || SessionId(Uuid::now_v7());
    let at = Timestamp(1);
    let (roster, permits) = (&EmptyRoster, &UnlimitedPermits);
    let mut context = Context {
        now: at,
        chance: 0.5,
        new_session,
        artifact: None,
        fill_templates,
        roster,
        permits,
    };
    let events = run
        .step(&start, &mut context)
        .expect("new run starts")
        .events;
    let session = |event: &Event| match event {
        Event::NodeReserved {
            node,
            attempt,
            session,
            ..
        } => Some(NewSession {
            id: *session,
            node: *node,
            attempt: *attempt,
            agent: None,
            folder: format!("sessions/{session}"),
            title: "A node".to_owned(),
            created_at: at,
        }),
        _ => None,
    };
    let sessions: Vec<NewSession> = events.iter().filter_map(session).collect();
    let records: Vec<RecordedEvent> = events
        .into_iter()
        .map(|event| RecordedEvent {
            at,
            actor: Actor::Baton,
            event,
        })
        .collect();
    let (actor, parent) = (&Actor::PERSON, None);
    let new = NewRun {
        run: &run,
        version: 1,
        base_revision: None,
        executor,
        parent,
        actor,
        at,
        records: &records,
        sessions: &sessions,
        artifacts: &[],
    };
    app.store.runs().create(&new).expect("new run");
    run.id()
}

/// Listing a thousand sessions takes as many reads as listing ten.
#[test]
fn list_does_not_query_per_session() {
    let folder = tempfile::tempdir().expect("temp dir");
    let keeper = std::env::current_exe().expect("current exe");
    let app = App::open_with_keeper(folder.path().to_path_buf(), Role::Cli, keeper).expect("opens");
    let reads: HashMap<u32, u64> = [10, 1000]
        .into_iter()
        .map(|nodes| {
            let run = Some(begin(&app, nodes));
            let before = Store::thread_read_count();
            let listed = list(
                &app,
                SessionsFilter {
                    run,
                    limit: u32::MAX,
                },
            )
            .expect("stored");
            assert_eq!(listed.len(), nodes as usize);
            (nodes, Store::thread_read_count() - before)
        })
        .collect();
    assert_eq!(reads[&10], reads[&1000], "{reads:?}");
}

#[test]
fn end_of_a_long_timeline_is_there_before_the_rest_is_read() {
    let directory = tempfile::tempdir().expect("temp dir");
    let keeper = std::env::current_exe().expect("current exe");
    let app = App::open_with_keeper(directory.path().to_path_buf(), Role::Cli, keeper);
    let app = app.expect("opens");
    let run = begin(&app, 1);
    let row = app
        .store
        .sessions()
        .list(Some(run), 1)
        .expect("stored")
        .rows
        .remove(0);
    let folder = app.store.data_dir().join(&row.folder);
    std::fs::create_dir_all(&folder).expect("new folder");
    let lines: String = (0..1_000_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    std::fs::write(folder.join(baton_keeper::STDOUT), lines).expect("written");
    let session = row.id;
    let ask = |from, of_end| {
        let range = TimelineRange {
            session,
            from,
            limit: 2,
            since: None,
            of_end,
        };
        timeline(&app, range).expect("readable")
    };
    let end = ask(-2, true);
    assert!(end.reading.is_some(), "the rest isn't read yet");
    let last = |page: &TimelinePage| page.entries.last().expect("an entry").clone();
    let shown = serde_json::to_string(&last(&end).kind).expect("JSON");
    assert!(shown.contains("line 999999"), "{shown}");
    assert_eq!(last(&end).seq, end.total - 1);
    let wanted = TimelineEntryRef {
        session,
        seq: last(&end).seq,
        of_end: true,
    };
    assert_eq!(entry(&app, wanted).expect("readable"), last(&end));
    // Read completely, the end has the usual numbers.
    let whole = ask(-2, false);
    assert!(whole.total > end.total);
    let end = ask(-2, true);
    assert_eq!((end.reading, end.total), (None, whole.total));
    assert_eq!(end.entries, whole.entries);
}
