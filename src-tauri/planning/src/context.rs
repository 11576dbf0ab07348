//! The state of an open Baton: the store, the engine, and caches that live as long as the process.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use baton_engine::Engine;
use baton_model::{RunId, Timestamp};
use baton_store::{Actor, Store};
use baton_transcripts::{HistoryLocations, Library};

use crate::PlanningError;
use crate::agent_versions::AgentVersions;
use crate::log_update::{LogUpdate, LogUpdateListener};
use crate::open_outputs::SessionOutputs;
use crate::open_timelines::{SessionTimelines, SessionWatcher, TranscriptTimelines};
use crate::plan_cache::PlanCache;

/// What a process does on its own, depending on how long it lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Whether it continues work that other processes left behind.
    pub is_long_running: bool,
    /// Whether it keeps the index of transcripts up to date.
    pub indexes_transcripts: bool,
}

/// An open Baton with the actor on whose behalf it is used.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    actor: Actor,
}

/// The state that all contexts of an open Baton share.
#[expect(missing_docs, reason = "the names say it")]
pub struct Shared {
    pub store: Store,
    pub engine: Engine,
    /// Recently read plan versions.
    pub plan_cache: PlanCache,
    /// The versions of agent programs.
    pub agent_versions: AgentVersions,
    /// The transcripts in the agents' own histories.
    pub library: Library,
    pub(crate) session_outputs: Mutex<SessionOutputs>,
    pub(crate) session_timelines: Mutex<SessionTimelines>,
    pub(crate) transcript_timelines: Mutex<TranscriptTimelines>,
    pub(crate) session_watcher: SessionWatcher,
    /// Set once the thread that advances proposals was started, see `proposals::follower`.
    pub(crate) follower_started: OnceLock<()>,
    pub(crate) lifetime: Lifetime,
    on_log_update: LogUpdateListener,
    weak_self: Weak<Shared>,
    transcripts_are_indexed: OnceLock<()>,
    full_text_is_indexed: OnceLock<()>,
}

impl Deref for Context {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// A weak reference to an open Baton, for threads. Upgraded contexts act as Baton itself.
#[derive(Clone)]
pub struct WeakContext(Weak<Shared>);

impl WeakContext {
    /// The context, unless Baton was closed.
    #[must_use]
    pub fn upgrade(&self) -> Option<Context> {
        self.0.upgrade().map(|shared| Context {
            shared,
            actor: Actor::Baton,
        })
    }
}

impl Context {
    /// Combines an open store and engine into a context for `actor`.
    #[must_use]
    pub fn new(
        store: Store,
        engine: Engine,
        lifetime: Lifetime,
        on_log_update: LogUpdateListener,
        actor: Actor,
    ) -> Self {
        let shared = Arc::new_cyclic(|weak_self| Shared {
            plan_cache: PlanCache::for_store(&store),
            agent_versions: AgentVersions::default(),
            library: Library::new(store.data_dir(), HistoryLocations::for_current_user()),
            store,
            engine,
            session_outputs: Mutex::default(),
            session_timelines: Mutex::default(),
            transcript_timelines: Mutex::default(),
            session_watcher: SessionWatcher::new(Arc::clone(&on_log_update)),
            follower_started: OnceLock::new(),
            lifetime,
            on_log_update,
            weak_self: Weak::clone(weak_self),
            transcripts_are_indexed: OnceLock::new(),
            full_text_is_indexed: OnceLock::new(),
        });
        Self { shared, actor }
    }

    /// The same open Baton, used on behalf of `actor`.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            actor,
        }
    }

    /// On whose behalf this context acts.
    #[must_use]
    pub fn actor(&self) -> Actor {
        self.actor.clone()
    }
}

impl Shared {
    /// A reference that does not keep Baton open.
    #[must_use]
    pub fn weak(&self) -> WeakContext {
        WeakContext(Weak::clone(&self.weak_self))
    }

    /// Starts keeping the index of transcripts up to date, if this process should.
    pub fn start_indexing_transcripts(&self) {
        if self.lifetime.indexes_transcripts {
            let on_log_update = Arc::clone(&self.on_log_update);
            self.library
                .start_indexing(move |ids| on_log_update(LogUpdate::Transcripts { ids }));
        }
    }

    /// The agents' own histories. A process that does not keep their index up to date refreshes it
    /// once, and again for the full-text index when `full_text` is first set.
    pub fn transcripts(&self, full_text: bool) -> Result<&Library, PlanningError> {
        let asked = if full_text {
            &self.full_text_is_indexed
        } else {
            &self.transcripts_are_indexed
        };
        if !self.lifetime.indexes_transcripts && asked.get().is_none() {
            self.library.refresh(full_text)?;
            asked.get_or_init(|| ());
        }
        Ok(&self.library)
    }

    /// The directory that holds the database and session files.
    #[must_use]
    pub fn data_directory(&self) -> &Path {
        self.store.data_dir()
    }

    /// Whether this process executes `run`.
    #[must_use]
    pub fn executes(&self, run: RunId) -> bool {
        self.engine.is_executing(run)
    }

    /// The current time of the system clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    pub(crate) fn listener(&self) -> LogUpdateListener {
        Arc::clone(&self.on_log_update)
    }
}
