//! The operations, as this command asks for them.

use std::path::PathBuf;
use std::sync::Arc;

use baton_api::{ApiError, App, Code, Role};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arguments::Global;
use crate::failure::Failure;
use crate::output::Output;

/// An open Baton and the place where results go.
pub(crate) struct Client<'a> {
    /// The application.
    pub(crate) app: Arc<App>,
    /// Where results go.
    pub(crate) output: &'a Output,
}

impl<'a> Client<'a> {
    /// Opens the data that the command line names.
    pub(crate) fn open(global: &Global, output: &'a Output, role: Role) -> Result<Self, Failure> {
        let data_dir = data_directory(global)?;
        Ok(Self { app: App::open(data_dir, role)?, output })
    }

    /// Carries out the operation `name`; `doing` completes "failed to …".
    pub(crate) fn ask<I: Serialize, O: DeserializeOwned + 'static>(
        &self,
        doing: &str,
        name: &str,
        input: &I,
    ) -> Result<O, Failure> {
        ask(&self.app, name, input).map_err(|error| Failure::Operation { doing: doing.to_owned(), error })
    }
}

impl Drop for Client<'_> {
    /// Lets go of what this process executes; sessions live on.
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

/// Carries out the operation `name` with typed input and output.
pub(crate) fn ask<I: Serialize, O: DeserializeOwned + 'static>(
    app: &App,
    name: &str,
    input: &I,
) -> Result<O, ApiError> {
    let broken =
        |error: serde_json::Error| ApiError::new(Code::Internal, format!("{name} speaks another language: {error}"));
    baton_api::ask(app, name, serde_json::to_value(input).map_err(broken)?)
}

fn data_directory(global: &Global) -> Result<PathBuf, Failure> {
    let given = global.data_dir.clone().map_or_else(baton_api::default_data_directory, Ok)?;
    std::path::absolute(&given).map_err(|error| Failure::Read { path: given, reason: error.to_string() })
}
