//! Measures a gigabyte of output in a browser, beside the same page with an empty output and beside
//! `less -R` with the same file.

use anyhow::Result;

use super::browser_figures::BrowserFigures;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

const MEGABYTE: f64 = 1e6;

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    let purpose = "reading 1 GB of colored output in a browser";
    let figures = BrowserFigures::measure_on_display(repo, stages, "output.js", purpose)?;
    for (label, name) in [
        ("opened at the start", "opened at the start"),
        ("  in less -R", "less opened at the start"),
        ("opened at the end", "opened at the end"),
        ("  in less -R", "less opened at the end"),
        ("first match", "first match"),
        ("  in less -R", "less first match"),
        ("match in the middle", "match in the middle"),
        ("a frame, 99 of 100", "frame 99 of 100"),
        ("  of an empty output", "frame 99 of 100, empty"),
        ("the same in WebKitGTK", "WebKitGTK frame 99 of 100"),
        ("  of an empty output", "WebKitGTK frame 99 of 100, empty"),
    ] {
        println!("  {label:22} {:6.0} ms", figures.get(name)?);
    }
    for (label, name) in [
        ("window above empty", "window memory above empty"),
        ("server above empty", "server memory above empty"),
    ] {
        println!("  {label:22} {:6.1} MB", figures.get(name)? / MEGABYTE);
    }
    Ok(())
}
