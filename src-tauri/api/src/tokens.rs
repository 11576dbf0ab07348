//! Operations on access tokens for programs. A token is shown once; only its hash is stored.

use baton_model::AccessLevel;
use baton_store::{Actor, ActorChannel, TokenRow};
use sha2::{Digest, Sha256};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Name of the token that `baton serve` gives to the browser.
pub(crate) const BROWSER_TOKEN_NAME: &str = "browser";
/// Maximum length of a token's name.
const MAX_NAME_LENGTH: usize = 64;
/// A use within this many milliseconds of the last recorded one isn't recorded.
const LAST_USE_INTERVAL_MS: i64 = 60_000;

/// Lists the tokens, sorted by name.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<TokenView>, ApiError> {
    Ok(app
        .store
        .access_tokens()
        .list()?
        .into_iter()
        .map(view)
        .collect())
}

/// Creates a token. Only this result contains the secret.
pub(crate) fn create(app: &App, input: TokenCreate) -> Result<TokenCreated, ApiError> {
    check_name(&input.name)?;
    let token = generate_token()?;
    let row = TokenRow {
        name: input.name,
        surface: input.surface,
        created_at: app.now(),
        used_at: None,
    };
    if !app.store.access_tokens().add(&row, &hash(&token))? {
        let message = format!("a token named '{}' already exists", row.name);
        return Err(ApiError::new(Code::Conflict, message)
            .with_fix("choose another name, or revoke that token"));
    }
    Ok(TokenCreated {
        token,
        view: view(row),
    })
}

pub(crate) fn revoke(app: &App, input: TokenRef) -> Result<Vec<TokenView>, ApiError> {
    if !app.store.access_tokens().remove(&input.name)? {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no token '{}'", input.name),
        ));
    }
    list(app, Nothing {})
}

/// The access level of the program with the token of this name; `None` if the token was revoked.
pub(crate) fn granted_right(app: &App, name: &str) -> Result<Option<AccessLevel>, ApiError> {
    let rows = app.store.access_tokens().list()?;
    Ok(rows
        .into_iter()
        .find(|row| row.name == name)
        .map(|row| row.surface))
}

/// The bearer of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBearer {
    /// The actor to use for the bearer's calls.
    pub actor: Actor,
}

impl App {
    /// The bearer of `token`; `None` if it isn't a token of this Baton.
    pub fn find_token_bearer(&self, token: &str) -> Result<Option<TokenBearer>, ApiError> {
        let Some(row) = self.store.access_tokens().find(&hash(token))? else {
            return Ok(None);
        };
        let now = self.now();
        if row
            .used_at
            .is_none_or(|used| now.0 - used.0 >= LAST_USE_INTERVAL_MS)
        {
            self.store.access_tokens().used(&row.name, now)?;
        }
        let actor = if row.name == BROWSER_TOKEN_NAME {
            Actor::Person(ActorChannel::Browser)
        } else {
            Actor::Program(row.name)
        };
        Ok(Some(TokenBearer { actor }))
    }

    /// The agent behind a local socket; `None` if it is a person or a person's program.
    pub fn agent_of_socket(&self, socket: u64) -> Result<Option<Actor>, ApiError> {
        Ok(crate::caller_identity::agent_of_socket(
            &self.store,
            socket,
        )?)
    }
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let is_plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name == BROWSER_TOKEN_NAME {
        return Err(ApiError::new(
            Code::BadInput,
            "the name 'browser' is reserved for `baton serve`",
        )
        .with_fix("choose another name"));
    }
    if name.is_empty() || name.len() > MAX_NAME_LENGTH || !name.chars().all(is_plain) {
        let message = format!(
            "a token's name must have 1 to {MAX_NAME_LENGTH} letters, digits, '-', '_' or '.'"
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    Ok(())
}

/// 32 random bytes as 64 hexadecimal digits.
pub(crate) fn generate_token() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        ApiError::new(
            Code::Unavailable,
            format!("couldn't generate random bytes: {error}"),
        )
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The hash stored for a token. A token has 256 random bits, so a plain hash can't be reversed by
/// guessing.
pub(crate) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

fn view(row: TokenRow) -> TokenView {
    TokenView {
        name: row.name,
        surface: row.surface,
        created_at: row.created_at,
        used_at: row.used_at,
    }
}
