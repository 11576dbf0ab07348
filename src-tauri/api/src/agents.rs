//! Operations on the agents of this machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use baton_agents::custom::CustomAgent as StoredAgent;
use baton_agents::{Adapter, Probe, Reach};
use baton_keeper::umask;

use baton_engine::find_program as find;
use baton_planning::programs::logged_in;

use crate::wire::*;
use crate::{ApiError, App, Code};
use baton_planning::settings::StoredSettings;

/// How long an agent may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lists the agents, a person's own first. Asks each for its version, which takes a moment.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<AgentView>, ApiError> {
    let custom = StoredSettings::read(&app.store)?.custom_agents;
    let environment = app.engine.environment();
    let default = app.engine.agents().default_name();
    let agents = app.engine.agents().all();
    // Each may be slow to answer, and none waits for another.
    let views = thread::scope(|scope| {
        let look = |agent: &std::sync::Arc<dyn Adapter>| {
            let agent = std::sync::Arc::clone(agent);
            let (environment, custom, default) = (&environment, &custom, &default);
            scope.spawn(move || view(agent.as_ref(), environment, custom, default))
        };
        let looks: Vec<_> = agents.iter().map(look).collect();
        looks
            .into_iter()
            .filter_map(|look| look.join().ok())
            .collect()
    });
    Ok(views)
}

fn view(
    agent: &dyn Adapter,
    environment: &BTreeMap<String, String>,
    custom: &[StoredAgent],
    default: &str,
) -> AgentView {
    let probe = agent.probe();
    let path = find(&probe.program, environment);
    let version = path
        .as_deref()
        .and_then(|path| version(path, &probe, environment));
    let logged_in = path.as_ref().and_then(|_| logged_in(&probe, environment));
    let own = custom.iter().find(|own| own.name == agent.id());
    AgentView {
        id: agent.id().to_owned(),
        title: agent.title().to_owned(),
        custom: own.is_some(),
        default: agent.id() == default,
        mend: match (&path, logged_in) {
            (None, _) => Some(probe.missing.clone()),
            (Some(_), Some(false)) => Some(probe.not_logged_in.clone()),
            _ => None,
        },
        path: path.map(|path| path.display().to_string()),
        version,
        // No sign is a doubt, not a fact.
        logged_in: logged_in.filter(|&logged_in| logged_in),
        command: own.map(|own| own.argv.clone()).unwrap_or_default(),
        protocol: own.map(|own| own.protocol).unwrap_or_default(),
        reach: reach_of(agent),
    }
}

fn reach_of(agent: &dyn Adapter) -> AgentReach {
    let Reach {
        asks,
        lists,
        sentence,
    } = agent.reach();
    AgentReach {
        asks,
        lists,
        sentence: sentence.to_owned(),
    }
}

fn version(path: &Path, probe: &Probe, environment: &BTreeMap<String, String>) -> Option<String> {
    let arguments = probe
        .version_argv
        .get(1..)
        .filter(|arguments| !arguments.is_empty())?;
    let mut command = Command::new(path);
    command
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = umask::with_original(|| command.spawn()).ok()?;
    // Some print their version to standard error: pi does.
    let printed = [text_of(child.stdout.take()?), text_of(child.stderr.take()?)];
    let texts = printed.map(|text| text.recv_timeout(PATIENCE));
    if texts.iter().any(Result::is_err) {
        // It may have ended in this very moment.
        drop(child.kill());
    }
    drop(child.wait());
    texts
        .into_iter()
        .flatten()
        .find_map(|text| (probe.parse_version)(&text))
}

/// What comes out of a pipe until its end, told when it has come.
fn text_of(mut pipe: impl std::io::Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, text) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        if pipe.read_to_string(&mut text).is_ok() {
            // Nobody may be waiting any more.
            drop(sender.send(text));
        }
    });
    text
}

/// Defines an agent of one's own, or changes it.
pub(crate) fn save(app: &App, input: CustomAgent) -> Result<Vec<AgentView>, ApiError> {
    let bad = |message: &str| Err(ApiError::new(Code::BadInput, message));
    if baton_model::Slug::new(&input.id).is_err() {
        return bad(
            "an agent's name has letters, digits, '-' and '_', beginning with a letter or digit",
        );
    }
    if input
        .command
        .first()
        .is_none_or(|program| program.trim().is_empty())
    {
        return bad("an agent needs a program to run");
    }
    let mut stored = StoredSettings::read(&app.store)?;
    stored.custom_agents.retain(|agent| agent.name != input.id);
    stored.custom_agents.push(StoredAgent {
        name: input.id,
        argv: input.command,
        protocol: input.protocol,
    });
    stored.custom_agents.sort_by(|a, b| a.name.cmp(&b.name));
    app.store_settings(&stored)?;
    list(app, Nothing {})
}

/// Forgets an agent of one's own. Nodes that name it fail until it is defined again.
pub(crate) fn delete(app: &App, input: AgentRef) -> Result<Vec<AgentView>, ApiError> {
    let mut stored = StoredSettings::read(&app.store)?;
    let before = stored.custom_agents.len();
    stored.custom_agents.retain(|agent| agent.name != input.id);
    if stored.custom_agents.len() == before {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no custom agent called '{}'", input.id),
        ));
    }
    if stored.default_agent == input.id {
        stored.default_agent = StoredSettings::default().default_agent;
    }
    app.store_settings(&stored)?;
    list(app, Nothing {})
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use baton_agents::pi::Pi;

    use super::*;

    #[test]
    fn a_version_may_come_by_either_output() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let program = folder.path().join("pi");
        for (says, found) in [
            ("echo 0.74.2", Some("0.74.2")),
            ("echo 0.74.2 >&2", Some("0.74.2")),
            ("echo a warning >&2; echo 0.74.2", Some("0.74.2")),
            ("echo nothing of the kind", None),
        ] {
            std::fs::write(&program, format!("#!/bin/sh\n{says}\n")).expect("a file");
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))
                .expect("our file");
            assert_eq!(
                version(&program, &Pi::default().probe(), &BTreeMap::new()).as_deref(),
                found,
                "{says}"
            );
        }
    }
}
