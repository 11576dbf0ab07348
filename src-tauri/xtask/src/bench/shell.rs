//! Measures how long shell commands take on a large run, compared with a run of a tenth of its
//! size. Anything that grows faster than the run does redundant work.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::bench_directory::BenchDirectory;
use super::graph::Graph;
use super::sample::Sample;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
const ROUNDS: usize = 5;
/// The commands. `RUN` and `PLAN` stand for the ids of the run and its plan.
const QUESTIONS: [&[&str]; 15] = [
    &["plan", "list"],
    &["plan", "show", "PLAN"],
    &["--json", "plan", "show", "PLAN"],
    &["plan", "show", "PLAN", "--checks"],
    &["plan", "export", "PLAN"],
    &["runs", "list"],
    &["runs", "show", "RUN"],
    &["--json", "runs", "show", "RUN"],
    &["runs", "show", "RUN", "--history"],
    &["session", "list", "--limit", "10000"],
    &["--json", "session", "list", "--limit", "10000"],
    &["inbox"],
    &["executors"],
    &["stats"],
    &["proposal", "list"],
];

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let (small, large) = (
        Shell::over(repo, stages, SMALL)?,
        Shell::over(repo, stages, LARGE)?,
    );
    stages.begin(&format!(
        "querying runs of {SMALL} and {LARGE} nodes, {ROUNDS} times in turn"
    ));
    for question in QUESTIONS {
        let (mut little, mut much) = (Sample::default(), Sample::default());
        for _ in 0..ROUNDS {
            little.add(small.ask(repo, question)?);
            much.add(large.ask(repo, question)?);
        }
        let (little, much) = (little.median() * 1e3, much.median() * 1e3);
        println!(
            "  {:<40} {much:7.0} ms   {:5.1} times that of {SMALL}",
            question.join(" "),
            much / little
        );
    }
    Ok(())
}

/// A data directory with one plan and its completed run.
struct Shell {
    directory: BenchDirectory,
    plan: String,
    run: String,
}

impl Shell {
    fn over(repo: &RepoPaths, stages: &Stages, nodes: usize) -> Result<Self> {
        stages.begin(&format!("running {nodes} nodes to query"));
        let directory = BenchDirectory::create(&format!("shell-{nodes}"))?;
        Graph::of(nodes).write(&directory.work())?;
        process::run(directory.baton_run(repo, 2)?.stdout(Stdio::null()))?;
        let listing =
            process::read(&mut directory.baton(repo, &["--json", "runs", "list", "--limit", "1"]))?;
        let id = |key: &str| -> Result<String> {
            let (_, rest) = listing
                .split_once(&format!("\"{key}\":\""))
                .context("the run is not listed")?;
            Ok(rest.chars().take_while(|c| *c != '"').collect())
        };
        let (plan, run) = (id("plan")?, id("id")?);
        Ok(Self {
            directory,
            plan,
            run,
        })
    }

    fn ask(&self, repo: &RepoPaths, question: &[&str]) -> Result<Duration> {
        let arguments = question.iter().map(|word| match *word {
            "PLAN" => self.plan.as_str(),
            "RUN" => self.run.as_str(),
            word => word,
        });
        let arguments: Vec<&str> = arguments.collect();
        let mut command = self.directory.baton(repo, &arguments);
        let begun = Instant::now();
        let status = command
            .stdout(Stdio::null())
            .status()
            .context("couldn't start baton")?;
        if !status.success() {
            bail!(
                "`baton {}` failed ({status}), so its time is meaningless",
                arguments.join(" ")
            );
        }
        Ok(begun.elapsed())
    }
}
