//! `baton runs pr`: opens a pull request from the work of a run.

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::style::{Tone, one_line};

/// Maximum number of files in the preview.
const MAX_LISTED_FILES: usize = 30;

#[derive(Debug, Args)]
pub(crate) struct PullRequestArgs {
    /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
    run: String,
    /// Open it as a draft
    #[arg(long)]
    draft: bool,
    /// The branch that it is for [default: the remote's default branch]
    #[arg(long, value_name = "BRANCH")]
    base: Option<String>,
    /// The name of the new branch [default: baton/ with the plan's title and the run's number]
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// The remote to push to [default: the usual one]
    #[arg(long, value_name = "NAME")]
    remote: Option<String>,
    /// The title [default: the plan's title]
    #[arg(long)]
    title: Option<String>,
    /// Add the newest work to the branch if it exists
    #[arg(long)]
    update: bool,
    /// Show what it would contain, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn pull_request(client: &Client<'_>, args: &PullRequestArgs) -> Result<Exit, Failure> {
    let run = id_lookup::find_run(client, &args.run)?;
    let input = PullRequestPreview {
        run,
        remote: args.remote.clone(),
        base: args.base.clone(),
        branch: args.branch.clone(),
    };
    let view: PullRequestView =
        client.ask("prepare the pull request", "run_pull_request", &input)?;
    let title = args.title.clone().unwrap_or_else(|| view.title.clone());
    if args.dry_run {
        return print_preview(client, &view, &title);
    }
    let input = PullRequestOpen {
        run,
        remote: view.remote,
        push_address: view.push_address,
        base: view.base,
        branch: view.branch,
        title,
        description: view.description,
        draft: args.draft,
        update: args.update,
    };
    let done: PullRequestResult =
        client.ask("open the pull request", "run_pull_request_open", &input)?;
    print_result(client, &done, &view.tool)
}

fn print_preview(
    client: &Client<'_>,
    view: &PullRequestView,
    title: &str,
) -> Result<Exit, Failure> {
    let output = &client.output;
    if output.json {
        output.json(view)?;
        return Ok(Exit::Done);
    }
    output.line(&output.paint(&one_line(title), Tone::Strong))?;
    output.line(&format!(
        "{} -> {} at {}",
        one_line(&view.branch),
        one_line(&view.base),
        one_line(&view.push_address)
    ))?;
    for commit in view.commits.iter().flatten() {
        output.line(&format!("  {}  {}", commit.id, one_line(&commit.subject)))?;
    }
    for file in view.files.iter().take(MAX_LISTED_FILES) {
        output.line(&format!("  {}", one_line(&file.path)))?;
    }
    let files = format_quantity(
        view.files.len() + view.files_left_out as usize,
        "file",
        "files",
    );
    output.line(&format!("{files} changed"))?;
    output.line("")?;
    for line in view.description.lines() {
        output.line(&one_line(line))?;
    }
    output.note(&describe_tool(&view.tool));
    if let Some(opened) = &view.opened {
        output.note(&format!("Opened before: {}", one_line(&opened.url)));
    }
    Ok(Exit::Done)
}

fn print_result(
    client: &Client<'_>,
    done: &PullRequestResult,
    tool: &PullRequestTool,
) -> Result<Exit, Failure> {
    let output = &client.output;
    if output.json {
        output.json(done)?;
        return Ok(Exit::Done);
    }
    match &done.url {
        Some(url) => {
            output.line(&one_line(url))?;
            if done.existing {
                output.note("This pull request was open already. The branch was pushed to it.");
            }
        }
        None => {
            output.note(&format!(
                "Created the branch {}. {} Push it with:",
                one_line(&done.branch),
                describe_tool(tool)
            ));
            output.line(&one_line(&done.push_command))?;
        }
    }
    Ok(Exit::Done)
}

fn describe_tool(tool: &PullRequestTool) -> String {
    match tool {
        PullRequestTool::Ready { program } => format!("{program} opens the pull request."),
        PullRequestTool::SignedOut { program, host } => {
            format!("Nobody is signed in to {host}: run `{program} auth login --hostname {host}`.")
        }
        PullRequestTool::Missing { program, host } => {
            format!("{program} isn't installed, so nothing can open a pull request on {host}.")
        }
        PullRequestTool::Unknown => {
            "Neither gh nor glab is signed in to the remote's host.".to_owned()
        }
    }
}
