//! `baton-strings ROOT`: prints the texts of the Rust programs, the templates and the README, with
//! their locations.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

mod files;
mod text;
mod visitor;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// Headings, each with a file extension and the paths to search.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("Tray, notifications and links", "rs", &["src-tauri/app"]),
    (
        "Shell: help, tables, errors",
        "rs",
        &["src-tauri/cli", "src-tauri/server"],
    ),
    (
        "Plan-file errors, exports, planner prompts",
        "rs",
        &["src-tauri/formats"],
    ),
    (
        "Plans, runs and their errors",
        "rs",
        &["src-tauri/model", "src-tauri/api", "src-tauri/engine"],
    ),
    (
        "Agents, tools, sessions, stored data",
        "rs",
        &[
            "src-tauri/agents",
            "src-tauri/transcripts",
            "src-tauri/tools",
            "src-tauri/keeper",
            "src-tauri/store",
            "src-tauri/secrets",
        ],
    ),
    (
        "Templates and examples",
        "yaml",
        &["src-tauri/api/templates"],
    ),
    ("README", "md", &["README.md", ".github/SECURITY.md"]),
];

fn main() -> ExitCode {
    let Some(root) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("Usage: baton-strings ROOT");
        return ExitCode::from(2);
    };
    match print(&root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("baton-strings: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(root: &Path) -> io::Result<()> {
    for (heading, ending, places) in PROGRAMS {
        println!("\n# {heading}\n");
        for folder in *places {
            for file in files::files_with_extension(&root.join(folder), ending)? {
                let shown = file.strip_prefix(root).unwrap_or(&file).display();
                for (line, text) in texts(&file)? {
                    println!("{shown}:{line}  {text}");
                }
            }
        }
    }
    Ok(())
}

fn texts(file: &Path) -> io::Result<Vec<(usize, String)>> {
    let content = fs::read_to_string(file)?;
    if file.extension().is_some_and(|end| end == "rs") {
        return visitor::texts(&content)
            .map_err(|error| io::Error::other(format!("{}: {error}", file.display())));
    }
    Ok(text::lines(&content))
}
