//! What the tools need of Baton: operations by name, and waiting for a run's next event.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use baton_api::{ApiError, App, Changes, Code, SessionClient};
use baton_model::RunId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Calls operations on behalf of the program that uses the tools.
pub trait Operations: Send + Sync + 'static {
    /// Calls the operation `name` with JSON input.
    fn call(&self, name: &str, input: Value) -> Result<Value, ApiError>;

    /// Asks a person to call the operation `name`, whatever the caller may do itself. Returns the
    /// error that names the waiting request.
    fn request_person(&self, name: &str, input: Value) -> Result<ApiError, ApiError>;

    /// Who the caller is in the history; `None` where only Baton knows.
    fn author(&self) -> Option<String>;

    /// Waits until the last event of `run` is another one than `after`, the run has ended, or
    /// `timeout` is over.
    fn wait_for_run_event(&self, run: RunId, after: u64, timeout: Duration)
    -> Result<(), ApiError>;

    /// Runs an operation that may wait for a long time, without delaying other calls.
    ///
    /// # Errors
    ///
    /// As for [`Operations::call`].
    fn call_and_wait(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        self.call(name, input)
    }

    /// The same wait without holding a thread; `None` where a thread has to wait.
    fn wait_without_thread(&self, _wait: RunEventWait) -> Option<WaitFuture> {
        None
    }

    /// Subscribes to changes; `None` where they can't be reached.
    fn changes(&self) -> Option<Changes>;
}

/// A wait for the next event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEventWait {
    /// The run.
    pub run: RunId,
    /// The last event that is known; by default, the current one.
    pub after: Option<u64>,
    /// How long to wait at most.
    pub timeout: Duration,
}

/// The end of a wait. Dropping it ends the wait.
pub type WaitFuture = Pin<Box<dyn Future<Output = Result<(), ApiError>> + Send>>;

/// Operations of a Baton that is open in this process.
pub struct AppOperations {
    app: App,
}

impl AppOperations {
    /// The operations of `app`, on behalf of an agent: a person never calls tools.
    #[must_use]
    pub fn new(app: &App) -> Self {
        Self {
            app: app.on_behalf_of_agent("mcp"),
        }
    }
}

impl Operations for AppOperations {
    fn call(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        baton_api::call(&self.app, name, input)
    }

    fn request_person(&self, name: &str, input: Value) -> Result<ApiError, ApiError> {
        baton_api::request_person(&self.app, name, &input)
    }

    fn author(&self) -> Option<String> {
        Some(self.app.actor().to_string())
    }

    fn wait_for_run_event(
        &self,
        run: RunId,
        after: u64,
        timeout: Duration,
    ) -> Result<(), ApiError> {
        self.app.wait_for_run_event(run, after, timeout)
    }

    fn changes(&self) -> Option<Changes> {
        Some(self.app.changes())
    }
}

/// Operations through the socket of the session that this process runs in.
pub struct SessionOperations {
    /// Creates a client for each call, so that a call that waits doesn't delay others.
    data_directory: std::path::PathBuf,
    /// One call at a time, because a session has few connections.
    turn: Mutex<()>,
}

impl SessionOperations {
    /// Operations for a process in a session of `data_directory`.
    #[must_use]
    pub fn new(data_directory: std::path::PathBuf) -> Self {
        Self {
            data_directory,
            turn: Mutex::new(()),
        }
    }
}

impl Operations for SessionOperations {
    fn call(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        SessionClient::new(self.data_directory.clone()).call(name, input)
    }

    fn request_person(&self, name: &str, input: Value) -> Result<ApiError, ApiError> {
        // Baton holds every call of a session that needs a decision.
        match self.call(name, input) {
            Ok(_) => Err(ApiError::new(
                Code::Internal,
                format!("{name} was carried out"),
            )),
            Err(error) if error.code == Code::WaitsForPerson => Ok(error),
            Err(error) => Err(error),
        }
    }

    fn call_and_wait(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        SessionClient::new(self.data_directory.clone()).call(name, input)
    }

    fn author(&self) -> Option<String> {
        None
    }

    fn wait_for_run_event(
        &self,
        run: RunId,
        after: u64,
        timeout: Duration,
    ) -> Result<(), ApiError> {
        SessionClient::new(self.data_directory.clone()).wait_for_run_event(run, after, timeout)
    }

    fn changes(&self) -> Option<Changes> {
        None
    }
}

/// Calls an operation with typed input and output.
pub(crate) fn ask<O: DeserializeOwned>(
    operations: &dyn Operations,
    name: &str,
    input: impl Serialize,
) -> Result<O, ApiError> {
    let unexpected = |error: serde_json::Error| {
        ApiError::new(
            Code::Internal,
            format!("unexpected JSON from {name}: {error}"),
        )
    };
    let input = serde_json::to_value(input).map_err(unexpected)?;
    serde_json::from_value(operations.call(name, input)?).map_err(unexpected)
}
