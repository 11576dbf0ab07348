//! `baton token`: the tokens by which programs reach Baton over HTTP.

use baton_api::AccessLevel;
use baton_api::wire::*;
use clap::{Args, Subcommand, ValueEnum};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenVerb {
    /// Make a token, and print it once.
    Create(CreateArgs),
    /// List the tokens; the tokens themselves are not kept.
    List,
    /// Forget a token, so that it opens nothing more.
    Revoke(RevokeArgs),
}

/// A new token.
#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// What it is good for.
    #[arg(long, value_name = "WHAT", default_value = "read")]
    surface: SurfaceWord,
    /// Its name, for the list and for the history.
    #[arg(long)]
    name: String,
}

/// Which token.
#[derive(Debug, Args)]
pub(crate) struct RevokeArgs {
    /// Its name.
    name: String,
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SurfaceWord {
    /// To look.
    Read,
    /// Also to create, save, propose, start what is approved, pause, cancel and retry.
    Write,
    /// Also to approve, answer, skip, delete and change settings, as you do.
    Decide,
}

impl From<SurfaceWord> for AccessLevel {
    fn from(word: SurfaceWord) -> Self {
        match word {
            SurfaceWord::Read => Self::Read,
            SurfaceWord::Write => Self::Write,
            SurfaceWord::Decide => Self::Decide,
        }
    }
}

/// Carries out a verb.
pub(crate) fn token(client: &Client<'_>, verb: TokenVerb) -> Result<Exit, Failure> {
    match verb {
        TokenVerb::Create(args) => create(client, args)?,
        TokenVerb::List => {
            let tokens: Vec<TokenView> =
                client.ask("list the tokens", "tokens_list", &Nothing {})?;
            list(client, &tokens)?;
        }
        TokenVerb::Revoke(args) => {
            let left: Vec<TokenView> = client.ask(
                "revoke the token",
                "token_revoke",
                &TokenRef { name: args.name },
            )?;
            list(client, &left)?;
        }
    }
    Ok(Exit::Done)
}

fn create(client: &Client<'_>, args: CreateArgs) -> Result<(), Failure> {
    let wanted = TokenCreate {
        name: args.name,
        surface: args.surface.into(),
    };
    let created: TokenCreated = client.ask("make a token", "token_create", &wanted)?;
    if client.output.json {
        return client.output.json(&created);
    }
    client.output.note("This is the only time the token is shown. Programs send it as `Authorization: Bearer TOKEN`.");
    client.output.line(&created.token)
}

fn list(client: &Client<'_>, tokens: &[TokenView]) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(&tokens);
    }
    if tokens.is_empty() {
        client.output.note("There are no tokens.");
        return Ok(());
    }
    let row = |token: &TokenView| {
        [
            Cell::from(token.name.as_str()).tone(Tone::Strong),
            Cell::from(token.surface.as_str()),
            Cell::from(date(token.created_at)).tone(Tone::Faint),
            Cell::from(token.used_at.map_or_else(|| "never".to_owned(), date)).tone(Tone::Faint),
        ]
    };
    let rows: Vec<_> = tokens.iter().map(row).collect();
    table::print(
        client.output,
        ["name", "good for", "made", "last used"],
        &rows,
    )
}
