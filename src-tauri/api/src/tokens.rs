//! Operations on the tokens by which programs reach Baton. A token is shown once; its hash is what is stored.

use baton_model::Right;
use baton_store::{Actor, TokenRow, Way};
use sha2::{Digest, Sha256};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// The name of the token that `baton serve` gives to the browser.
pub(crate) const BROWSER: &str = "browser";
/// The longest name of a token.
const LONGEST_NAME: usize = 64;
/// A use that follows another one so closely is not noted, in milliseconds.
const USE_NOTED_EVERY: i64 = 60_000;

/// Lists the tokens by name.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<TokenView>, ApiError> {
    Ok(app
        .store
        .access_tokens()
        .list()?
        .into_iter()
        .map(view)
        .collect())
}

/// Makes a token. This answer is the only place where it stands.
pub(crate) fn create(app: &App, input: TokenCreate) -> Result<TokenCreated, ApiError> {
    check_name(&input.name)?;
    let token = draw()?;
    let row = TokenRow {
        name: input.name,
        surface: input.surface,
        created_at: app.now(),
        used_at: None,
    };
    if !app.store.access_tokens().add(&row, &hash(&token))? {
        let message = format!("there is a token '{}' already", row.name);
        return Err(ApiError::new(Code::Conflict, message)
            .with_fix("choose another name, or revoke that one"));
    }
    Ok(TokenCreated {
        token,
        view: view(row),
    })
}

/// Forgets a token.
pub(crate) fn revoke(app: &App, input: TokenRef) -> Result<Vec<TokenView>, ApiError> {
    if !app.store.access_tokens().remove(&input.name)? {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no token '{}'", input.name),
        ));
    }
    list(app, Nothing {})
}

/// What a program with the token of this name may do; `None` when the token was revoked.
pub(crate) fn surface_of(app: &App, name: &str) -> Result<Option<Right>, ApiError> {
    let rows = app.store.access_tokens().list()?;
    Ok(rows
        .into_iter()
        .find(|row| row.name == name)
        .map(|row| row.surface))
}

/// Whoever shows a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBearer {
    /// The one that acts.
    pub actor: Actor,
}

impl App {
    /// Who shows `token`; `None` when it is no token of this Baton.
    pub fn bearer_of(&self, token: &str) -> Result<Option<TokenBearer>, ApiError> {
        let Some(row) = self.store.access_tokens().find(&hash(token))? else {
            return Ok(None);
        };
        let now = self.now();
        if row
            .used_at
            .is_none_or(|used| now.0 - used.0 >= USE_NOTED_EVERY)
        {
            self.store.access_tokens().used(&row.name, now)?;
        }
        let actor = if row.name == BROWSER {
            Actor::Person(Way::Browser)
        } else {
            Actor::Program(row.name)
        };
        Ok(Some(TokenBearer { actor }))
    }

    /// Who is at this socket of this machine, when that is no person and no program of theirs.
    pub fn agent_of_socket(&self, socket: u64) -> Result<Option<Actor>, ApiError> {
        Ok(crate::origin::agent_of_socket(&self.store, socket)?)
    }

    /// The token with which a browser opens Baton. It is kept in a file that only its owner can read, so that an open
    /// page still works after the next start.
    pub fn browser_token(&self) -> Result<String, ApiError> {
        let file = self.store.data_dir().join("browser-token");
        if let Some(token) = kept_token(&file)?
            && self
                .store
                .access_tokens()
                .find(&hash(&token))?
                .is_some_and(|row| row.name == BROWSER)
        {
            return Ok(token);
        }
        let token = draw()?;
        self.store.access_tokens().remove(BROWSER)?;
        let row = TokenRow {
            name: BROWSER.to_owned(),
            surface: Right::Decide,
            created_at: self.now(),
            used_at: None,
        };
        self.store.access_tokens().add(&row, &hash(&token))?;
        keep_token(&file, &token)?;
        Ok(token)
    }
}

fn kept_token(file: &std::path::Path) -> Result<Option<String>, ApiError> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unavailable("read", file, &error)),
    }
}

fn keep_token(file: &std::path::Path, token: &str) -> Result<(), ApiError> {
    use std::io::Write as _;
    let folder = file.parent().unwrap_or(file);
    let failed = |error: std::io::Error| unavailable("write", file, &error);
    // A file that `tempfile` makes is its owner's alone.
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    draft.write_all(token.as_bytes()).map_err(failed)?;
    draft.persist(file).map_err(|error| failed(error.error))?;
    Ok(())
}

fn unavailable(doing: &str, file: &std::path::Path, error: &std::io::Error) -> ApiError {
    ApiError::new(
        Code::Unavailable,
        format!("couldn't {doing} {}: {error}", file.display()),
    )
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let is_plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name == BROWSER {
        return Err(ApiError::new(
            Code::BadInput,
            "the name 'browser' is taken by `baton serve`",
        )
        .with_fix("choose another one"));
    }
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        let message =
            format!("a token's name has 1 to {LONGEST_NAME} letters, digits, '-', '_' or '.'");
        return Err(ApiError::new(Code::BadInput, message));
    }
    Ok(())
}

/// 32 random bytes as 64 hexadecimal digits.
fn draw() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        ApiError::new(
            Code::Unavailable,
            format!("the system gives no random bytes: {error}"),
        )
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is stored of a token. It has 256 random bits, so a plain hash cannot be guessed back.
fn hash(token: &str) -> Vec<u8> {
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
