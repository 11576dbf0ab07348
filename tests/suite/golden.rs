//! Databases of every format that there was, found by today's Baton: their runs come to their ends.

use std::path::Path;

use baton_api::wire::*;
use baton_model::RunState;
use baton_store::NEWEST_FORMAT;
use baton_tests::House;
use baton_tests::house::{id, words};
use baton_tests::processes;

#[test]
fn runs_of_every_format_are_taken_up_and_finished() {
    for format in 1..=NEWEST_FORMAT {
        let databases = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/databases");
        let house = House::over(&databases.join(format!("format-{format}/baton.db")));
        for next in format + 1..=NEWEST_FORMAT {
            assert!(
                house
                    .data()
                    .join(format!("baton.db.before-{next}"))
                    .exists(),
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
            let run = run_of(&house, title);
            let view = house.view(run);
            assert_eq!(words(&view), states, "format {format}, {title}");
            // Whoever asks for something takes the run over: its executor is long dead.
            let _: RunSummary = house
                .ask(
                    "node_retry",
                    NodeRef {
                        run,
                        node: id(&view, stuck),
                    },
                )
                .expect("it is stuck");
            let view = house.finish(run);
            assert_eq!(
                view.summary.state,
                RunState::Completed,
                "format {format}, {title}: {:#?}",
                words(&view)
            );
        }
        assert_eq!(
            house.view(run_of(&house, "Finished")).summary.state,
            RunState::Completed
        );
        processes::wait_for_none(house.data());
    }
}

fn run_of(house: &House, title: &str) -> baton_model::RunId {
    let runs: Vec<RunSummary> = house
        .ask(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    runs.iter()
        .find(|run| run.title == title)
        .expect("each format's database holds it")
        .id
}
