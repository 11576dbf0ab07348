//! `baton token`: manages access tokens for the HTTP API.

use baton_api::AccessLevel;
use baton_api::wire::*;
use clap::{Args, Subcommand, ValueEnum};

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

#[derive(Debug, Subcommand)]
pub(crate) enum TokenVerb {
    /// Create an access token and print it once
    Create(CreateArgs),
    /// List access tokens by name
    List,
    /// Revoke an access token
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// What the token permits
    #[arg(long, value_name = "LEVEL", default_value = "read")]
    surface: AccessChoice,
    /// The token's name, which the list and the history show
    #[arg(long)]
    name: String,
}

#[derive(Debug, Args)]
pub(crate) struct RevokeArgs {
    /// The token's name
    name: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum AccessChoice {
    /// Read everything
    Read,
    /// Also create, save, propose, start approved plans, pause, cancel and retry
    Write,
    /// Also approve, answer, skip, delete and change settings
    Decide,
}

impl From<AccessChoice> for AccessLevel {
    fn from(choice: AccessChoice) -> Self {
        match choice {
            AccessChoice::Read => Self::Read,
            AccessChoice::Write => Self::Write,
            AccessChoice::Decide => Self::Decide,
        }
    }
}

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
    let created: TokenCreated = client.ask("create the token", "token_create", &wanted)?;
    if client.output.json {
        return client.output.json(&created);
    }
    client.output.note(
        "Copy the token now; it won't be shown again. Send it as `Authorization: Bearer TOKEN`.",
    );
    client.output.line(&created.token)
}

fn list(client: &Client<'_>, tokens: &[TokenView]) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(&tokens);
    }
    if tokens.is_empty() {
        client.output.note("No access tokens.");
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
        ["name", "access", "created", "last used"],
        &rows,
    )
}
