//! Measures the speed and size of the index, for `cargo xtask bench transcripts`. Prints `name
//! value` lines.
//!
//! `generate HOME MEGABYTES SEED` writes claude and codex histories; `list HOME DATA [TABLE]`
//! builds the list, and compares its totals with the table of `ccusage`; `all HOME DATA` builds
//! the list and the search index, then searches and appends to a file; `alone HOME FOLDER` puts
//! the same text into FTS5 alone; `open HOME FOLDER` opens a transcript of 100 MB; `many HOME
//! DATA` writes and lists 100,000 transcripts.

#![expect(clippy::print_stdout, reason = "a program for the shell")]

mod generate;

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use baton_agents::Usage;
use baton_transcripts::{
    Agent, Filter, HistoryLocations, Library, Pagination, Sort, TranscriptReader, searchable_text,
};
use serde_json::Value;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate", home, megabytes, seed] => {
            generate::histories(Path::new(home), megabytes.parse()?, seed.parse()?)?
        }
        ["list", home, data] => list(Path::new(home), Path::new(data), None)?,
        ["list", home, data, table] => {
            list(Path::new(home), Path::new(data), Some(Path::new(table)))?
        }
        ["all", home, data] => all(Path::new(home), Path::new(data))?,
        ["alone", home, folder] => alone(Path::new(home), Path::new(folder))?,
        ["open", home, folder] => open(Path::new(home), Path::new(folder))?,
        ["many", home, data] => many(Path::new(home), Path::new(data))?,
        _ => {
            return Err(
                "generate HOME MEGABYTES SEED | (list|all|alone|open|many) HOME FOLDER".into(),
            );
        }
    }
    println!("memory_mb {}", peak()? / 1024);
    Ok(())
}

fn library(home: &Path, data: &Path) -> Result<Library, Box<dyn Error>> {
    fs::create_dir_all(data)?;
    Ok(Library::new(
        data,
        HistoryLocations::discover(home, |_| None),
    ))
}

fn list(home: &Path, data: &Path, table: Option<&Path>) -> Done {
    let library = library(home, data)?;
    let begun = Instant::now();
    library.refresh(false)?;
    let page = library.page(
        &Filter::default(),
        Sort::Latest,
        Pagination {
            offset: 0,
            limit: 100,
        },
    )?;
    println!("list_ms {}", begun.elapsed().as_millis());
    println!("transcripts {}", page.total);
    let begun = Instant::now();
    library.refresh(false)?;
    println!("again_ms {}", begun.elapsed().as_millis());
    table.map_or(Ok(()), |table| compare(&library, table))
}

/// Compares the total tokens and cost with those that `ccusage session --json` has written to
/// `table`.
fn compare(library: &Library, table: &Path) -> Done {
    let theirs: Value = serde_json::from_str(&fs::read_to_string(table)?)?;
    let page = library.page(
        &Filter::default(),
        Sort::Latest,
        Pagination {
            offset: 0,
            limit: u32::MAX,
        },
    )?;
    let tokens = |count: fn(&Usage) -> Option<u64>| {
        page.rows
            .iter()
            .filter_map(|row| count(&row.usage))
            .sum::<u64>()
    };
    for (name, ours) in [
        ("inputTokens", tokens(|usage| usage.input_tokens)),
        ("outputTokens", tokens(|usage| usage.output_tokens)),
        ("cacheReadTokens", tokens(|usage| usage.cache_read_tokens)),
        (
            "cacheCreationTokens",
            tokens(|usage| usage.cache_write_tokens),
        ),
    ] {
        if theirs["totals"][name].as_u64() != Some(ours) {
            return Err(format!(
                "{name} is {ours}, but {} in ccusage",
                theirs["totals"][name]
            )
            .into());
        }
    }
    let ours = page
        .rows
        .iter()
        .filter_map(|row| row.usage.usd)
        .sum::<f64>();
    let cost = theirs["totals"]["totalCost"]
        .as_f64()
        .ok_or("ccusage reported no cost")?;
    // The fractions are added in another order.
    if (ours - cost).abs() > cost * 1e-9 {
        return Err(format!("the cost is {ours}, but {cost} in ccusage").into());
    }
    Ok(())
}

fn all(home: &Path, data: &Path) -> Done {
    let library = library(home, data)?;
    let begun = Instant::now();
    library.refresh(true)?;
    println!("all_ms {}", begun.elapsed().as_millis());
    println!(
        "index_mb {}",
        fs::metadata(data.join("transcripts.db"))?.len() >> 20
    );
    let mut times: Vec<u128> = Vec::new();
    for query in generate::QUERIES.iter().cycle().take(60) {
        let begun = Instant::now();
        library.search(
            query,
            &Filter::default(),
            Pagination {
                offset: 0,
                limit: 20,
            },
        )?;
        times.push(begun.elapsed().as_micros());
    }
    times.sort_unstable();
    println!("search_median_us {}", times[times.len() / 2]);
    println!("search_worst_us {}", times[times.len() - 1]);
    let mut times = Vec::new();
    let grown = histories(&home.join(".claude/projects"))?
        .into_iter()
        .next()
        .ok_or("no history")?;
    library.start_indexing(|_| {});
    for _ in 0..10 {
        let before = library.page(
            &Filter::default(),
            Sort::Latest,
            Pagination {
                offset: 0,
                limit: 1,
            },
        )?;
        let mut file = File::options().append(true).open(&grown)?;
        file.write_all(generate::one_more(times.len()).as_bytes())?;
        let begun = Instant::now();
        while library.page(
            &Filter::default(),
            Sort::Latest,
            Pagination {
                offset: 0,
                limit: 1,
            },
        )? == before
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
            if begun.elapsed().as_secs() > 20 {
                return Err("the added line was not found".into());
            }
        }
        times.push(begun.elapsed().as_micros());
    }
    times.sort_unstable();
    println!("one_line_us {}", times[times.len() / 2]);
    library.stop_indexing();
    Ok(())
}

/// Puts the same text as `all` into one FTS5 table, in the same pieces and one transaction.
fn alone(home: &Path, folder: &Path) -> Done {
    fs::create_dir_all(folder)?;
    let texts = folder.join("texts");
    let mut out = BufWriter::new(File::create(&texts)?);
    for (agent, root) in [("claude", ".claude/projects"), ("codex", ".codex/sessions")] {
        let agent = Agent::from_name(agent).ok_or("the agent is built in")?;
        for path in histories(&home.join(root))? {
            let mut lines = BufReader::new(File::open(path)?);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line)? > 0 {
                let text = searchable_text(agent, &line);
                if !text.is_empty() {
                    out.write_all(&u32::try_from(text.len())?.to_le_bytes())?;
                    out.write_all(text.as_bytes())?;
                }
                line.clear();
            }
        }
    }
    out.flush()?;
    println!("text_mb {}", fs::metadata(&texts)?.len() >> 20);

    let begun = Instant::now();
    let connection = rusqlite::Connection::open(folder.join("alone.db"))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")?;
    connection
        .execute_batch("CREATE VIRTUAL TABLE words USING fts5 (text, content = ''); BEGIN")?;
    let mut insert = connection.prepare("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?;
    let mut input = BufReader::new(File::open(&texts)?);
    let mut length = [0; 4];
    let mut row = 0;
    while input.read_exact(&mut length).is_ok() {
        let mut text = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut text)?;
        row += 1;
        insert.execute((row, std::str::from_utf8(&text)?))?;
    }
    connection.execute_batch("COMMIT")?;
    println!("alone_ms {}", begun.elapsed().as_millis());
    Ok(())
}

/// Opens the end of a transcript of 100 MB as a timeline.
fn open(home: &Path, folder: &Path) -> Done {
    let own = folder.join("home");
    let big = own.join(".claude/projects/-p/big.jsonl");
    fs::create_dir_all(big.parent().ok_or("no folder")?)?;
    let mut out = File::create(&big)?;
    let mut written = 0;
    for path in histories(&home.join(".claude/projects"))? {
        if written < 100 << 20 {
            written += std::io::copy(&mut File::open(path)?, &mut out)?;
        }
    }
    let library = library(&own, &folder.join("data"))?;
    library.refresh(false)?;
    let row = library.get("claude:big")?;
    let begun = Instant::now();
    let mut reading = TranscriptReader::new(&row);
    reading.catch_up(&row)?;
    let total = reading.index().map_or(0, baton_agents::TimelineIndex::len);
    reading.page(total.saturating_sub(200)..total)?;
    println!("open_ms {}", begun.elapsed().as_millis());
    println!("open_mb {}", written >> 20);
    println!("open_entries {total}");
    Ok(())
}

/// Lists 100,000 transcripts of one line each.
fn many(home: &Path, data: &Path) -> Done {
    for number in 0..100_000 {
        let folder = home.join(format!(".claude/projects/-p{}", number % 200));
        if number < 200 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(
            folder.join(format!("{number}.jsonl")),
            generate::one_more(number),
        )?;
    }
    let library = library(home, data)?;
    let begun = Instant::now();
    library.refresh(true)?;
    println!("many_cold_ms {}", begun.elapsed().as_millis());
    let begun = Instant::now();
    library.refresh(true)?;
    println!("many_again_ms {}", begun.elapsed().as_millis());
    let begun = Instant::now();
    library.page(
        &Filter::default(),
        Sort::Latest,
        Pagination {
            offset: 50_000,
            limit: 100,
        },
    )?;
    println!("many_page_ms {}", begun.elapsed().as_millis());
    Ok(())
}

fn histories(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path)
            } else {
                found.push(path)
            }
        }
    }
    Ok(found)
}

/// The peak memory of this process in KiB.
fn peak() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
