//! How long the shell takes to answer about a large run, beside a run of a tenth of its size: what grows faster than the
//! run looks at everything again for each of its parts.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::graph::Graph;
use super::ground::Ground;
use super::sample::Sample;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;

const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
const ROUNDS: usize = 5;
/// What is asked; `RUN` and `PLAN` stand for the ids of the run and its plan.
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

pub(crate) fn measure(place: &Place, stages: &Stages) -> Result<()> {
    let (small, large) = (
        Shell::over(place, stages, SMALL)?,
        Shell::over(place, stages, LARGE)?,
    );
    stages.begin(&format!(
        "asking about {SMALL} and {LARGE} nodes, {ROUNDS} times in turn"
    ));
    for question in QUESTIONS {
        let (mut little, mut much) = (Sample::default(), Sample::default());
        for _ in 0..ROUNDS {
            little.add(small.ask(place, question)?);
            much.add(large.ask(place, question)?);
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

/// A data directory with one plan that has run.
struct Shell {
    ground: Ground,
    plan: String,
    run: String,
}

impl Shell {
    fn over(place: &Place, stages: &Stages, nodes: usize) -> Result<Self> {
        stages.begin(&format!("running {nodes} nodes to ask about"));
        let ground = Ground::lay(&format!("shell-{nodes}"))?;
        Graph::of(nodes).write(&ground.work())?;
        process::run(ground.baton_run(place, 2)?.stdout(Stdio::null()))?;
        let told =
            process::read(&mut ground.baton(place, &["--json", "runs", "list", "--limit", "1"]))?;
        let id = |key: &str| -> Result<String> {
            let (_, rest) = told
                .split_once(&format!("\"{key}\":\""))
                .context("the run is not listed")?;
            Ok(rest.chars().take_while(|c| *c != '"').collect())
        };
        let (plan, run) = (id("plan")?, id("id")?);
        Ok(Self { ground, plan, run })
    }

    fn ask(&self, place: &Place, question: &[&str]) -> Result<Duration> {
        let words = question.iter().map(|word| match *word {
            "PLAN" => self.plan.as_str(),
            "RUN" => self.run.as_str(),
            word => word,
        });
        let words: Vec<&str> = words.collect();
        let mut command = self.ground.baton(place, &words);
        let begun = Instant::now();
        let status = command
            .stdout(Stdio::null())
            .status()
            .context("baton could not be started")?;
        if !status.success() {
            bail!(
                "`baton {}` failed ({status}), so its time says nothing",
                words.join(" ")
            );
        }
        Ok(begun.elapsed())
    }
}
