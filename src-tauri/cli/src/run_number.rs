//! Runs named by their number: `PLAN#41`, or `#41` if only one plan has such a run.

use baton_api::wire::*;
use baton_model::{PlanId, RunId};

use crate::client::Client;
use crate::failure::Failure;
use crate::lookup_error::IdLookupError;
use crate::style;

/// The most runs on a page.
const PAGE: u32 = 200;

/// A run's number, with what names its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunNumber<'a> {
    /// The plan's title or ID, or the start of its ID; `None` for any plan.
    pub(crate) plan: Option<&'a str>,
    pub(crate) number: u32,
}

impl<'a> RunNumber<'a> {
    /// Parses `PLAN#41` or `#41`; `None` for anything else.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (plan, number) = text.trim().rsplit_once('#')?;
        // `parse` also accepts a plus sign.
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let plan = plan.trim_end();
        Some(Self {
            plan: (!plan.is_empty()).then_some(plan),
            number: number.parse().ok()?,
        })
    }
}

/// Finds the run with this number in `plan`, or in any plan. `given` is what the user typed.
pub(crate) fn find_run_by_number(
    client: &Client<'_>,
    plan: Option<PlanId>,
    number: u32,
    given: &str,
) -> Result<RunId, Failure> {
    let mut found: Vec<RunsPageRow> = Vec::new();
    let mut after = None;
    loop {
        let query = RunsPageQuery {
            plan,
            states: Vec::new(),
            started_by: None,
            search: format!("#{number}"),
            since: None,
            until: None,
            sort: RunsSort::Newest,
            after,
            limit: PAGE,
        };
        let page: RunsPage = client.ask("list the runs", "runs_page", &query)?;
        // A title that contains the number is found too.
        found.extend(page.rows.into_iter().filter(|row| row.number == number));
        after = page.next;
        if after.is_none() || (plan.is_some() && !found.is_empty()) {
            break;
        }
    }
    Ok(choose(&found, given)?)
}

fn choose(found: &[RunsPageRow], given: &str) -> Result<RunId, IdLookupError> {
    match found {
        [one] => Ok(one.id),
        [] => Err(IdLookupError::Unknown {
            kind: "run",
            given: given.to_owned(),
            nearest: Vec::new(),
        }),
        several => {
            let name = |run: &RunsPageRow| {
                let title = style::one_line(&run.title);
                format!("{} ({title}#{})", run.id, run.number)
            };
            Err(IdLookupError::Ambiguous {
                given: given.to_owned(),
                names: several.iter().take(5).map(name).collect(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_follows_the_last_number_sign() {
        let of = |plan, number| Some(RunNumber { plan, number });
        let table = [
            ("Release#41", of(Some("Release"), 41)),
            ("Release #41", of(Some("Release"), 41)),
            ("Fix issue #3#12", of(Some("Fix issue #3"), 12)),
            ("#41", of(None, 41)),
            (" #7 ", of(None, 7)),
            ("41", None),
            ("Release#", None),
            ("Release#+1", None),
            ("Release#4x", None),
            ("#99999999999", None),
        ];
        for (text, expected) in table {
            assert_eq!(RunNumber::parse(text), expected, "{text}");
        }
    }
}
