//! What Baton observed: checks, files, commands and differences from what an agent claimed.

use baton_model::evidence::{
    AttemptEnding, Checker, CommandEnd, CriterionCheck, Evidence, FileChanges, FileSource,
    Mismatch, Verdict,
};

use super::html_writer::HtmlWriter;
use super::nodes::further;

pub(super) fn write(html: &mut HtmlWriter, evidence: &Evidence) {
    html.element("h5", "Evidence");
    if let Some(doubt) = evidence.unverified_reason() {
        html.element_class("p", "doubt", &format!("Unverified: {}", doubt.reason));
    }
    write_checks(html, &evidence.checks);
    write_mismatches(html, &evidence.mismatches);
    write_files(html, &evidence.files);
    write_commands(html, evidence);
    if evidence.refused > 0 {
        html.facts(&[("Denied tool calls", Some(evidence.refused.to_string()))]);
    }
    if !evidence.git_changes.is_empty() {
        html.element("p", "Settings and files that make git run programs:");
        html.open("ul");
        for change in &evidence.git_changes {
            html.element("li", &change.sentence());
        }
        html.close("ul");
    }
    if let Some(ending) = &evidence.ending {
        write_ending(html, ending);
    }
}

fn write_checks(html: &mut HtmlWriter, checks: &[CriterionCheck]) {
    if checks.is_empty() {
        return;
    }
    let columns = ["Criterion", "Result", "Checked by", "Detail"];
    html.open_table("Acceptance criteria", &columns);
    for check in checks {
        let verdict = match check.verdict {
            Verdict::Met => "met",
            Verdict::NotMet => "not met",
            Verdict::Unknown => "the check did not finish",
            Verdict::NotChecked => "not checked",
        };
        let by = match &check.by {
            Checker::Command { code: Some(code) } => format!("command, exit code {code}"),
            Checker::Command { code: None } => "command, no exit code".to_owned(),
            Checker::Reviewer { agent } => format!("reviewer {agent}"),
            Checker::Nobody => "nobody".to_owned(),
        };
        html.row(&[&check.criterion, verdict, &by, &check.detail]);
    }
    html.close_table();
}

fn write_mismatches(html: &mut HtmlWriter, mismatches: &[Mismatch]) {
    if mismatches.is_empty() {
        return;
    }
    html.element("p", "Differences from what was claimed or required:");
    html.open("ul");
    for mismatch in mismatches {
        let text = match mismatch {
            Mismatch::ClaimedUntouched { path, exists: true } => {
                format!("{path} was named as changed, but was not changed")
            }
            Mismatch::ClaimedUntouched { path, .. } => {
                format!("{path} was named as changed, but does not exist")
            }
            Mismatch::Unmentioned { path } => format!("{path} was changed and not mentioned"),
            Mismatch::NotMet { criterion } => format!("criterion not met: {criterion}"),
            Mismatch::NothingDone => "no tool was called and no answer was given".to_owned(),
            Mismatch::Unchecked { criterion } => format!("criterion not checked: {criterion}"),
            Mismatch::WorkRefused => {
                "every call that could have done the work was denied".to_owned()
            }
        };
        html.element("li", &text);
    }
    html.close("ul");
}

fn write_files(html: &mut HtmlWriter, files: &FileChanges) {
    if let FileSource::Unknown { reason } = &files.source {
        html.element("p", &format!("Files: {reason}."));
        return;
    }
    let rows = [
        (&files.created, "created"),
        (&files.changed, "changed"),
        (&files.deleted, "deleted"),
        (&files.shared, "changed by this node or one beside it"),
    ];
    if rows.iter().all(|(paths, _)| paths.is_empty()) {
        html.element("p", "No file changed.");
    } else {
        html.open_table("Files", &["File", "Change"]);
        for (paths, change) in rows {
            for path in paths {
                html.row(&[path, change]);
            }
        }
        html.close_table();
        further(html, files.left_out, "further file", "further files");
    }
    if let Some(base) = &files.base {
        html.facts(&[("Commit before", Some(base.clone()))]);
    }
}

fn write_commands(html: &mut HtmlWriter, evidence: &Evidence) {
    if evidence.commands.is_empty() {
        return;
    }
    html.open_table("Commands", &["Command", "End"]);
    for run in &evidence.commands {
        let end = match run.end {
            CommandEnd::Exited { code } => format!("exit code {code}"),
            CommandEnd::Succeeded => "succeeded".to_owned(),
            CommandEnd::Failed => "failed".to_owned(),
            CommandEnd::Denied => "denied".to_owned(),
            CommandEnd::Unknown => "unknown".to_owned(),
        };
        html.row(&[&run.command, &end]);
    }
    html.close_table();
    let count = evidence.commands_left_out;
    further(html, count, "earlier command", "earlier commands");
}

fn write_ending(html: &mut HtmlWriter, ending: &AttemptEnding) {
    html.facts(&[
        ("Exit code", ending.exit_code.map(|code| code.to_string())),
        ("Signal", ending.signal.map(|signal| signal.to_string())),
    ]);
    if !ending.output.is_empty() {
        html.element("p", "End of the output:");
        html.element("pre", &ending.output);
    }
}
