//! The tokens of programs: what each may do, and a hash by which it is known again. The token itself is not stored.

use baton_model::{Right, Timestamp};
use rusqlite::{Row, params};

use crate::column::{Fields, one, rows};
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

/// A token, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Its name, which no other has.
    pub name: String,
    /// What it is good for.
    pub surface: Right,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last shown.
    pub used_at: Option<Timestamp>,
}

/// The tokens of programs.
#[derive(Clone, Copy)]
pub struct AccessTokens<'store> {
    store: &'store Store,
}

impl Store {
    /// The tokens of programs.
    #[must_use]
    pub fn access_tokens(&self) -> AccessTokens<'_> {
        AccessTokens { store: self }
    }
}

impl AccessTokens<'_> {
    /// All of them, by name.
    pub fn list(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.store
            .read(|connection| rows(connection, "SELECT * FROM tokens ORDER BY name", [], read))
    }

    /// Keeps a new token; false when its name is taken.
    pub fn add(&self, token: &TokenRow, hash: &[u8]) -> Result<bool, StoreError> {
        self.store.write(|writing| {
            let query =
                "INSERT INTO tokens (name, surface, hash, created_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (name) DO NOTHING";
            let values = params![token.name, token.surface.word(), hash, token.created_at.0];
            let added = writing.tx.prepare_cached(query)?.execute(values)?;
            writing.changes.push(Change::SettingsChanged);
            Ok(added > 0)
        })
    }

    /// Forgets a token; false when there is none of this name.
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

    /// The token with this hash.
    pub fn find(&self, hash: &[u8]) -> Result<Option<TokenRow>, StoreError> {
        self.store.read(|connection| {
            one(
                connection,
                "SELECT * FROM tokens WHERE hash = ?1",
                [hash],
                read,
            )
        })
    }

    /// Notes that a token was shown.
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
    let fields = Fields::of(row, "tokens", &name);
    let word: String = fields.get("surface")?;
    // A word that is not known gives the least.
    let surface = Right::ALL
        .into_iter()
        .find(|surface| surface.word() == word)
        .unwrap_or(Right::Read);
    Ok(TokenRow {
        surface,
        created_at: Timestamp(fields.get("created_at")?),
        used_at: fields.get::<Option<i64>>("used_at")?.map(Timestamp),
        name,
    })
}
