//! Measures timelines in a browser: one that grows by 10,000 events per second, and one of 100 MB.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const MEGABYTE: f64 = 1e6;
/// The duration from which browsers report a long task, in milliseconds (W3C, Long Tasks §1).
const LONG: f64 = 50.0;
/// The duration of a frame at 60 frames per second, in milliseconds.
const FRAME: f64 = 1_000.0 / 60.0;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let journeys = repo.test_dir("browser");
    npm::install(repo, stages, &journeys)?;
    stages.begin("following a timeline of 10,000 events per second, and opening one of 100 MB");
    let mut command = process::command(&journeys, "node", &["bench/timelines.js"]);
    command.env("BATON_TEST_PROGRAMS", repo.programs_dir(true));
    let figures = figures_of(&process::read(&mut command)?)?;
    let figure = |name: &str| {
        figures
            .get(name)
            .copied()
            .with_context(|| format!("{name} was not measured"))
    };

    println!(
        "  growing: longest task  {:6.0} ms",
        figure("growing longest task")?
    );
    println!(
        "    of processor time    {:6.0} ms",
        figure("growing longest task, processor")?
    );
    println!(
        "    over the limit       {:6.2}",
        figure("growing longest task, processor")? / LONG
    );
    println!(
        "    window grew by       {:6.1} MB",
        figure("growing window memory")? / MEGABYTE
    );
    println!(
        "    server holds         {:6.1} MB",
        figure("growing server memory")? / MEGABYTE
    );
    println!(
        "  100 MB: opened in      {:6.0} ms",
        figure("large opened")?
    );
    println!(
        "    a frame, 99 of 100   {:6.1} ms",
        figure("large frame 99 of 100")?
    );
    println!(
        "    over the display's   {:6.2}",
        figure("large frame 99 of 100")? / FRAME
    );
    println!("    a jump, median       {:6.0} ms", figure("large jump")?);
    println!(
        "    longest task         {:6.0} ms",
        figure("large longest task, processor")?
    );
    println!(
        "    server holds         {:6.1} MB",
        figure("large server memory")? / MEGABYTE
    );
    println!(
        "  transcript: opened in  {:6.0} ms",
        figure("transcript opened")?
    );
    Ok(())
}

/// Parses lines of a name and a number.
fn figures_of(printed: &str) -> Result<BTreeMap<String, f64>> {
    let mut figures = BTreeMap::new();
    for line in printed.lines() {
        let (name, number) = line
            .rsplit_once(' ')
            .with_context(|| format!("'{line}' isn't a figure"))?;
        figures.insert(
            name.to_owned(),
            number
                .parse()
                .with_context(|| format!("'{number}' isn't a number"))?,
        );
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_several_words() -> Result<()> {
        let figures = figures_of("growing longest task, processor 36\nlarge opened 385\n")?;
        assert_eq!(figures.get("growing longest task, processor"), Some(&36.0));
        assert_eq!(figures.len(), 2);
        assert!(figures_of("opened fast\n").is_err());
        Ok(())
    }
}
