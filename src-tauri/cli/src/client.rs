//! Calls operations, in this process or through the socket of a session.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use baton_api::{ApiError, App, Code, Role, SessionClient, runs_inside_session};
use baton_mcp::{AppOperations, Operations, SessionOperations};
use baton_model::RunId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use crate::global_options::GlobalOptions;
use crate::output::Output;

/// Access to Baton's operations, and the output for their results.
pub(crate) struct Client<'a> {
    reach: Backend,
    data_dir: PathBuf,
    pub(crate) output: &'a Output,
}

enum Backend {
    /// The data directory is open in this process.
    Here(Arc<App>),
    /// This process runs inside a session and can only use the session's socket.
    Session(Mutex<SessionClient>),
}

impl<'a> Client<'a> {
    /// Opens the data directory, or connects through the session's socket when running inside a
    /// session.
    pub(crate) fn open(
        global: &GlobalOptions,
        output: &'a Output,
        role: Role,
    ) -> Result<Self, Failure> {
        let data_dir = data_directory(global)?;
        let reach = if runs_inside_session(&data_dir) {
            Backend::Session(Mutex::new(SessionClient::new(data_dir.clone())))
        } else {
            Backend::Here(App::open(data_dir.clone(), role)?)
        };
        Ok(Self {
            reach,
            data_dir,
            output,
        })
    }

    /// Whether this process runs inside a session, so that another process executes the runs it
    /// starts.
    pub(crate) fn is_in_session(&self) -> bool {
        matches!(self.reach, Backend::Session(_))
    }

    /// The data directory, an absolute path.
    pub(crate) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The operations for the tools of an agent.
    pub(crate) fn tool_operations(&self) -> Arc<dyn Operations> {
        match &self.reach {
            Backend::Here(app) => Arc::new(AppOperations::new(app)),
            Backend::Session(_) => Arc::new(SessionOperations::new(self.data_dir.clone())),
        }
    }

    /// Returns the open backend.
    ///
    /// # Errors
    ///
    /// This process runs inside a session.
    pub(crate) fn app(&self) -> Result<&Arc<App>, Failure> {
        match &self.reach {
            Backend::Here(app) => Ok(app),
            Backend::Session(_) => {
                let message = "this command can't run inside a session. Use `baton call`, or ask a person to run it";
                Err(Failure::Usage(message.to_owned()))
            }
        }
    }

    /// Calls the operation `name`. `doing` completes "couldn't …" in the error.
    pub(crate) fn ask<I: Serialize, O: DeserializeOwned + 'static>(
        &self,
        doing: &str,
        name: &str,
        input: &I,
    ) -> Result<O, Failure> {
        self.try_ask(name, input)
            .map_err(|error| Failure::Operation {
                doing: doing.to_owned(),
                error,
            })
    }

    /// Like [`Client::ask`], but returns the API's error.
    pub(crate) fn try_ask<I: Serialize, O: DeserializeOwned + 'static>(
        &self,
        name: &str,
        input: &I,
    ) -> Result<O, ApiError> {
        match &self.reach {
            Backend::Here(app) => ask(app, name, input),
            Backend::Session(caller) => {
                let input =
                    serde_json::to_value(input).map_err(|error| invalid_answer(name, &error))?;
                let answer: Value = caller
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .call(name, input)?;
                serde_json::from_value(answer).map_err(|error| invalid_answer(name, &error))
            }
        }
    }

    /// Waits until the executor of `run` has nothing left to do for it: this process, or the one
    /// that started the run for it.
    pub(crate) fn wait_for_run(&self, run: RunId) -> Result<(), ApiError> {
        match &self.reach {
            Backend::Here(app) => app.wait_for_run(run),
            Backend::Session(caller) => caller
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .wait_for_run(run),
        }
    }
}

impl Drop for Client<'_> {
    /// Stops executing runs. Their sessions keep running.
    fn drop(&mut self) {
        if let Backend::Here(app) = &self.reach {
            app.shut_down();
        }
    }
}

/// Calls the operation `name` in this process with typed input and output.
pub(crate) fn ask<I: Serialize, O: DeserializeOwned + 'static>(
    app: &App,
    name: &str,
    input: &I,
) -> Result<O, ApiError> {
    baton_api::call_typed(
        app,
        name,
        serde_json::to_value(input).map_err(|error| invalid_answer(name, &error))?,
    )
}

fn invalid_answer(name: &str, error: &serde_json::Error) -> ApiError {
    ApiError::new(
        Code::Internal,
        format!("unexpected JSON from {name}: {error}"),
    )
}

fn data_directory(global: &GlobalOptions) -> Result<PathBuf, Failure> {
    let given = global
        .data_dir
        .clone()
        .map_or_else(baton_api::default_data_directory, Ok)?;
    std::path::absolute(&given).map_err(|error| Failure::Read {
        path: given,
        reason: error.to_string(),
    })
}
