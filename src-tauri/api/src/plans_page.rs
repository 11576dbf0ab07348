//! Lists plans page by page.

use std::str::FromStr;

use baton_store::PlansPageFilter;

use crate::wire::*;
use crate::{ApiError, App, Code, admission, damage, plans};

/// Maximum number of plans on a page.
const MAX_LIMIT: u32 = 1000;

/// Returns one page of plans. A plan that can't be read takes its place with what is readable.
pub(crate) fn page(app: &App, input: PlansPageQuery) -> Result<PlansPage, ApiError> {
    if !(1..=MAX_LIMIT).contains(&input.limit) {
        let message = format!("a page has from 1 to {MAX_LIMIT} plans");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a limit in that range"));
    }
    let offset = match &input.cursor {
        Some(cursor) => parse_cursor(cursor)?,
        None => input.offset,
    };
    // As in the list of plans, a session sees only its own.
    let session = admission::calling_session(app)?;
    let plan = session
        .map(|session| app.store.runs().get(session.run))
        .transpose()?
        .map(|run| run.plan);
    let filter = PlansPageFilter {
        plan,
        statuses: input.statuses,
        user: input.user,
        goal: input.goal,
        trigger: input.trigger,
        cwd: input.cwd,
        search: input.search,
    };
    let page = app
        .store
        .plans()
        .page(&filter, input.sort, offset, input.limit)?;
    let unreadable = page.plans.unreadable.iter();
    let damaged = unreadable
        .filter(|row| row.table == "plans")
        .map(|row| damage::plan_summary(app, row));
    let whole = page
        .plans
        .rows
        .into_iter()
        .map(|row| plans::summary_or_damage(app, row));
    let end = offset.saturating_add(input.limit);
    Ok(PlansPage {
        plans: damaged
            .filter_map(Result::transpose)
            .chain(whole)
            .collect::<Result<_, _>>()?,
        total: page.total,
        offset,
        next: (end < page.total).then(|| format_cursor(end)),
    })
}

/// A text of Baton's own: programs are to hand it back, not to build it.
fn format_cursor(offset: u32) -> String {
    format!("p{offset}")
}

fn parse_cursor(text: &str) -> Result<u32, ApiError> {
    let number = text
        .strip_prefix('p')
        .and_then(|number| u32::from_str(number).ok());
    number.ok_or_else(|| {
        ApiError::new(Code::BadInput, "the page to continue after doesn't exist")
            .with_fix("load the first page again")
    })
}
