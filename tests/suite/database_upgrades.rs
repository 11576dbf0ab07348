//! Tests that today's Baton opens databases of every earlier format, and that their runs can
//! finish.

use std::path::Path;

use baton_api::wire::*;
use baton_model::RunState;
use baton_store::NEWEST_FORMAT;
use baton_tests::TestEnvironment;
use baton_tests::processes;
use baton_tests::test_environment::{id, state_labels};

#[test]
fn runs_from_every_database_format_finish() {
    for format in 1..=NEWEST_FORMAT {
        let databases = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/databases");
        let env =
            TestEnvironment::with_database(&databases.join(format!("format-{format}/baton.db")));
        for next in format + 1..=NEWEST_FORMAT {
            assert!(
                env.data().join(format!("baton.db.before-{next}")).exists(),
                "no copy before format {next}"
            );
        }
        let before = [
            (
                "Half way",
                "lost",
                &[
                    "done done",
                    "lost interrupted",
                    "running running",
                    "reserved waiting",
                    "after pending",
                ][..],
            ),
            ("Failed", "bad", &["bad failed", "below blocked"]),
        ];
        for (title, stuck, states) in before {
            let run = run_of(&env, title);
            let view = env.view(run);
            assert_eq!(state_labels(&view), states, "format {format}, {title}");
            // Any command takes the run over: its executor is long dead.
            let _: RunSummary = env
                .call(
                    "node_retry",
                    NodeRef {
                        run,
                        node: id(&view, stuck),
                    },
                )
                .expect("the run is stuck");
            let view = env.finish(run);
            assert_eq!(
                view.summary.state,
                RunState::Completed,
                "format {format}, {title}: {:#?}",
                state_labels(&view)
            );
        }
        assert_eq!(
            env.view(run_of(&env, "Finished")).summary.state,
            RunState::Completed
        );
        processes::wait_for_none(env.data());
    }
}

fn run_of(env: &TestEnvironment, title: &str) -> baton_model::RunId {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    runs.iter()
        .find(|run| run.title == title)
        .expect("every database contains the run")
        .id
}
