//! `baton plan lint`: checks plan files without storing anything, and without Baton's data.

use std::fs;
use std::path::{Path, PathBuf};

use baton_formats::plan_file::{self, Format, SourceLocation};
use clap::Args;
use serde::Serialize;
use uuid::Uuid;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::plan_file as files;

/// The folder of a project whose files are checked by default.
const PLANS: &str = ".baton/plans";

/// Check plan files without importing them
///
/// Prints each fault as `file:line:column: message`. The exit code is 2 if there is one; warnings
/// don't change it. Names of agents, tools and other plans are checked when a plan is imported.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Plan files: YAML, JSON or Markdown [default: those in .baton/plans]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Something found in a plan file.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Finding {
    file: String,
    line: usize,
    column: usize,
    severity: Severity,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Severity {
    Error,
    Warning,
}

pub(crate) fn lint(output: &Output, args: LintArgs) -> Result<Exit, Failure> {
    let files = match args.files.is_empty() {
        true => plan_files_in(Path::new(PLANS))?,
        false => args.files,
    };
    let findings: Vec<Finding> = files.iter().flat_map(|file| check_file(file)).collect();
    if output.json {
        output.json(&findings)?;
    } else {
        for finding in &findings {
            output.line(&finding.sentence())?;
        }
    }
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    Ok(match findings.iter().any(is_error) {
        true => Exit::Usage,
        false => Exit::Done,
    })
}

/// The plan files directly in `folder`, by name.
fn plan_files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|_| {
        Failure::Usage(format!("there is no {PLANS} here. Name the files to check"))
    })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && format_by_name(path).is_some())
        .collect();
    files.sort();
    Ok(files)
}

fn format_by_name(path: &Path) -> Option<Format> {
    Format::from_file_name(path.file_name()?.to_str()?)
}

/// A file that can't be read is a finding, so that the others are checked too.
fn check_file(path: &Path) -> Vec<Finding> {
    let file = path.display().to_string();
    match files::read(path) {
        Ok(text) => check_text(&file, &text, format_by_name(path)),
        Err(failure) => {
            let message = failure.to_string();
            vec![Finding::new(
                &file,
                SourceLocation::START,
                Severity::Error,
                message,
            )]
        }
    }
}

fn check_text(file: &str, text: &str, format: Option<Format>) -> Vec<Finding> {
    let format = format.unwrap_or_else(|| Format::detect(text));
    match plan_file::read(text, format, file, &mut Uuid::now_v7) {
        Ok(read) => {
            let warnings = read.warnings.iter();
            let found = warnings.map(|warning| {
                let message = warning.kind.to_string();
                Finding::new(file, warning.at, Severity::Warning, message)
            });
            found.collect()
        }
        Err(error) => {
            let faults = error.faults.iter();
            let found = faults
                .map(|fault| Finding::new(file, fault.at, Severity::Error, fault.kind.to_string()));
            found.collect()
        }
    }
}

impl Finding {
    fn new(file: &str, at: SourceLocation, severity: Severity, message: String) -> Self {
        Self {
            file: file.to_owned(),
            line: at.line,
            column: at.column,
            severity,
            message,
        }
    }

    /// As editors and CI systems recognize it.
    fn sentence(&self) -> String {
        let Self {
            file,
            line,
            column,
            severity,
            message,
        } = self;
        let severity = match severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        format!("{file}:{line}:{column}: {severity}{message}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(file: &str, text: &str) -> Vec<String> {
        let format = format_by_name(Path::new(file));
        let findings = check_text(file, text, format);
        findings.iter().map(Finding::sentence).collect()
    }

    #[test]
    fn each_format_is_checked() {
        for (file, text, expected) in [
            (
                "a.yaml",
                "baton: 1\nnodes:\n  - id: a\n    prompts: x\n",
                "a.yaml:4:5: unknown key \"prompts\" in node \"a\"; did you mean \"prompt\"?",
            ),
            (
                "a.json",
                "{\"baton\": 1,}",
                "a.json:1:13: this is not valid JSON: trailing comma",
            ),
            (
                "a.md",
                "---\ntitle: A\n---\n## Steps\n1. One\n   ```yaml\n   dependsOn: [two]\n   ```\n",
                "a.md:7:16: node \"one\" depends on \"two\", which doesn't exist",
            ),
            (
                "plan",
                "---\ntitle: A\n---\n```\n",
                "plan:4:1: the code block that begins here has no end; add a line with the same marks",
            ),
            (
                "a.yml",
                "baton: 1\n",
                "a.yml:1:1: warning: the plan has no nodes yet",
            ),
        ] {
            assert_eq!(sentences(file, text), [expected]);
        }
        assert!(sentences("a.md", "---\ntitle: A\n---\n## Steps\n1. One\n").is_empty());
    }

    #[test]
    fn all_faults_are_listed() {
        let nodes: String = (0..70).map(|_| "  - {id: a, prompts: x}\n").collect();
        let found = sentences("a.yaml", &format!("baton: 1\nnodes:\n{nodes}"));
        assert!(found.len() >= 70, "{}", found.len());
    }

    #[test]
    fn missing_file_is_a_finding() {
        let found = check_file(Path::new("no/such/plan.md"));
        let sentences: Vec<String> = found.iter().map(Finding::sentence).collect();
        assert_eq!(
            sentences,
            ["no/such/plan.md:1:1: couldn't read no/such/plan.md: no such file"]
        );
    }
}
