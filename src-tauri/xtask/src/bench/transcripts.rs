//! Compares the index of the agents' histories with other programs on the same data: `ccusage` (its
//! last version in JavaScript) for the list, and plain SQLite FTS5 for full text.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use super::bench_directory::BenchDirectory;
use crate::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;

/// The total size of the histories.
const MEGABYTES: &str = "2048";
const SEED: &str = "20260101";
const PEER: &str = "ccusage@18.0.11";
/// The peer's result, to check that both counted the same sessions.
const TABLE: &str = "ccusage.json";

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin(&format!("fetching {PEER}"));
    let tools = repo.xtask_dir().join("ccusage");
    if !tools.join("node_modules/ccusage/package.json").is_file() {
        npm::install_tool(&tools, PEER)?;
    }
    stages.begin("building the transcripts benchmark");
    let arguments = [
        "build",
        "--release",
        "-p",
        "baton-transcripts",
        "--example",
        "transcripts_speed",
    ];
    process::run(&mut cargo::cargo(repo, &arguments))?;

    let directory = BenchDirectory::create("transcripts")?;
    let work = directory.work();
    let speed = |arguments: &[&str]| -> Result<HashMap<String, f64>> {
        let program = repo.programs_dir(true).join("examples/transcripts_speed");
        Ok(figures(&process::read(&mut process::command(
            &work, program, arguments,
        ))?))
    };
    stages.begin("writing 2 GB of histories");
    speed(&["generate", "home", MEGABYTES, SEED])?;
    // The peer only supports Claude's histories, so that both read just those.
    fs::create_dir_all(work.join("claude"))?;
    fs::rename(work.join("home/.claude"), work.join("claude/.claude"))?;

    stages.begin("listing claude's histories, by Baton and by ccusage");
    // The peer runs first, so that the files are cached for both.
    let peer = by_peer(&tools, &work)?;
    let lists = ["data-1", "data-2", "data-3"].map(|data| speed(&["list", "claude", data, TABLE]));
    let mut lists: Vec<_> = lists.into_iter().collect::<Result<_>>()?;
    lists.sort_by(|a, b| {
        a.get("list_ms")
            .partial_cmp(&b.get("list_ms"))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let list = lists.swap_remove(1);
    fs::rename(work.join("claude/.claude"), work.join("home/.claude"))?;
    stages.begin("indexing the full text of all histories");
    let all = speed(&["all", "home", "data-all"])?;
    stages.begin("indexing the same text with plain FTS5");
    let alone = speed(&["alone", "home", "alone"])?;
    stages.begin("opening a long transcript, and listing 100,000 short ones");
    let open = speed(&["open", "home", "open"])?;
    let many = speed(&["many", "many", "data-many"])?;

    let of = |figures: &HashMap<String, f64>, name: &str| {
        figures
            .get(name)
            .copied()
            .with_context(|| format!("the benchmark didn't report {name}"))
    };
    let (listed, whole) = (of(&list, "list_ms")?, of(&all, "all_ms")?);
    println!("  list, Baton            {:.2} s", listed / 1e3);
    println!("  list, ccusage          {:.2} s", peer / 1e3);
    println!("  ccusage / Baton        {:.1}", peer / listed);
    println!("  nothing new            {:.0} ms", of(&list, "again_ms")?);
    println!("  list and text, Baton   {:.2} s", whole / 1e3);
    println!(
        "  the text, plain FTS5   {:.2} s",
        of(&alone, "alone_ms")? / 1e3
    );
    println!(
        "  Baton / plain FTS5     {:.2}",
        whole / of(&alone, "alone_ms")?
    );
    println!(
        "  text, index            {:.0} MB, {:.0} MB",
        of(&alone, "text_mb")?,
        of(&all, "index_mb")?
    );
    println!(
        "  search, median, worst  {:.1} ms, {:.1} ms",
        of(&all, "search_median_us")? / 1e3,
        of(&all, "search_worst_us")? / 1e3
    );
    println!(
        "  new line indexed       {:.1} ms",
        of(&all, "one_line_us")? / 1e3
    );
    println!(
        "  opening {:.0} MB         {:.0} ms",
        of(&open, "open_mb")?,
        of(&open, "open_ms")?
    );
    println!(
        "  100,000, cold, again   {:.2} s, {:.2} s",
        of(&many, "many_cold_ms")? / 1e3,
        of(&many, "many_again_ms")? / 1e3
    );
    println!(
        "  a page of 100,000      {:.0} ms, {:.0} MB",
        of(&many, "many_page_ms")?,
        of(&many, "memory_mb")?
    );
    println!(
        "  memory, list, all      {:.0} MB, {:.0} MB",
        of(&list, "memory_mb")?,
        of(&all, "memory_mb")?
    );
    Ok(())
}

/// Returns how long the peer takes to list sessions, in milliseconds. Writes its table to `work`,
/// and makes it fetch no prices.
fn by_peer(tools: &Path, work: &Path) -> Result<f64> {
    let program = tools.join("node_modules/.bin/ccusage");
    let mut command = process::command(work, program, &["session", "--json", "--offline"]);
    command
        .env("CLAUDE_CONFIG_DIR", work.join("claude/.claude"))
        .stdout(File::create(work.join(TABLE))?);
    let begun = Instant::now();
    process::run(&mut command)?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

/// Parses lines of a name and a number.
fn figures(printed: &str) -> HashMap<String, f64> {
    let pair = |line: &str| {
        line.split_once(' ')
            .and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
    };
    printed.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_parsed_and_other_lines_ignored() {
        let figures = figures("list_ms 12\nno number\nmemory_mb 3\n\n");
        assert_eq!(figures.len(), 2);
        assert_eq!(figures.get("list_ms"), Some(&12.0));
    }
}
