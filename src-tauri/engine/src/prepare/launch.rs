//! The folder of a session with everything that its keeper needs to start.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use baton_agents::{InputMessage, LaunchPlan, Quote};
use baton_keeper::{Launch, LaunchError, session_file};
use baton_model::SandboxMode;
use baton_model::node::Node;

use super::PreparedSession;
use super::attempt_variables::attempt_variables;
use super::program::Program;
use super::text::SHELL;
use crate::crash_point::crash_point;
use crate::environment::secrets_of;
use crate::job::Job;
use crate::session_folder::{CONTEXT_FILE, PROMPT_COPY, WORK_FILE};

/// Used in place of an empty context document.
const NOTHING: &str = "/dev/null";

impl PreparedSession {
    /// Writes the session's folder, so that a keeper can start.
    ///
    /// Completes a folder that a crash left incomplete. It does not matter if a keeper is starting
    /// meanwhile: of two keepers in one folder only one starts a program.
    pub(crate) fn write(
        &self,
        job: &Job,
        node: &Node,
        folder: &Path,
        data_directory: &Path,
        base: &BTreeMap<String, String>,
    ) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        // A command is in the launch file already, and a node without parents receives nothing:
        // with many short nodes each file counts.
        if !self.context.is_empty() {
            session_file::write(&folder.join(CONTEXT_FILE), &self.context)?;
        }
        if !matches!(self.program, Program::Command { .. }) {
            // The agent gets the full text; this copy is for people.
            session_file::write(
                &folder.join(PROMPT_COPY),
                secrets_of(base).mask(self.display_text.as_bytes()),
            )?;
        }
        if let Program::Tool { work, .. } = &self.program {
            // The servers' headers and variables may contain keys.
            session_file::write(&folder.join(WORK_FILE), serde_json::to_vec(work)?)?;
        }
        crash_point("half a folder");
        let mut plan = self.program.launch_plan(folder)?;
        refuse_empty(&plan, node)?;
        self.prepare_worktree(job, &mut plan)?;
        let mut env = base.clone();
        env.retain(|name, _| !plan.env_remove.iter().any(|pattern| matches(pattern, name)));
        env.extend(plan.env);
        env.extend(attempt_variables(job, folder));
        env.extend([self.context_variable(folder)]);
        let launch = Launch {
            argv: plan.argv,
            cwd: self.directory.clone(),
            env,
            mark: job.session.to_string(),
            stdin: match plan.stdin {
                baton_agents::Stdin::Piped => baton_keeper::Stdin::Pipe,
                baton_agents::Stdin::Null => baton_keeper::Stdin::Null,
            },
            first_input: plan.first_inputs.into_iter().map(keeper_input).collect(),
            timeout_ms: job.run.plan.timeout_ms_of(node),
            grace_ms: 3000,
            sandbox: match node.sandbox_in(&job.run.plan.settings) {
                SandboxMode::On => self.sandbox(folder, data_directory)?,
                SandboxMode::Off => None,
            },
        };
        place_launch(&launch, folder)
    }

    /// Runs the plan's setup command for worktrees before the session's own program, once in each
    /// worktree. It runs under the keeper, so that limits, canceling and timelines apply to it too;
    /// its output goes to standard error.
    fn prepare_worktree(&self, job: &Job, plan: &mut LaunchPlan) -> io::Result<()> {
        let Some(place) = &self.place else {
            return Ok(());
        };
        plan.env.push((
            "BATON_WORKTREE".to_owned(),
            place.path().display().to_string(),
        ));
        let line = job
            .run
            .plan
            .settings
            .worktree_setup
            .as_deref()
            .unwrap_or_default();
        // A worktree with conflict markers cannot be set up.
        if job.is_merge_only() || line.trim().is_empty() || place.is_prepared() {
            return Ok(());
        }
        // The session may change this file, but create no other beside its worktree.
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(place.prepared())?;
        let script = "if (cd \"$BATON_WORKTREE\" && eval \"$1\") </dev/null >&2; then echo prepared > \"$2\"; shift 2; exec \"$@\"; \
                      else code=$?; echo 'the worktree could not be prepared' >&2; exit $code; fi";
        let marker = place.prepared().display().to_string();
        let words = [SHELL, "-c", script, "baton", line, &marker].map(str::to_owned);
        plan.argv = words
            .into_iter()
            .chain(std::mem::take(&mut plan.argv))
            .collect();
        Ok(())
    }

    /// The variable with the path of the session's input.
    fn context_variable(&self, folder: &Path) -> (String, String) {
        let context = if self.context.is_empty() {
            NOTHING.to_owned()
        } else {
            folder.join(CONTEXT_FILE).display().to_string()
        };
        ("BATON_CONTEXT".to_owned(), context)
    }
}

/// Rejects a session without a program: an agent in the settings may be defined without one.
pub(super) fn refuse_empty(plan: &LaunchPlan, node: &Node) -> io::Result<()> {
    if !plan.argv.is_empty() {
        return Ok(());
    }
    let detail = format!(
        "the agent of the node '{}' has no command: add one in the settings, or choose another agent",
        node.slug
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, detail))
}

/// The operating system's error, so that a full disk can be recognized.
/// Writes the launch file, also where a crash left one or a displaced executor writes one meanwhile.
fn place_launch(launch: &Launch, folder: &Path) -> io::Result<()> {
    match launch.write(folder).map_err(cause) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        written => return written,
    }
    // A starting keeper must find either the old file or the new one, and never half of one.
    let fresh = tempfile::Builder::new()
        .prefix("fresh-")
        .tempdir_in(folder)?;
    launch.write(fresh.path()).map_err(cause)?;
    fs::rename(
        fresh.path().join(baton_keeper::LAUNCH),
        folder.join(baton_keeper::LAUNCH),
    )?;
    fresh.close()
}

fn cause(error: LaunchError) -> io::Error {
    match error {
        LaunchError::Io(error) => error,
        LaunchError::Json(error) => error.into(),
    }
}

fn keeper_input(input: baton_agents::Input) -> baton_keeper::Input {
    match input.message {
        InputMessage::Text(text) => baton_keeper::Input::Text {
            key: input.key,
            text,
        },
        // A program that has not started cannot be quoted.
        InputMessage::Quote(Quote { otherwise, .. }) => baton_keeper::Input::Text {
            key: input.key,
            text: otherwise,
        },
        InputMessage::Close => baton_keeper::Input::Close { key: input.key },
    }
}

/// Returns whether an exact name, or a prefix that ends in `*`, matches `name`.
fn matches(pattern: &str, name: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == name, |prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A displaced executor that woke up between two steps of the new one made it fail.
    #[test]
    fn launch_is_placed_by_several_executors_at_once() {
        let launch = Launch {
            argv: vec!["true".to_owned()],
            cwd: "/".into(),
            env: BTreeMap::new(),
            mark: "mark".to_owned(),
            stdin: baton_keeper::Stdin::Null,
            first_input: Vec::new(),
            timeout_ms: None,
            grace_ms: 0,
            sandbox: None,
        };
        for _ in 0..50 {
            let folder = tempfile::tempdir().expect("temp dir");
            let placed: Vec<io::Result<()>> = thread::scope(|scope| {
                let place = || scope.spawn(|| place_launch(&launch, folder.path()));
                let threads = [place(), place(), place(), place()];
                threads
                    .map(|thread| thread.join().expect("no panic"))
                    .into()
            });
            assert!(placed.iter().all(Result::is_ok), "{placed:?}");
            assert_eq!(Launch::read(folder.path()).expect("complete"), launch);
            let left = fs::read_dir(folder.path()).expect("readable").count();
            assert_eq!(left, 1, "nothing is left beside it");
        }
    }
}
