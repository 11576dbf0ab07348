//! An open Baton below its border: the store, the engine, and what is remembered while the process lives.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use baton_engine::Engine;
use baton_model::{RunId, SessionId, Timestamp};
use baton_store::{Actor, Store};
use baton_transcripts::{Homes, Library};

use crate::PlanningError;
use crate::contents::Contents;
use crate::proposals::Follower;
use crate::timelines::{Timelines, TranscriptTimelines, Watches};

/// What has grown that somebody may look at, beside what the store tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Growth {
    /// The files of a session.
    Session {
        /// The session.
        session: SessionId,
        /// Its run.
        run: RunId,
    },
    /// Transcripts in an agent's own history; none named: any of them.
    Transcripts {
        /// What the index calls them.
        ids: Vec<String>,
    },
}

/// Is told of growth, from any thread.
pub type Listener = Arc<dyn Fn(Growth) + Send + Sync>;

/// How long this process lives, as far as it matters to what it does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// It goes on with what others leave.
    pub stays: bool,
    /// It keeps the index of transcripts up to date.
    pub keeps_transcripts: bool,
}

/// An open Baton, in the hands of somebody.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    actor: Actor,
}

/// What all who use one open Baton share.
pub struct Shared {
    /// The database.
    pub store: Store,
    /// What executes runs.
    pub engine: Engine,
    /// The plan versions that were read lately.
    pub contents: Contents,
    /// The agents' own histories.
    pub library: Library,
    pub(crate) timelines: Mutex<Timelines>,
    pub(crate) transcript_timelines: Mutex<TranscriptTimelines>,
    pub(crate) watches: Watches,
    pub(crate) follower: Follower,
    pub(crate) lifetime: Lifetime,
    tell: Listener,
    me: Weak<Shared>,
    transcripts_are_listed: OnceLock<()>,
    words_are_read: OnceLock<()>,
}

impl Deref for Context {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// A way to an open Baton that does not keep it open. Whoever comes this way acts as Baton itself.
#[derive(Clone)]
pub struct WeakContext(Weak<Shared>);

impl WeakContext {
    /// The open Baton, if anybody still has it.
    #[must_use]
    pub fn upgrade(&self) -> Option<Context> {
        self.0.upgrade().map(|shared| Context {
            shared,
            actor: Actor::Baton,
        })
    }
}

impl Context {
    /// Puts together what is open already, for `actor`.
    #[must_use]
    pub fn new(
        store: Store,
        engine: Engine,
        lifetime: Lifetime,
        tell: Listener,
        actor: Actor,
    ) -> Self {
        let shared = Arc::new_cyclic(|me| Shared {
            contents: Contents::of(&store),
            library: Library::of(store.data_dir(), Homes::of_this_process()),
            store,
            engine,
            timelines: Mutex::default(),
            transcript_timelines: Mutex::default(),
            watches: Watches::new(Arc::clone(&tell)),
            follower: Follower::default(),
            lifetime,
            tell,
            me: Weak::clone(me),
            transcripts_are_listed: OnceLock::new(),
            words_are_read: OnceLock::new(),
        });
        Self { shared, actor }
    }

    /// The same open Baton in the hands of `actor`.
    #[must_use]
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            actor,
        }
    }

    /// Who acts.
    #[must_use]
    pub fn actor(&self) -> Actor {
        self.actor.clone()
    }
}

impl Shared {
    /// Goes on with proposals from now on, until Baton is closed.
    pub fn follow_proposals(&self) {
        self.follower.begin(self.weak());
    }

    /// The same without keeping it open, for threads.
    #[must_use]
    pub fn weak(&self) -> WeakContext {
        WeakContext(Weak::clone(&self.me))
    }

    /// Keeps the index of transcripts up to date from now on, if that is for this process to do.
    pub fn keep_transcripts(&self) {
        if self.lifetime.keeps_transcripts {
            let tell = Arc::clone(&self.tell);
            self.library
                .keep(move |ids| tell(Growth::Transcripts { ids }));
        }
    }

    /// The agents' own histories. A process that does not keep their index brings it up to date once, with the words
    /// when they are asked for.
    pub fn transcripts(&self, words: bool) -> Result<&Library, PlanningError> {
        let asked = if words {
            &self.words_are_read
        } else {
            &self.transcripts_are_listed
        };
        if !self.lifetime.keeps_transcripts && asked.get().is_none() {
            self.library.refresh(words)?;
            asked.get_or_init(|| ());
        }
        Ok(&self.library)
    }

    /// The data directory.
    #[must_use]
    pub fn data_directory(&self) -> &Path {
        self.store.data_dir()
    }

    /// Whether this process executes `run`.
    #[must_use]
    pub fn executes(&self, run: RunId) -> bool {
        self.engine.is_here(run)
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    pub(crate) fn listener(&self) -> Listener {
        Arc::clone(&self.tell)
    }
}
