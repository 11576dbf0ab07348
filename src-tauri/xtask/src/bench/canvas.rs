//! Compares the blueprint's canvas with a page that contains only React Flow and the same graph, in
//! two engines.
//!
//! Each figure is measured by wall-clock time and by the processor time of the rendering process.
//! `limits` contains the limits of the canvas, each printed with a verdict.

mod limits;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// Prefixes of lines with figures. The display session prints other lines, too.
const ENGINES: [&str; 2] = ["chromium", "webkit"];

/// The compared figures and their descriptions.
const COMPARED: [(&str, &str); 5] = [
    ("open", "opened"),
    ("pan", "a frame, all in view, moved"),
    ("zoom", "a frame, all in view, zoomed"),
    ("pan-near", "a frame at 100 %, moved"),
    ("drag", "a frame, one node dragged"),
];

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let journeys = repo.test_dir("browser");
    npm::install(repo, stages, &journeys)?;
    stages.begin("building the plain page");
    let plain = build_plain(repo)?;
    stages.begin(
        "opening, panning and dragging 1,000 and 10,000 nodes on both pages in both engines",
    );
    let plain = plain.to_string_lossy();
    let display = [
        "-a",
        "-s",
        "-screen 0 1440x900x24",
        "dbus-run-session",
        "--",
        "node",
        "bench/canvas.js",
        &plain,
    ];
    let mut command = process::command(&journeys, "xvfb-run", &display);
    command.env("BATON_TEST_PROGRAMS", repo.programs_dir(true));
    let figures = Figures::read(&process::read(&mut command)?)?;
    for engine in ENGINES {
        print(engine, &figures)?;
    }
    println!(
        "  list page: first load  {:6.1} kB gzip",
        figures.get("chromium baton list first-load")? / 1_000.0
    );
    Ok(())
}

/// Builds the page with only React Flow, using the interface's own packages.
fn build_plain(repo: &RepoPaths) -> Result<PathBuf> {
    let folder = repo.xtask_dir().join("plain-flow");
    let out = folder.to_string_lossy();
    let config = [
        "exec",
        "--no",
        "--",
        "vite",
        "build",
        "--config",
        "bench/vite.config.ts",
    ];
    let mut command = npm::npm(&repo.ui_dir(), &config);
    command.args(["--outDir", &out, "--emptyOutDir", "--logLevel", "warn"]);
    process::run(&mut command)?;
    Ok(folder)
}

fn print(engine: &str, figures: &Figures) -> Result<()> {
    for size in [1_000, 10_000] {
        println!(
            "  {engine}, {size} nodes               wall-clock time              processor time"
        );
        println!(
            "                                     baton    plain    ratio     baton    plain    ratio"
        );
        for (what, description) in COMPARED {
            let of =
                |page: &str, end: &str| figures.get(&format!("{engine} {page} {size} {what}{end}"));
            let (baton, plain) = (of("baton", "")?, of("plain", "")?);
            let (busy, plain_busy) = (of("baton", "-busy")?, of("plain", "-busy")?);
            let (clock, processor) = (baton / plain, busy / plain_busy);
            println!(
                "    {description:<30} {baton:7.1}  {plain:7.1}    {clock:5.2}   {busy:7.1}  {plain_busy:7.1}    {processor:5.2}"
            );
        }
    }
    let frame = figures.get(&format!("{engine} baton 1000 storm-longest-frame"))?;
    println!("    1,000 changes a second: longest frame {frame:.0} ms");
    for limit in limits::limits_for(engine) {
        println!("    {}", limit.judge(figures)?);
    }
    Ok(())
}

/// Figures by name.
struct Figures(BTreeMap<String, f64>);

impl Figures {
    /// Parses lines of a name and a number.
    fn read(printed: &str) -> Result<Self> {
        let figure = |line: &str| {
            let (name, number) = line
                .rsplit_once(' ')
                .with_context(|| format!("'{line}' isn't a figure"))?;
            Ok((
                name.to_owned(),
                number
                    .parse()
                    .with_context(|| format!("'{number}' isn't a number"))?,
            ))
        };
        let ours = |line: &&str| ENGINES.iter().any(|engine| line.starts_with(engine));
        printed
            .lines()
            .filter(ours)
            .map(figure)
            .collect::<Result<_>>()
            .map(Self)
    }

    fn get(&self, name: &str) -> Result<f64> {
        self.0
            .get(name)
            .copied()
            .with_context(|| format!("{name} was not measured"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_figure_is_reported_by_name() -> Result<()> {
        let figures = Figures::read("SpiRegistry is running\nwebkit baton 1000 open 431.5\n")?;
        assert_eq!(figures.get("webkit baton 1000 open")?, 431.5);
        let missing = figures
            .get("webkit plain 1000 open")
            .map_err(|error| error.to_string());
        assert_eq!(
            missing,
            Err("webkit plain 1000 open was not measured".to_owned())
        );
        assert!(Figures::read("webkit opened fast\n").is_err());
        Ok(())
    }
}
