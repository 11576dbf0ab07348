//! Finds plans, runs, sessions, proposals and nodes by an ID or title from the command line.
//!
//! An ID can be shortened to its first characters, at least four, as long as it stays unique.
//! Titles must match exactly: a run is also found by its plan's title or by its number, and a node
//! by its slug.
//! Errors suggest similar names.

use baton_api::wire::*;
use baton_model::{Node, NodeId, Plan, PlanId, ProposalId, RunId, SessionId};
use uuid::Uuid;

use crate::client::Client;
use crate::failure::Failure;
use crate::lookup_error::IdLookupError;
use crate::run_number::{self, RunNumber};
use crate::style;

/// Minimum length of a shortened ID.
const MIN_ID_PREFIX: usize = 4;
/// Maximum number of runs, sessions and proposals searched, the newest first.
const LOOKUP_LIMIT: u32 = 10_000;

/// Something that can be found by ID, name or alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    id: Uuid,
    name: String,
    alias: Option<String>,
}

/// How to handle several matches with the same title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DuplicateTitles {
    /// Choose the first, which is the latest.
    First,
    /// Fail and list the matches.
    Ambiguous,
}

/// Finds a plan by ID or title.
pub(crate) fn find_plan(client: &Client<'_>, given: &str) -> Result<PlanId, Failure> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let candidates = plans(client)?;
    Ok(PlanId(find_unique(
        "plan",
        given,
        candidates,
        DuplicateTitles::Ambiguous,
    )?))
}

/// Finds a deleted plan by ID, or the last deleted one with a title.
pub(crate) fn find_deleted_plan(
    given: &str,
    deleted: &[DeletedPlan],
) -> Result<PlanId, IdLookupError> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let candidates = deleted.iter().map(|plan| Candidate {
        id: plan.id.0,
        name: plan.title.clone(),
        alias: None,
    });
    Ok(PlanId(find_unique(
        "deleted plan",
        given,
        candidates.collect(),
        DuplicateTitles::First,
    )?))
}

fn plans(client: &Client<'_>) -> Result<Vec<Candidate>, Failure> {
    let plans: Vec<PlanSummary> = client.ask("list the plans", "plans_list", &Nothing {})?;
    let candidates = plans.into_iter().map(|plan| Candidate {
        id: plan.id.0,
        name: plan.title,
        alias: None,
    });
    Ok(candidates.collect())
}

/// Finds a run by ID or number, or the latest run of a plan by the plan's title.
pub(crate) fn find_run(client: &Client<'_>, given: &str) -> Result<RunId, Failure> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    if let Some(number) = RunNumber::parse(given)
        && let Some(run) = find_numbered_run(client, number, given)?
    {
        return Ok(run);
    }
    let runs: Vec<RunSummary> = client.ask(
        "list the runs",
        "runs_list",
        &RunsFilter {
            plan: None,
            limit: LOOKUP_LIMIT,
        },
    )?;
    let candidates = runs.into_iter().map(|run| Candidate {
        id: run.id.0,
        name: run.title,
        alias: None,
    });
    Ok(RunId(find_unique(
        "run",
        given,
        candidates.collect(),
        DuplicateTitles::First,
    )?))
}

/// Finds a run by its number. `None` if `given` is the title of a plan, such as `Fix #3`.
fn find_numbered_run(
    client: &Client<'_>,
    number: RunNumber<'_>,
    given: &str,
) -> Result<Option<RunId>, Failure> {
    let plan = match number.plan {
        None => None,
        Some(named) => match named.parse() {
            Ok(id) => Some(id),
            Err(_) => {
                let plans = plans(client)?;
                if plans.iter().any(|plan| plan.name == given.trim()) {
                    return Ok(None);
                }
                let found = find_unique("plan", named, plans, DuplicateTitles::Ambiguous)?;
                Some(PlanId(found))
            }
        },
    };
    run_number::find_run_by_number(client, plan, number.number, given).map(Some)
}

/// Finds a session by ID or title.
pub(crate) fn find_session(client: &Client<'_>, given: &str) -> Result<SessionId, Failure> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let filter = SessionsFilter {
        run: None,
        limit: LOOKUP_LIMIT,
    };
    let sessions: Vec<SessionView> = client.ask("list the sessions", "sessions_list", &filter)?;
    let candidates = sessions.into_iter().map(|session| Candidate {
        id: session.id.0,
        name: session.title,
        alias: None,
    });
    Ok(SessionId(find_unique(
        "session",
        given,
        candidates.collect(),
        DuplicateTitles::Ambiguous,
    )?))
}

/// Finds a proposal by ID, or the latest one with a title.
pub(crate) fn find_proposal(client: &Client<'_>, given: &str) -> Result<ProposalId, Failure> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let filter = ProposalsFilter {
        open: false,
        plan: None,
        limit: LOOKUP_LIMIT,
    };
    let proposals: Vec<ProposalSummary> =
        client.ask("list the proposals", "proposals_list", &filter)?;
    let candidates = proposals.into_iter().map(|one| Candidate {
        id: one.id.0,
        name: one.title,
        alias: None,
    });
    Ok(ProposalId(find_unique(
        "proposal",
        given,
        candidates.collect(),
        DuplicateTitles::First,
    )?))
}

/// Finds an executable node of `plan` by slug, title or ID.
pub(crate) fn find_node(plan: &Plan, given: &str) -> Result<NodeId, IdLookupError> {
    let candidates = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .map(candidate_of)
        .collect();
    Ok(NodeId(find_unique(
        "node",
        given,
        candidates,
        DuplicateTitles::Ambiguous,
    )?))
}

fn candidate_of(node: &Node) -> Candidate {
    Candidate {
        id: node.id.0,
        name: node.slug.to_string(),
        alias: Some(node.title.clone()),
    }
}

fn find_unique(
    kind: &'static str,
    given: &str,
    candidates: Vec<Candidate>,
    duplicates: DuplicateTitles,
) -> Result<Uuid, IdLookupError> {
    let given = given.trim();
    let by_name: Vec<_> = candidates.iter().filter(|c| c.name == given).collect();
    let by_alias = || {
        candidates
            .iter()
            .filter(|c| c.alias.as_deref() == Some(given))
            .collect()
    };
    let by_id = || {
        candidates
            .iter()
            .filter(|c| starts_with(c.id, given))
            .collect()
    };
    let found = [by_name]
        .into_iter()
        .chain([by_alias()])
        .chain([by_id()])
        .find(|found: &Vec<_>| !found.is_empty());
    match found.as_deref() {
        Some([one]) => Ok(one.id),
        Some([first, ..]) if duplicates == DuplicateTitles::First && first.name == given => {
            Ok(first.id)
        }
        Some(several @ [_, ..]) => {
            let names = several
                .iter()
                .take(5)
                .map(|c| format!("{} ({})", c.id, style::one_line(&c.name)));
            Err(IdLookupError::Ambiguous {
                given: given.to_owned(),
                names: names.collect(),
            })
        }
        Some([]) | None => Err(IdLookupError::Unknown {
            kind,
            given: given.to_owned(),
            nearest: nearest(given, &candidates),
        }),
    }
}

fn starts_with(id: Uuid, given: &str) -> bool {
    given.len() >= MIN_ID_PREFIX && id.to_string().starts_with(&given.to_ascii_lowercase())
}

fn nearest(given: &str, candidates: &[Candidate]) -> Vec<String> {
    let names = candidates
        .iter()
        .flat_map(|c| [Some(&c.name), c.alias.as_ref()])
        .flatten();
    nearest_names(given, names.map(String::as_str))
}

/// Returns up to three of `names` that are similar to `given`, quoted, the most similar first.
pub(crate) fn nearest_names<'a>(
    given: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let wanted = given.to_lowercase();
    let mut near: Vec<_> = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name))
        .filter(|(similarity, _)| *similarity > 0.75)
        .collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.dedup_by(|(_, a), (_, b)| a == b);
    near.into_iter()
        .take(3)
        .map(|(_, name)| format!("'{}'", style::cut(&style::one_line(name), 60)))
        .collect()
}

/// Shortens IDs to the length at which they are unique, at least eight characters.
pub(crate) fn short_ids(ids: impl IntoIterator<Item = Uuid>) -> Vec<String> {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    let mut sorted: Vec<&str> = ids.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let shared = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let longest = sorted
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .map(|pair| shared(pair[0], pair[1]))
        .max();
    let length = longest.map_or(8, |shared| shared + 1).clamp(8, 36);
    ids.iter()
        .map(|id| id[..length].trim_end_matches('-').to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        let of = |id: u128, name: &str, alias: Option<&str>| Candidate {
            id: Uuid::from_u128(id << 96),
            name: name.to_owned(),
            alias: alias.map(str::to_owned),
        };
        vec![
            of(0xabcd_0001, "collect", Some("Collect commits")),
            of(0xabcd_0002, "draft", Some("Write the notes")),
            of(0x1234_0003, "twin", None),
            of(0x1234_9004, "twin", None),
        ]
    }

    fn picked(given: &str, duplicates: DuplicateTitles) -> String {
        find_unique("node", given, candidates(), duplicates)
            .map_or_else(|error| error.to_string(), |id| id.to_string())
    }

    #[test]
    fn finds_by_name_title_or_id_prefix() {
        use DuplicateTitles::{Ambiguous, First};
        let table = [
            ("collect", Ambiguous),
            ("Write the notes", Ambiguous),
            ("ABCD0001", Ambiguous),
            ("12349", Ambiguous),
            ("abcd", Ambiguous),
            ("abc", Ambiguous),
            ("colect", Ambiguous),
            ("twin", Ambiguous),
            ("twin", First),
            ("xyz", Ambiguous),
        ];
        let results = table.map(|(given, same)| format!("{given}: {}", picked(given, same)));
        insta::assert_snapshot!(results.join("\n"), @r"
        collect: abcd0001-0000-0000-0000-000000000000
        Write the notes: abcd0002-0000-0000-0000-000000000000
        ABCD0001: abcd0001-0000-0000-0000-000000000000
        12349: 12349004-0000-0000-0000-000000000000
        abcd: 'abcd' is ambiguous: it matches abcd0001-0000-0000-0000-000000000000 (collect), abcd0002-0000-0000-0000-000000000000 (draft). Use more of the ID
        abc: no node matches 'abc'
        colect: no node matches 'colect'. Did you mean 'collect' or 'Collect commits'?
        twin: 'twin' is ambiguous: it matches 12340003-0000-0000-0000-000000000000 (twin), 12349004-0000-0000-0000-000000000000 (twin). Use more of the ID
        twin: 12340003-0000-0000-0000-000000000000
        xyz: no node matches 'xyz'
        ");
    }

    #[test]
    fn short_ids_stay_unique() {
        let ids = [0x0000_1111_2222_u128, 0x0000_1111_3333].map(|id| Uuid::from_u128(id << 80));
        assert_eq!(short_ids(ids), ["00001111-2", "00001111-3"]);
        assert_eq!(short_ids([Uuid::nil()]), ["00000000"]);
    }
}
