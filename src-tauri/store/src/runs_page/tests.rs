//! Which indexes a page reads.

use super::*;
use crate::Store;
use crate::column::query_rows;

fn details(store: &Store, query: &str, parameters: &[Value]) -> String {
    let query = format!("EXPLAIN QUERY PLAN {query}");
    let read = store.read(|connection| {
        query_rows(connection, &query, params_from_iter(parameters), |row| {
            Ok(row.get::<_, String>("detail")?)
        })
    });
    read.expect("readable").join("; ")
}

#[test]
fn page_reads_an_index_in_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(folder.path()).expect("an empty folder");
    let mut seen = Vec::new();
    for plan in [None, Some(PlanId(uuid::Uuid::nil()))] {
        let filter = RunsPageFilter {
            plan,
            states: vec![RunStateFilter::Failed],
            started_by: Some(StartedByFilter::Person),
            search: "title".to_owned(),
            ..RunsPageFilter::default()
        };
        let conditions = store
            .read(|connection| Conditions::new(connection, &filter))
            .expect("conditions");
        let after = RunsPageCursor {
            key: 1,
            run: RunId(uuid::Uuid::nil()),
            now: Timestamp(1),
        };
        for sort in [
            RunsSort::Newest,
            RunsSort::Oldest,
            RunsSort::Longest,
            RunsSort::Costliest,
        ] {
            for part in [Part::Ended, Part::Unfinished] {
                let query = PageQuery {
                    part,
                    sort,
                    plan: plan.is_some(),
                    now: Timestamp(1),
                };
                let mut parameters = conditions.parameters.clone();
                let sql = query.sql(&conditions, Some(after), &mut parameters);
                parameters.push(Value::from(1));
                let detail = details(&store, &sql, &parameters);
                let plan = plan.map_or("all", |_| "plan");
                seen.push(format!("{plan} {sort:?} {part:?}: {detail}"));
                if part == Part::Ended {
                    assert!(!detail.contains("TEMP B-TREE FOR ORDER"), "{detail}");
                    assert!(detail.contains("INDEX runs_page_"), "{detail}");
                }
            }
        }
    }
    insta::assert_snapshot!(seen.join("\n"));
}

#[test]
fn default_page_and_count_never_scan_the_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(folder.path()).expect("an empty folder");
    for plan in [None, Some(PlanId(uuid::Uuid::nil()))] {
        let filter = RunsPageFilter {
            plan,
            ..RunsPageFilter::default()
        };
        let conditions = store
            .read(|connection| Conditions::new(connection, &filter))
            .expect("conditions");
        let from = source(Part::Ended, RunsSort::Newest, plan.is_some());
        let count = format!("SELECT COUNT(*) FROM {from}{}", conditions.sql);
        let detail = details(&store, &count, &conditions.parameters);
        assert!(detail.contains("COVERING INDEX runs_page"), "{detail}");
    }
}
