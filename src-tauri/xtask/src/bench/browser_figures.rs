//! Figures that a benchmark in a browser prints.

use std::collections::BTreeMap;

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
        let journeys = repo.test_dir("browser");
        npm::install(repo, stages, &journeys)?;
        stages.begin(purpose);
        let script = format!("bench/{script}");
        let mut command = process::command(&journeys, "node", &[&script]);
        command.env("BATON_TEST_PROGRAMS", repo.programs_dir(true));
        Self::parse(&process::read(&mut command)?)
    }

    pub(crate) fn get(&self, name: &str) -> Result<f64> {
        let figure = self.0.get(name).copied();
        figure.with_context(|| format!("{name} was not measured"))
    }

    /// Parses lines of a name and a number.
    fn parse(printed: &str) -> Result<Self> {
        let mut figures = BTreeMap::new();
        for line in printed.lines() {
            let (name, number) = line
                .rsplit_once(' ')
                .with_context(|| format!("'{line}' isn't a figure"))?;
            let number = number
                .parse()
                .with_context(|| format!("'{number}' isn't a number"))?;
            figures.insert(name.to_owned(), number);
        }
        Ok(Self(figures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_several_words() -> Result<()> {
        let printed = "growing longest task, processor 36\nlarge opened 385\n";
        let figures = BrowserFigures::parse(printed)?;
        assert_eq!(figures.get("growing longest task, processor")?, 36.0);
        assert!(figures.get("opened").is_err());
        assert!(BrowserFigures::parse("opened fast\n").is_err());
        Ok(())
    }
}
