//! `baton help`: clap's help of a command, or a page of the guide.

use std::ffi::OsString;

use clap::{Args, Command};
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::help::{self, Topic};
use crate::id_lookup;
use crate::output::Output;
use crate::style::Tone;

/// Print help for a command, or a page of the guide
///
/// Without a name, it lists all commands and topics. Commands take precedence over topics.
#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// A command, such as `plan export`, or a topic, such as `getting-started`
    #[arg(value_name = "COMMAND|TOPIC")]
    name: Vec<String>,
}

/// Rewrites `baton plan help export` to `baton help plan export`. Needed because clap's own `help`
/// subcommand is disabled at all levels.
pub(crate) fn move_help_first(
    arguments: impl IntoIterator<Item = OsString>,
    root: &Command,
) -> Vec<OsString> {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let mut command = root;
    for (at, argument) in arguments.iter().enumerate().skip(1) {
        if argument == "help" && command.has_subcommands() {
            let (before, after) = (&arguments[1..at], &arguments[at + 1..]);
            return [&arguments[..1], &["help".into()], before, after].concat();
        }
        match command.find_subcommand(argument) {
            Some(below) => command = below,
            None => break,
        }
    }
    arguments
}

/// Prints the help for a command or a page of the guide. Needs no data directory.
pub(crate) fn help(output: &Output, args: &HelpArgs, mut root: Command) -> Result<Exit, Failure> {
    // After `build`, the usage of a command includes its parent commands.
    root.build();
    if args.name.is_empty() {
        return overview(output, root);
    }
    if let Some(command) = find_command(&root, &args.name) {
        output.text(&format!("{}\n", command_help(command).trim_end()))?;
        return Ok(Exit::Done);
    }
    match args.name.as_slice() {
        [name] => match help::find(name) {
            Some(topic) => page(output, topic),
            None => Err(unknown(name, &root)),
        },
        words => Err(unknown(&words.join(" "), &root)),
    }
}

/// A topic in JSON output.
#[derive(Debug, Serialize)]
struct TopicRow<'a> {
    topic: &'a str,
    title: &'a str,
    summary: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

impl<'a> TopicRow<'a> {
    fn new(topic: &'a Topic, text: Option<&'a str>) -> Self {
        Self {
            topic: topic.id,
            title: topic.title(),
            summary: topic.summary(),
            text,
        }
    }
}

fn overview(output: &Output, root: Command) -> Result<Exit, Failure> {
    if output.json {
        for topic in help::TOPICS {
            output.json(&TopicRow::new(topic, None))?;
        }
        return Ok(Exit::Done);
    }
    let commands = command_help(root);
    output.line(commands.trim_end())?;
    output.line("")?;
    output.line(&output.paint("Topics (baton help TOPIC):", Tone::Strong))?;
    for topic in help::TOPICS {
        output.line(&format!("  {:<20} {}", topic.id, topic.title()))?;
    }
    Ok(Exit::Done)
}

fn page(output: &Output, topic: &Topic) -> Result<Exit, Failure> {
    if output.json {
        output.json(&TopicRow::new(topic, Some(topic.source)))?;
    } else {
        output.text(&help::render_page(topic.source, output))?;
    }
    Ok(Exit::Done)
}

/// Returns the command with the path `names`.
fn find_command(root: &Command, names: &[String]) -> Option<Command> {
    let found = names
        .iter()
        .try_fold(root, |command, name| command.find_subcommand(name));
    found.cloned()
}

fn command_help(mut command: Command) -> String {
    command.render_long_help().to_string()
}

/// Returns the error for a name that is neither a command nor a topic.
fn unknown(name: &str, root: &Command) -> Failure {
    let commands = root.get_subcommands().map(Command::get_name);
    let names = commands.chain(help::TOPICS.iter().map(|topic| topic.id));
    let near = id_lookup::nearest_names(name, names);
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!(" Did you mean {}?", near.join(" or "))
    };
    Failure::Usage(format!(
        "no command or help topic named '{name}'.{hint} `baton help` lists them"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn topics_and_commands_have_different_names() {
        let root = Arguments::command();
        for topic in help::TOPICS {
            assert!(
                root.find_subcommand(topic.id).is_none(),
                "the command {} hides the topic with the same name",
                topic.id
            );
        }
    }

    #[test]
    fn command_path_shows_its_usage() {
        let names = ["plan", "export"].map(str::to_owned);
        let mut root = Arguments::command();
        root.build();
        let command = find_command(&root, &names).expect("there is such a command");
        assert!(command_help(command).contains("Usage: baton plan export"));
        assert!(find_command(&root, &["plan".to_owned(), "nosuch".to_owned()]).is_none());
    }

    #[test]
    fn help_after_a_group_applies_to_its_subcommand() {
        let moved = |line: &str| {
            let arguments =
                move_help_first(line.split(' ').map(OsString::from), &Arguments::command());
            arguments
                .join(&OsString::from(" "))
                .into_string()
                .expect("text")
        };
        assert_eq!(moved("baton plan help export"), "baton help plan export");
        assert_eq!(moved("baton help plan"), "baton help plan");
        // A plan can have the title "help".
        assert_eq!(moved("baton run help"), "baton run help");
        assert_eq!(moved("baton plan show help"), "baton plan show help");
    }

    #[test]
    fn unknown_name_suggests_the_nearest() {
        let message = unknown("permission", &Arguments::command()).to_string();
        assert!(message.contains("Did you mean 'permissions'"), "{message}");
        let message = unknown("zzzz", &Arguments::command()).to_string();
        assert!(!message.contains("Did you mean"), "{message}");
    }
}
