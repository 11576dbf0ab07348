//! `baton inbox`: lists what waits for the user.

use baton_api::wire::*;

use crate::client::Client;
use crate::commands::request;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inbox_output;

/// Lists questions, decisions, proposals and requests, with the commands that answer them.
pub(crate) fn inbox(client: &Client<'_>) -> Result<Exit, Failure> {
    let items: Vec<InboxItem> = client.ask("load the inbox", "inbox_list", &Nothing {})?;
    if client.output.json {
        client.output.json(&items)?;
        return Ok(Exit::Done);
    }
    let requests = request::waiting(client)?;
    if items.is_empty() && requests.is_empty() {
        client.output.note("Nothing is waiting for you.");
        return Ok(Exit::Done);
    }
    if !items.is_empty() {
        inbox_output::print(client, &items)?;
    }
    if !requests.is_empty() {
        request::print(client, &requests)?;
    }
    Ok(Exit::Done)
}
