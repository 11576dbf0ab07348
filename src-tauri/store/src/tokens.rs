//! Access tokens of programs: what each may do, and a hash to verify it. The token itself is not
//! stored.

use baton_model::{AccessLevel, Timestamp};
use rusqlite::{Row, params};

use crate::column::{Fields, query_optional, query_rows};
use crate::{Change, Store, StoreError};

pub(crate) const MIGRATION_8: &str = "
CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    surface TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
";

/// An access token's metadata, without the secret.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Unique among all tokens.
    pub name: String,
    /// What the token gives access to.
    pub surface: AccessLevel,
    pub created_at: Timestamp,
    /// When a program last authenticated with it.
    pub used_at: Option<Timestamp>,
}

/// Handle for the table of access tokens; see [`Store::access_tokens`].
#[derive(Clone, Copy)]
pub struct AccessTokens<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table of access tokens.
    #[must_use]
    pub fn access_tokens(&self) -> AccessTokens<'_> {
        AccessTokens { store: self }
    }
}

impl AccessTokens<'_> {
    /// All tokens, sorted by name.
    pub fn list(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.store.read(|connection| {
            query_rows(connection, "SELECT * FROM tokens ORDER BY name", [], read)
        })
    }

    /// Adds a token. Returns false if its name is taken.
    pub fn add(&self, token: &TokenRow, hash: &[u8]) -> Result<bool, StoreError> {
        self.store.write(|writing| {
            let query =
                "INSERT INTO tokens (name, surface, hash, created_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (name) DO NOTHING";
            let values = params![token.name, token.surface.as_str(), hash, token.created_at.0];
            let added = writing.tx.prepare_cached(query)?.execute(values)?;
            writing.changes.push(Change::SettingsChanged);
            Ok(added > 0)
        })
    }

    /// Deletes a token. Returns false if there is none of this name.
    pub fn remove(&self, name: &str) -> Result<bool, StoreError> {
        self.store.write(|writing| {
            let removed = writing
                .tx
                .prepare_cached("DELETE FROM tokens WHERE name = ?1")?
                .execute([name])?;
            writing.changes.push(Change::SettingsChanged);
            Ok(removed > 0)
        })
    }

    /// Returns the token with this hash.
    pub fn find(&self, hash: &[u8]) -> Result<Option<TokenRow>, StoreError> {
        self.store.read(|connection| {
            query_optional(
                connection,
                "SELECT * FROM tokens WHERE hash = ?1",
                [hash],
                read,
            )
        })
    }

    /// Records that a program authenticated with the token.
    pub fn used(&self, name: &str, at: Timestamp) -> Result<(), StoreError> {
        self.store.write(|writing| {
            writing
                .tx
                .prepare_cached("UPDATE tokens SET used_at = ?2 WHERE name = ?1")?
                .execute(params![name, at.0])?;
            Ok(())
        })
    }
}

fn read(row: &Row<'_>) -> Result<TokenRow, StoreError> {
    let name: String = row.get("name")?;
    let fields = Fields::new(row, "tokens", &name);
    let word: String = fields.get("surface")?;
    // An unknown value gives the least access.
    let surface = AccessLevel::ALL
        .into_iter()
        .find(|surface| surface.as_str() == word)
        .unwrap_or(AccessLevel::Read);
    Ok(TokenRow {
        surface,
        created_at: Timestamp(fields.get("created_at")?),
        used_at: fields.get::<Option<i64>>("used_at")?.map(Timestamp),
        name,
    })
}
