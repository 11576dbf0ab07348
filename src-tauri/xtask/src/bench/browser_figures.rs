//! Figures that a benchmark in a browser prints.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// Figures by name. Times are in milliseconds, sizes in bytes.
pub(crate) struct BrowserFigures(BTreeMap<String, f64>);

impl BrowserFigures {
    /// Runs a script of `tests/browser/bench`.
    pub(crate) fn measure(
        repo: &RepoPaths,
        stages: &Stages,
        script: &str,
        purpose: &str,
    ) -> Result<Self> {
        Self::measure_with(repo, stages, script, purpose, |journeys| {
            process::command(journeys, "node", &[])
        })
    }

    /// The same with a display, for engines that need one.
    pub(crate) fn measure_on_display(
        repo: &RepoPaths,
        stages: &Stages,
        script: &str,
        purpose: &str,
    ) -> Result<Self> {
        Self::measure_with(repo, stages, script, purpose, |journeys| {
            let display = ["-a", "-s", "-screen 0 1440x900x24", "dbus-run-session"];
            let mut command = process::command(journeys, "xvfb-run", &display);
            command.args(["--", "node"]);
            command
        })
    }

    fn measure_with(
        repo: &RepoPaths,
        stages: &Stages,
        script: &str,
        purpose: &str,
        node: impl FnOnce(&Path) -> Command,
    ) -> Result<Self> {
        let journeys = repo.test_dir("browser");
        npm::install(repo, stages, &journeys)?;
        stages.begin(purpose);
        let mut command = node(&journeys);
        command
            .arg(format!("bench/{script}"))
            .env("BATON_TEST_PROGRAMS", repo.programs_dir(true));
        Ok(Self::parse(&process::read(&mut command)?))
    }

    pub(crate) fn get(&self, name: &str) -> Result<f64> {
        let figure = self.0.get(name).copied();
        figure.with_context(|| format!("{name} was not measured"))
    }

    /// Parses lines of a name and a number. A display's session prints other lines, too.
    fn parse(printed: &str) -> Self {
        let figures = printed.lines().filter_map(|line| {
            let (name, number) = line.rsplit_once(' ')?;
            Some((name.to_owned(), number.parse().ok()?))
        });
        Self(figures.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_several_words() -> Result<()> {
        let printed = "growing longest task, processor 36\nlarge opened 385\n";
        let figures = BrowserFigures::parse(printed);
        assert_eq!(figures.get("growing longest task, processor")?, 36.0);
        assert!(figures.get("opened").is_err());
        let noisy = BrowserFigures::parse("SpiRegistry is running\nopened 3\n");
        assert_eq!(noisy.get("opened")?, 3.0);
        Ok(())
    }
}
