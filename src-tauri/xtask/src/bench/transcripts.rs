//! The index of the agents' own histories beside what reads the same files and the same text: `ccusage` (the last
//! version in JavaScript) for the list, SQLite's FTS5 alone for the words.

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

/// How much history there is.
const MEGABYTES: &str = "2048";
const SEED: &str = "20260101";
const PEER: &str = "ccusage@18.0.11";
/// What the peer counted: whoever is faster because it counts less has won nothing.
const TABLE: &str = "ccusage.json";

pub(crate) fn measure(repo: &RepoPaths, stages: &Stages) -> Result<()> {
    stages.begin(&format!("fetching {PEER}"));
    let tools = repo.xtask_dir().join("ccusage");
    if !tools.join("node_modules/ccusage/package.json").is_file() {
        npm::install_tool(&tools, PEER)?;
    }
    stages.begin("building the bench of transcripts");
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
    // The peer knows claude's histories only: both read the same ones.
    fs::create_dir_all(work.join("claude"))?;
    fs::rename(work.join("home/.claude"), work.join("claude/.claude"))?;

    stages.begin("listing claude's histories, by Baton and by ccusage");
    // The peer goes first: then both find the files in memory.
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
    stages.begin("indexing the words of all histories");
    let all = speed(&["all", "home", "data-all"])?;
    stages.begin("indexing the same text by FTS5 alone");
    let alone = speed(&["alone", "home", "alone"])?;
    stages.begin("opening a long transcript, and listing 100,000 short ones");
    let open = speed(&["open", "home", "open"])?;
    let many = speed(&["many", "many", "data-many"])?;

    let of = |figures: &HashMap<String, f64>, name: &str| {
        figures
            .get(name)
            .copied()
            .with_context(|| format!("the bench told no {name}"))
    };
    let (listed, whole) = (of(&list, "list_ms")?, of(&all, "all_ms")?);
    println!("  list, Baton            {:.2} s", listed / 1e3);
    println!("  list, ccusage          {:.2} s", peer / 1e3);
    println!("  ccusage / Baton        {:.1}", peer / listed);
    println!("  nothing new            {:.0} ms", of(&list, "again_ms")?);
    println!("  list and words, Baton  {:.2} s", whole / 1e3);
    println!(
        "  the words, FTS5 alone  {:.2} s",
        of(&alone, "alone_ms")? / 1e3
    );
    println!(
        "  Baton / FTS5 alone     {:.2}",
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
        "  one more line is seen  {:.1} ms",
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

/// How long the peer takes for its table of sessions, in milliseconds; leaves the table in `work`. It fetches no prices.
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

/// Lines of a name and a number.
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
    fn figures_are_lines_of_a_name_and_a_number() {
        let figures = figures("list_ms 12\nno number\nmemory_mb 3\n\n");
        assert_eq!(figures.len(), 2);
        assert_eq!(figures.get("list_ms"), Some(&12.0));
    }
}
