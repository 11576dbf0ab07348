//! Measures timelines in a browser: one that grows by 10,000 events per second, and one of 100 MB.

use anyhow::Result;

use super::browser_figures::BrowserFigures;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const MEGABYTE: f64 = 1e6;
/// The duration from which browsers report a long task, in milliseconds (W3C, Long Tasks §1).
const LONG: f64 = 50.0;
/// The duration of a frame at 60 frames per second, in milliseconds.
const FRAME: f64 = 1_000.0 / 60.0;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let purpose = "following a timeline of 10,000 events per second, and opening one of 100 MB";
    let figures = BrowserFigures::measure(repo, stages, "timelines.js", purpose)?;
    let figure = |name| figures.get(name);

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
