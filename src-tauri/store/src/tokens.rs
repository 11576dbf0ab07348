//! The tokens of programs: what each may do, and a hash by which it is known again. The token itself is not stored.

use baton_model::Timestamp;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

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

/// What a token is good for; each surface includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// To look.
    Read,
    /// To change what no person has to decide.
    Write,
    /// To decide as a person does.
    Decide,
}

impl Surface {
    /// Every surface, the smallest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Decide];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Decide => "decide",
        }
    }
}

/// A token, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Its name, which no other has.
    pub name: String,
    /// What it is good for.
    pub surface: Surface,
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
        self.store.read(|connection| rows(connection, "SELECT * FROM tokens ORDER BY name", [], read))
    }

    /// Keeps a new token; false when its name is taken.
    pub fn add(&self, token: &TokenRow, hash: &[u8]) -> Result<bool, StoreError> {
        self.store.write(|writing| {
            let query = "INSERT INTO tokens (name, surface, hash, created_at) VALUES (?1, ?2, ?3, ?4)
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
            let removed = writing.tx.prepare_cached("DELETE FROM tokens WHERE name = ?1")?.execute([name])?;
            writing.changes.push(Change::SettingsChanged);
            Ok(removed > 0)
        })
    }

    /// The token with this hash.
    pub fn find(&self, hash: &[u8]) -> Result<Option<TokenRow>, StoreError> {
        self.store.read(|connection| one(connection, "SELECT * FROM tokens WHERE hash = ?1", [hash], read))
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
    let surface = Surface::ALL.into_iter().find(|surface| surface.word() == word).unwrap_or(Surface::Read);
    Ok(TokenRow {
        surface,
        created_at: Timestamp(fields.get("created_at")?),
        used_at: fields.get::<Option<i64>>("used_at")?.map(Timestamp),
        name,
    })
}
