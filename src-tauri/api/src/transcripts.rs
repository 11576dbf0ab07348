//! Operations on the agents' own histories.

use std::collections::{BTreeMap, HashMap};

use baton_agents::TimelineEntry;
use baton_model::Timestamp;
use baton_planning::timelines::{self, Range};
use baton_store::NamedSession;
use baton_transcripts as library;

use crate::wire::*;
use crate::{ApiError, App, Code, documents};

/// The rows of a page when nobody says how many.
const ROWS: u32 = 100;
/// The most rows of a page.
const MOST_ROWS: u32 = 1_000;

/// Lists transcripts.
pub(crate) fn list(app: &App, input: TranscriptsFilter) -> Result<TranscriptsPage, ApiError> {
    let links = Links::read(app)?;
    let part = part(input.offset.unwrap_or(0), input.limit.unwrap_or(ROWS));
    let sort = sort(input.sort.unwrap_or_default());
    let page = app
        .transcripts(false)?
        .page(&filter(app, input, &links)?, sort, part)?;
    let rows = page.rows.into_iter().map(|row| view(row, &links)).collect();
    Ok(TranscriptsPage {
        total: page.total,
        rows,
        indexing: indexing(app),
    })
}

/// Shows a transcript in one line.
pub(crate) fn get(app: &App, input: TranscriptRef) -> Result<TranscriptRow, ApiError> {
    let row = app.transcripts(false)?.get(&input.id)?;
    Ok(view(row, &Links::read(app)?))
}

/// Lists the directories that agents worked in.
pub(crate) fn projects(app: &App, _: Nothing) -> Result<Vec<TranscriptProject>, ApiError> {
    let projects = app.transcripts(false)?.projects()?.into_iter();
    Ok(projects
        .map(|row| TranscriptProject {
            project: row.project,
            transcripts: row.transcripts,
            latest: row.latest.map(Timestamp),
        })
        .collect())
}

/// Finds words in what was said.
pub(crate) fn search(app: &App, input: TranscriptsSearch) -> Result<TranscriptHits, ApiError> {
    let links = Links::read(app)?;
    let filter = filter(app, input.filter, &links)?;
    let found =
        app.transcripts(true)?
            .search(&input.text, &filter, part(input.offset, input.limit))?;
    let hits = found.hits.into_iter().map(|hit| TranscriptHit {
        row: view(hit.row, &links),
        records: hit.records,
        excerpts: hit.excerpts.into_iter().map(excerpt).collect(),
    });
    Ok(TranscriptHits {
        total: found.total,
        hits: hits.collect(),
        tool_output_bytes: library::history::TOOL_OUTPUT_BYTES,
        indexing: indexing(app),
    })
}

/// Shows a part of a transcript's timeline.
pub(crate) fn timeline(app: &App, input: TranscriptRange) -> Result<TimelinePage, ApiError> {
    let range = Range {
        from: input.from,
        limit: input.limit,
        since: input.since,
    };
    let context = app.context();
    Ok(timelines::transcript_page(
        context, &input.id, range, input.at,
    )?)
}

/// Shows one entry of a transcript's timeline whole, up to 4 MiB of it.
pub(crate) fn entry(app: &App, input: TranscriptEntryRef) -> Result<TimelineEntry, ApiError> {
    let context = app.context();
    Ok(timelines::transcript_entry(context, &input.id, input.seq)?)
}

/// Finds a text in a transcript's timeline, in any case.
pub(crate) fn find(app: &App, input: TranscriptFind) -> Result<TimelineHits, ApiError> {
    let (context, TranscriptFind { id, text, limit }) = (app.context(), input);
    Ok(timelines::transcript_search(context, &id, &text, limit)?)
}

/// Rebuilds the index.
pub(crate) fn rebuild(app: &App, _: Nothing) -> Result<TranscriptsIndexing, ApiError> {
    app.transcripts(false)?.rebuild()?;
    Ok(indexing(app))
}

/// The transcript of a session that Baton ran: what the index calls it, whether or not it knows it already.
pub(crate) fn id_of(agent: Option<&str>, native_id: Option<&str>) -> Option<String> {
    let agent = library::Agent::named(agent?)?;
    Some(format!("{agent}:{}", native_id?))
}

/// The sessions that transcripts belong to, by the transcripts' ids.
struct Links(HashMap<String, TranscriptLink>);

impl Links {
    fn read(app: &App) -> Result<Self, ApiError> {
        // The latest session comes last: the link leads there when a conversation was continued.
        let linked = app
            .store
            .sessions()
            .natively_named()?
            .into_iter()
            .filter_map(|session| {
                let id = id_of(Some(&session.agent), Some(&session.native_id))?;
                let NamedSession {
                    plan,
                    run,
                    node,
                    session,
                    ..
                } = session;
                Some((
                    id,
                    TranscriptLink {
                        plan,
                        run,
                        node,
                        session,
                    },
                ))
            });
        Ok(Self(linked.collect()))
    }

    fn ids(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

fn part(offset: u32, limit: u32) -> library::Part {
    library::Part {
        offset,
        limit: limit.min(MOST_ROWS),
    }
}

fn sort(sort: TranscriptsSort) -> library::Sort {
    use library::Sort;
    match sort {
        TranscriptsSort::Latest => Sort::Latest,
        TranscriptsSort::Oldest => Sort::Oldest,
        TranscriptsSort::Longest => Sort::Longest,
        TranscriptsSort::Messages => Sort::Messages,
        TranscriptsSort::Tokens => Sort::Tokens,
        TranscriptsSort::Cost => Sort::Cost,
        TranscriptsSort::Size => Sort::Size,
        TranscriptsSort::Title => Sort::Title,
    }
}

fn filter(app: &App, input: TranscriptsFilter, links: &Links) -> Result<library::Filter, ApiError> {
    let mut filter = library::Filter {
        agent: input.agent,
        project: input.project,
        text: input.text,
        ..Default::default()
    };
    if input.starred == Some(true) || input.tag.is_some() {
        filter.among.push(noted(
            documents::enrichments(app, Nothing {})?.sessions,
            &input.tag,
            input.starred,
        ));
    }
    match input.linked {
        Some(true) => filter.among.push(links.ids()),
        Some(false) => filter.except = Some(links.ids()),
        None => {}
    }
    Ok(filter)
}

/// What a person starred or tagged so.
fn noted(
    notes: BTreeMap<String, Enrichment>,
    tag: &Option<String>,
    starred: Option<bool>,
) -> Vec<String> {
    let wanted = |note: &Enrichment| {
        (starred != Some(true) || note.starred)
            && tag.as_ref().is_none_or(|tag| note.tags.contains(tag))
    };
    notes
        .into_iter()
        .filter(|(_, note)| wanted(note))
        .map(|(id, _)| id)
        .collect()
}

fn view(row: library::Row, links: &Links) -> TranscriptRow {
    TranscriptRow {
        link: links.0.get(&row.id).cloned(),
        agent: row.agent.name().to_owned(),
        id: row.id,
        native_id: row.native_id,
        project: row.project,
        title: row.title,
        started_at: row.started_at.map(Timestamp),
        ended_at: row.ended_at.map(Timestamp),
        messages: row.messages,
        usage: row.usage,
        usd_is_estimate: row.usd_is_estimate,
        model: row.model,
        branch: row.branch,
        version: row.version,
        bytes: row.bytes,
        helpers: row.helpers,
        path: row.path.display().to_string(),
        trouble: row.trouble,
    }
}

fn excerpt(excerpt: library::Excerpt) -> TranscriptExcerpt {
    let pieces = excerpt.pieces.into_iter().map(|piece| ExcerptPiece {
        text: piece.text,
        found: piece.found,
    });
    TranscriptExcerpt {
        at: excerpt.at,
        pieces: pieces.collect(),
    }
}

fn indexing(app: &App) -> TranscriptsIndexing {
    let progress = app.library.progress();
    TranscriptsIndexing {
        listing: progress.listing,
        reading: progress.reading,
        bytes_done: progress.bytes_done,
        bytes_total: progress.bytes_total,
        trouble: progress.trouble,
    }
}

impl From<library::TranscriptsError> for ApiError {
    fn from(error: library::TranscriptsError) -> Self {
        use library::TranscriptsError as Error;
        match error {
            Error::Missing { id } => {
                Self::new(Code::NotFound, format!("there is no transcript '{id}'"))
                    .with_fix("its agent may have deleted it: look at the list again")
            }
            Error::Words { .. } => Self::new(Code::BadInput, error.to_string()),
            Error::Io { .. } | Error::Sqlite(_) => Self::new(
                Code::Unavailable,
                format!("the transcripts can't be read: {error}"),
            ),
        }
    }
}
