//! Operations on the agents' own histories.

use std::collections::{BTreeMap, HashMap};

use baton_agents::TimelineEntry;
use baton_model::Timestamp;
use baton_planning::timelines::{self, EntryRange};
use baton_store::NativeSession;
use baton_transcripts as library;

use crate::wire::*;
use crate::{ApiError, App, Code, documents};

/// Default number of rows per page.
const DEFAULT_PAGE_SIZE: u32 = 100;
/// Maximum number of rows per page.
const MAX_PAGE_SIZE: u32 = 1_000;

pub(crate) fn list(app: &App, input: TranscriptsFilter) -> Result<TranscriptsPage, ApiError> {
    let links = SessionLinks::read(app)?;
    let part = pagination(
        input.offset.unwrap_or(0),
        input.limit.unwrap_or(DEFAULT_PAGE_SIZE),
    );
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

/// Returns a transcript's summary.
pub(crate) fn get(app: &App, input: TranscriptRef) -> Result<TranscriptRow, ApiError> {
    let row = app.transcripts(false)?.get(&input.id)?;
    Ok(view(row, &SessionLinks::read(app)?))
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

pub(crate) fn search(app: &App, input: TranscriptsSearch) -> Result<TranscriptHits, ApiError> {
    let links = SessionLinks::read(app)?;
    let filter = filter(app, input.filter, &links)?;
    let found = app.transcripts(true)?.search(
        &input.text,
        &filter,
        pagination(input.offset, input.limit),
    )?;
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

/// Returns part of a transcript's timeline.
pub(crate) fn timeline(app: &App, input: TranscriptRange) -> Result<TimelinePage, ApiError> {
    let range = EntryRange {
        from: input.from,
        limit: input.limit,
        since: input.since,
        of_end: input.of_end,
    };
    let context = app.context();
    Ok(timelines::transcript_page(
        context, &input.id, range, input.at,
    )?)
}

/// Returns one complete timeline entry, up to 4 MiB.
pub(crate) fn entry(app: &App, input: TranscriptEntryRef) -> Result<TimelineEntry, ApiError> {
    let context = app.context();
    Ok(timelines::transcript_entry(
        context,
        &input.id,
        input.seq,
        input.of_end,
    )?)
}

/// Finds a text in a transcript's timeline, ignoring case.
pub(crate) fn find(app: &App, input: TranscriptFind) -> Result<TimelineHits, ApiError> {
    let (context, TranscriptFind { id, text, limit }) = (app.context(), input);
    Ok(timelines::transcript_search(context, &id, &text, limit)?)
}

pub(crate) fn rebuild(app: &App, _: Nothing) -> Result<TranscriptsIndexing, ApiError> {
    app.transcripts(false)?.rebuild()?;
    Ok(indexing(app))
}

/// The id in the index for the transcript of a session that Baton ran, whether or not it is indexed
/// yet.
pub(crate) fn transcript_id(agent: Option<&str>, native_id: Option<&str>) -> Option<String> {
    let agent = library::Agent::from_name(agent?)?;
    Some(format!("{agent}:{}", native_id?))
}

/// Sessions by the ids of their transcripts.
struct SessionLinks(HashMap<String, TranscriptLink>);

impl SessionLinks {
    fn read(app: &App) -> Result<Self, ApiError> {
        // Later sessions overwrite earlier ones, so a continued session links to its latest node.
        let linked = app
            .store
            .sessions()
            .list_with_native_id()?
            .into_iter()
            .filter_map(|session| {
                let id = transcript_id(Some(&session.agent), Some(&session.native_id))?;
                let NativeSession {
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

fn pagination(offset: u32, limit: u32) -> library::Pagination {
    library::Pagination {
        offset,
        limit: limit.min(MAX_PAGE_SIZE),
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

fn filter(
    app: &App,
    input: TranscriptsFilter,
    links: &SessionLinks,
) -> Result<library::Filter, ApiError> {
    let mut filter = library::Filter {
        agent: input.agent,
        project: input.project,
        text: input.text,
        ..Default::default()
    };
    if input.starred == Some(true) || input.tag.is_some() {
        filter.among.push(sessions_with_notes(
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

/// Sessions with a star or a tag from a person.
fn sessions_with_notes(
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

fn view(row: library::TranscriptRow, links: &SessionLinks) -> TranscriptRow {
    TranscriptRow {
        link: links.0.get(&row.id).cloned(),
        agent: row.agent.name().to_owned(),
        agent_title: row.agent.title().to_owned(),
        agent_mark: row.agent.mark().to_string(),
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
                Self::new(Code::NotFound, format!("transcript '{id}' was not found"))
                    .with_fix("its agent may have deleted it. Refresh the list")
            }
            Error::InvalidQuery { .. } => Self::new(Code::BadInput, error.to_string()),
            Error::Io { .. } | Error::Sqlite(_) => Self::new(
                Code::Unavailable,
                format!("the transcripts can't be read: {error}"),
            ),
        }
    }
}
