//! A request as the handlers see it, independent of the HTTP server.

use std::any::Any;
use std::str::FromStr;
use std::sync::Arc;

use baton_api::{ApiError, App};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Conditions, ErrorCode, RestError};

/// Whose a plan is that says nothing.
pub(crate) const DEFAULT_USER: &str = "default";

/// The methods of routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// The name in requests.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// A request to a route.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The variable parts of the path, decoded, by their names in the route.
    pub path: Vec<(String, String)>,
    /// The query parameters, decoded, in their order.
    pub query: Vec<(String, String)>,
    /// The body; `None` if it is empty.
    pub body: Option<Value>,
    /// What the headers ask for.
    pub conditions: Conditions,
}

/// On whose behalf operations are called. It may depend on the operation who that is.
pub trait Caller: Send + Sync {
    /// Baton for a call of `operation`.
    fn app_for(&self, operation: &str) -> Result<App, ApiError>;
}

/// A request whose query and body have been read.
pub(crate) struct Call<Q, B> {
    pub(crate) caller: Arc<dyn Caller>,
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: Q,
    pub(crate) body: B,
    pub(crate) conditions: Conditions,
    /// Whose plans the request is about, if it says so.
    pub(crate) user: Option<String>,
}

impl<Q, B> Call<Q, B> {
    /// The operations, on behalf of the caller.
    pub(crate) fn operations(&self) -> Operations {
        Operations(Arc::clone(&self.caller))
    }

    /// A variable part of the path.
    pub(crate) fn name(&self, part: &str) -> &str {
        let found = self.path.iter().find(|(name, _)| name == part);
        found.map_or("", |(_, value)| value)
    }

    /// An identifier in the path. One that can't be an identifier names nothing.
    pub(crate) fn id<T: FromStr>(&self, part: &str) -> Result<T, RestError> {
        let text = self.name(part);
        text.parse().map_err(|_| {
            RestError::new(ErrorCode::NotFound, format!("there is no {part} '{text}'"))
        })
    }
}

/// Calls operations for a caller.
#[derive(Clone)]
pub(crate) struct Operations(pub(crate) Arc<dyn Caller>);

impl Operations {
    /// Calls the operation `name`, with its typed result.
    pub(crate) fn call<O: Any + DeserializeOwned>(
        &self,
        name: &str,
        input: &impl Serialize,
    ) -> Result<O, RestError> {
        let input: Value = serde_json::to_value(input).map_err(|error| {
            RestError::new(
                ErrorCode::Internal,
                format!("the input of {name} can't be written: {error}"),
            )
        })?;
        Ok(baton_api::call_typed(&self.0.app_for(name)?, name, input)?)
    }
}
