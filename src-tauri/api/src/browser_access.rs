//! What pages of `baton serve` need to find the server again after a restart: the token, the port,
//! and the identity of the data. All three are files in the data directory.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use baton_model::AccessLevel;
use baton_store::TokenRow;

use crate::tokens::{BROWSER_TOKEN_NAME, generate_token, hash};
use crate::{ApiError, App, Code};

const TOKEN_FILE: &str = "browser-token";
const PORT_FILE: &str = "browser-port";
const DATA_ID_FILE: &str = "data-id";
/// Enough hexadecimal digits to tell data directories apart. The id is not a secret.
const DATA_ID_LENGTH: usize = 32;

impl App {
    /// The token with which a browser opens Baton: the same on each start, so that an open page
    /// still works after a restart. The database has only its hash. The token itself is in a file
    /// that only its owner can read, because each start prints it again.
    pub fn browser_token(&self) -> Result<String, ApiError> {
        if let Some(token) = self.read_access_file(TOKEN_FILE)?
            && self.is_browser_token(&token)?
        {
            return Ok(token);
        }
        self.new_browser_token()
    }

    /// Replaces the browser's token. Pages with the former one lose access.
    pub fn new_browser_token(&self) -> Result<String, ApiError> {
        let token = generate_token()?;
        self.store.access_tokens().remove(BROWSER_TOKEN_NAME)?;
        let row = TokenRow {
            name: BROWSER_TOKEN_NAME.to_owned(),
            surface: AccessLevel::Decide,
            created_at: self.now(),
            used_at: None,
        };
        self.store.access_tokens().add(&row, &hash(&token))?;
        self.write_access_file(TOKEN_FILE, &token)?;
        Ok(token)
    }

    /// The port of the latest `baton serve` on this data; pages look for the server there. `None`
    /// before the first start, or if the file has no port.
    pub fn browser_port(&self) -> Result<Option<u16>, ApiError> {
        let text = self.read_access_file(PORT_FILE)?;
        Ok(text
            .and_then(|text| text.parse().ok())
            .filter(|port| *port != 0))
    }

    /// Stores the port for the next start.
    pub fn keep_browser_port(&self, port: u16) -> Result<(), ApiError> {
        self.write_access_file(PORT_FILE, &port.to_string())
    }

    /// A random id of this data directory, made when it is first needed. A copy of the directory
    /// has the same id. Pages keep what a person typed under it.
    pub fn data_id(&self) -> Result<String, ApiError> {
        if let Some(id) = self.read_access_file(DATA_ID_FILE)?.filter(|id| is_id(id)) {
            return Ok(id);
        }
        let mut id = generate_token()?;
        id.truncate(DATA_ID_LENGTH);
        self.write_access_file(DATA_ID_FILE, &id)?;
        Ok(id)
    }

    fn is_browser_token(&self, token: &str) -> Result<bool, ApiError> {
        let row = self.store.access_tokens().find(&hash(token))?;
        Ok(row.is_some_and(|row| row.name == BROWSER_TOKEN_NAME))
    }

    fn read_access_file(&self, name: &str) -> Result<Option<String>, ApiError> {
        let file = self.store.data_dir().join(name);
        match fs::read_to_string(&file) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unavailable("read", &file, &error)),
        }
    }

    fn write_access_file(&self, name: &str, text: &str) -> Result<(), ApiError> {
        let folder = self.store.data_dir();
        let file = folder.join(name);
        let failed = |error: io::Error| unavailable("write", &file, &error);
        // `tempfile` creates files that only their owner can access.
        let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        draft.write_all(text.as_bytes()).map_err(failed)?;
        draft.persist(&file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

fn is_id(text: &str) -> bool {
    text.len() == DATA_ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn unavailable(doing: &str, file: &Path, error: &io::Error) -> ApiError {
    ApiError::new(
        Code::Unavailable,
        format!("couldn't {doing} {}: {error}", file.display()),
    )
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;

    use tempfile::TempDir;

    use super::*;
    use crate::Role;

    type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

    fn open(data: &TempDir) -> Result<Arc<App>> {
        let keeper = std::env::current_exe()?;
        Ok(App::open_with_keeper(
            data.path().to_owned(),
            Role::Server,
            keeper,
        )?)
    }

    fn mode(data: &TempDir, name: &str) -> Result<u32> {
        Ok(fs::metadata(data.path().join(name))?.permissions().mode() & 0o777)
    }

    #[test]
    fn token_and_identity_outlive_a_restart_and_only_the_owner_reads_them() -> Result {
        let data = tempfile::tempdir()?;
        let app = open(&data)?;
        let (token, id) = (app.browser_token()?, app.data_id()?);
        app.keep_browser_port(4567)?;
        app.shut_down();
        drop(app);

        let app = open(&data)?;
        assert_eq!(app.browser_token()?, token);
        assert_eq!(app.data_id()?, id);
        assert_eq!(app.browser_port()?, Some(4567));
        for name in [TOKEN_FILE, PORT_FILE, DATA_ID_FILE] {
            assert_eq!(mode(&data, name)?, 0o600, "{name}");
        }
        assert!(!id.is_empty() && !token.contains(&id));
        app.shut_down();
        Ok(())
    }

    #[test]
    fn new_token_revokes_the_former_one() -> Result {
        let data = tempfile::tempdir()?;
        let app = open(&data)?;
        let former = app.browser_token()?;
        let latter = app.new_browser_token()?;
        assert_ne!(former, latter);
        assert_eq!(app.find_token_bearer(&former)?, None);
        assert!(app.find_token_bearer(&latter)?.is_some());
        assert_eq!(app.browser_token()?, latter, "it is kept");
        app.shut_down();
        Ok(())
    }

    #[test]
    fn a_token_file_that_was_replaced_gives_no_access() -> Result {
        let data = tempfile::tempdir()?;
        let app = open(&data)?;
        let first = app.browser_token()?;
        fs::write(data.path().join(TOKEN_FILE), "0".repeat(64))?;
        let second = app.browser_token()?;
        assert_ne!(second, "0".repeat(64));
        assert_ne!(second, first);
        app.shut_down();
        Ok(())
    }

    #[test]
    fn unreadable_ports_and_ids_are_ignored() -> Result {
        let data = tempfile::tempdir()?;
        let app = open(&data)?;
        assert_eq!(app.browser_port()?, None);
        for text in ["", "0", "70000", "-1", "a port"] {
            fs::write(data.path().join(PORT_FILE), text)?;
            assert_eq!(app.browser_port()?, None, "{text}");
        }
        fs::write(data.path().join(DATA_ID_FILE), "../../x")?;
        assert!(is_id(&app.data_id()?));
        app.shut_down();
        Ok(())
    }
}
