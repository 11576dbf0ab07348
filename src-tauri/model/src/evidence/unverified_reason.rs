//! Why the work of a session that reported success is unverified.

use serde::{Deserialize, Serialize};

use super::{Checker, CriterionCheck, Evidence, GitChange, Mismatch, Verdict};

const MAX_NAMED_GIT_CHANGES: usize = 3;

/// Why a node is unverified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnverifiedReason {
    /// The complete reason, as a fragment for people.
    pub reason: String,
    /// The failed commands among the acceptance criteria, each with how it ended.
    #[serde(default)]
    pub failed_criteria: Option<String>,
}

impl Evidence {
    /// Why the work is unverified; `None` if there is no reason to doubt it.
    #[must_use]
    pub fn unverified_reason(&self) -> Option<UnverifiedReason> {
        let failed: Vec<String> = self
            .checks
            .iter()
            .filter_map(CriterionCheck::failure)
            .collect();
        let failed_criteria = (!failed.is_empty()).then(|| failed.join("; "));
        self.reason().map(|reason| UnverifiedReason {
            reason,
            failed_criteria,
        })
    }

    fn reason(&self) -> Option<String> {
        let count = |which: fn(&Mismatch) -> bool| {
            self.mismatches
                .iter()
                .filter(|mismatch| which(mismatch))
                .count()
        };
        let untouched = count(|mismatch| matches!(mismatch, Mismatch::ClaimedUntouched { .. }));
        let not_met = count(|mismatch| matches!(mismatch, Mismatch::NotMet { .. }));
        let unchecked = count(|mismatch| matches!(mismatch, Mismatch::Unchecked { .. }));
        let parts = [
            (
                untouched,
                "file was reported as changed but was not",
                "files were reported as changed but were not",
            ),
            (
                not_met,
                "acceptance criterion is not met",
                "acceptance criteria are not met",
            ),
            (
                unchecked,
                "acceptance criterion couldn't be checked",
                "acceptance criteria couldn't be checked",
            ),
        ];
        let idle = count(|mismatch| matches!(mismatch, Mismatch::NothingDone));
        let idle = (idle > 0).then(|| "the agent did nothing and gave no answer".to_owned());
        let counted = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
        let refused = self.mismatches.contains(&Mismatch::WorkRefused);
        let refused =
            refused.then(|| "every call that could have done the work was denied".to_owned());
        let said: Vec<String> = idle
            .into_iter()
            .chain(counted)
            .chain(refused)
            .chain(self.git_change_reason())
            .collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Set if git would run other programs than before the attempt.
    fn git_change_reason(&self) -> Option<String> {
        let name = |change: &GitChange| match change {
            GitChange::Setting { key, .. } => key.clone(),
            GitChange::File { file, .. } => file.rsplit('/').next().unwrap_or_default().to_owned(),
        };
        let named: Vec<String> = self
            .git_changes
            .iter()
            .take(MAX_NAMED_GIT_CHANGES)
            .map(name)
            .collect();
        let left_out = usize::try_from(self.git_changes_left_out).unwrap_or(usize::MAX);
        let more = self.git_changes.len().saturating_add(left_out) - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let what = named.join(", ");
        (!named.is_empty())
            .then(|| format!("git settings or hooks changed while this node ran ({what}{more})"))
    }
}

impl CriterionCheck {
    /// How a failed command ended; `None` for other checks. The last line of its output is added as
    /// the cause.
    fn failure(&self) -> Option<String> {
        let Checker::Command { code } = self.by else {
            return None;
        };
        if self.verdict != Verdict::NotMet {
            return None;
        }
        let end = code.map_or_else(
            || "did not finish".to_owned(),
            |code| format!("ended with exit code {code}"),
        );
        let why = self
            .detail
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty());
        let why = why
            .map(|line| format!(" ({})", line.trim().chars().take(200).collect::<String>()))
            .unwrap_or_default();
        Some(format!("`{}` {end}{why}", self.criterion))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_changes_make_work_unverified() {
        let setting = |number: u32| GitChange::Setting {
            file: "/w/.git/config".to_owned(),
            key: format!("alias.a{number}"),
            before: Vec::new(),
            after: vec!["!evil".to_owned()],
        };
        let evidence = |count, git_changes_left_out| Evidence {
            git_changes: (0..count).map(setting).collect(),
            git_changes_left_out,
            ..Evidence::default()
        };
        let reason = |evidence: Evidence| evidence.unverified_reason().expect("it is one").reason;
        assert_eq!(
            reason(evidence(1, 0)),
            "git settings or hooks changed while this node ran (alias.a0)"
        );
        let many = "git settings or hooks changed while this node ran (alias.a0, alias.a1, alias.a2 and 7 more)";
        assert_eq!(reason(evidence(5, 5)), many);
        assert_eq!(evidence(0, 0).unverified_reason(), None);
        let json = serde_json::to_string(&evidence(0, 0)).expect("JSON");
        assert!(
            !json.contains("git"),
            "evidence without it is stored as before: {json}"
        );
    }
}
