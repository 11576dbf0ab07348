//! The review of a node's work by an agent that did not do it: its prompt, and how its answer is
//! parsed.

use baton_agents::ToolScope;
use baton_model::evidence::{Checker, CriterionCheck, FileChanges, FileSource, Verdict};
use baton_model::node::{AgentTask, Node, NodeKind};
use baton_model::plan::{Autonomy, ToolScopeMode};
use baton_model::{Artifact, Plan, SessionId};
use uuid::Uuid;

/// The denial for a reviewer that tries to change something.
pub(crate) const NO_CHANGES: &str =
    "You review another agent's work. Read files, but change nothing.";
/// The id of the session in which `session` is reviewed. It differs, since agents keep histories by
/// session id.
pub(crate) fn reviewer_session_id(session: SessionId) -> Uuid {
    Uuid::from_u128(session.0.as_u128() ^ 1)
}

/// A reviewer may only read.
pub(crate) fn scope() -> ToolScope {
    ToolScope {
        mode: ToolScopeMode::Enforce,
        tools: TOOLS.map(str::to_owned).into(),
        autonomy: Autonomy::RefuseGuarded,
        ..ToolScope::default()
    }
}

/// The tools of a reviewer, by Claude's names; other agents' names for the same tools count as
/// well.
const TOOLS: [&str; 4] = ["Read", "Grep", "Glob", "LS"];
/// Asks a reviewer for its verdicts.
pub(crate) const QUESTION: &str = "\
Now answer with one line for each criterion, in order, and nothing else: its number, a colon, then `met` or \
`not met`, a dash, and the reason in one sentence. Use no tools. For example:
1: met - the file exists and holds three lines
2: not met - no test calls the new function";
/// The maximum number of changed files listed for a reviewer.
const FILES_SHOWN: usize = 100;

/// The kind of node that a reviewer executes.
pub(crate) fn as_agent(agent: &str) -> NodeKind {
    NodeKind::Agent(AgentTask {
        agent: Some(agent.to_owned()),
        ..AgentTask::default()
    })
}

/// The prompt for a reviewer.
pub(crate) fn prompt(
    plan: &Plan,
    node: &Node,
    sentences: &[String],
    artifact: &Artifact,
    files: &FileChanges,
) -> String {
    let task = match &node.kind {
        NodeKind::Agent(task) if !task.prompt.trim().is_empty() => task.prompt.trim(),
        _ if !node.description.trim().is_empty() => node.description.trim(),
        _ => node.title.as_str(),
    };
    let criteria: String = sentences
        .iter()
        .enumerate()
        .map(|(index, sentence)| format!("{}. {sentence}\n", index + 1))
        .collect();
    format!(
        "{NO_CHANGES}\n\nA step of the plan \"{}\" is done. Check from the files themselves, not from what its author \
         says, whether its criteria are met.\n\n## The step\n{}: {task}\n\n## What its author says\n{}\n\n\
         ## Files that actually changed\n{}\n## Criteria\n{criteria}\nCheck each criterion now.\n",
        plan.title,
        node.title,
        artifact.text,
        changed(files),
    )
}

fn changed(files: &FileChanges) -> String {
    if let FileSource::Unknown { reason } = &files.source {
        return format!("Unknown: {reason}.\n");
    }
    let kinds = [
        ("created", &files.created),
        ("changed", &files.changed),
        ("deleted", &files.deleted),
        ("changed while other nodes were working here", &files.shared),
    ];
    let lines = kinds
        .iter()
        .flat_map(|(word, paths)| paths.iter().map(move |path| format!("- {path} ({word})\n")));
    let all = files.paths_with_shared().count();
    let mut list: String = lines.take(FILES_SHOWN).collect();
    if all > FILES_SHOWN {
        list.push_str(&format_args!("- and {} more\n", all - FILES_SHOWN).to_string());
    }
    if list.is_empty() {
        "None.\n".to_owned()
    } else {
        list
    }
}

/// The verdict on each sentence. A sentence that the answer omits or mentions twice is unknown.
pub(crate) fn verdicts(sentences: &[String], agent: &str, answer: &str) -> Vec<CriterionCheck> {
    let verdicts: Vec<(usize, Verdict, String)> = answer.lines().filter_map(verdict).collect();
    let of = |index: usize| {
        let mut found = verdicts.iter().filter(|(number, ..)| *number == index + 1);
        match (found.next(), found.next()) {
            (Some((_, verdict, reason)), None) => (*verdict, reason.clone()),
            (Some(_), Some(_)) => (
                Verdict::Unknown,
                "the reviewer gave two verdicts".to_owned(),
            ),
            _ => (Verdict::Unknown, "the reviewer gave no verdict".to_owned()),
        }
    };
    let check = |(index, sentence): (usize, &String)| {
        let (verdict, detail) = of(index);
        CriterionCheck {
            criterion: sentence.clone(),
            by: Checker::Reviewer {
                agent: agent.to_owned(),
            },
            verdict,
            detail,
            changed_since_approval: Vec::new(),
        }
    };
    sentences.iter().enumerate().map(check).collect()
}

/// Parses a line of an answer: `2: not met - no test calls it`.
fn verdict(line: &str) -> Option<(usize, Verdict, String)> {
    let line = line.trim().trim_start_matches(['-', '*', '`', ' ']);
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].trim_start_matches([':', '.', ')', '*', '`', ' ']);
    let lower = rest.to_ascii_lowercase();
    let (verdict, length) = match () {
        () if lower.starts_with("not met") => (Verdict::NotMet, "not met".len()),
        () if lower.starts_with("met") => (Verdict::Met, "met".len()),
        () => return None,
    };
    let reason = &rest[length..];
    // "metric" does not count as "met".
    let ends_there = !reason.starts_with(char::is_alphanumeric);
    let reason = reason
        .trim_start_matches(['*', '`', ' ', ':', '-', '–', '—', ',', '.'])
        .trim_end()
        .to_owned();
    ends_there.then_some((number, verdict, reason))
}

/// The checks of a review without a result.
pub(crate) fn unknown(sentences: &[String], agent: &str, detail: &str) -> Vec<CriterionCheck> {
    let check = |sentence: &String| CriterionCheck {
        criterion: sentence.clone(),
        by: Checker::Reviewer {
            agent: agent.to_owned(),
        },
        verdict: Verdict::Unknown,
        detail: detail.to_owned(),
        changed_since_approval: Vec::new(),
    };
    sentences.iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(answer: &str) -> Vec<(Verdict, String)> {
        let sentences = ["It works".to_owned(), "It is tested".to_owned()];
        verdicts(&sentences, "claude", answer)
            .into_iter()
            .map(|check| (check.verdict, check.detail))
            .collect()
    }

    #[test]
    fn reviewer_answers_are_parsed() {
        for answer in [
            "1: met - it runs\n2: not met - no test",
            "Here you are:\n\n1. **met** – it runs\n2. **not met** — no test\n",
            "- 1: `met`, it runs\n- 2: `not met`: no test",
            "2) NOT MET no test\n1) Met: it runs",
        ] {
            let expected = [
                (Verdict::Met, "it runs".to_owned()),
                (Verdict::NotMet, "no test".to_owned()),
            ];
            assert_eq!(judged(answer), expected, "{answer}");
        }
    }

    #[test]
    fn unclear_verdicts_are_unknown() {
        for answer in [
            "",
            "All criteria are met.",
            "1: metric\n",
            "1: perhaps\n2: see 1",
            "3: met\n0: met",
            "1: met\n1: not met",
        ] {
            assert!(
                judged(answer)
                    .iter()
                    .all(|(verdict, _)| *verdict == Verdict::Unknown),
                "{answer}"
            );
        }
    }
}
