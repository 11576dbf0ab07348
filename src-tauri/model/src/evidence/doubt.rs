//! What speaks against work that its own session calls done.

use serde::{Deserialize, Serialize};

use super::{Checker, CriterionCheck, Evidence, Mismatch, Verdict};

/// Why work that was called done may not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doubt {
    /// All of it, as a fragment for people.
    pub reason: String,
    /// The commands among the acceptance criteria that failed, each with its end.
    #[serde(default)]
    pub failed_criteria: Option<String>,
}

impl Evidence {
    /// Why the work is not verified; `None` when nothing speaks against it.
    #[must_use]
    pub fn doubt(&self) -> Option<Doubt> {
        let failed: Vec<String> = self.checks.iter().filter_map(CriterionCheck::failure).collect();
        let failed_criteria = (!failed.is_empty()).then(|| failed.join("; "));
        self.reason().map(|reason| Doubt { reason, failed_criteria })
    }

    fn reason(&self) -> Option<String> {
        let count = |which: fn(&Mismatch) -> bool| self.mismatches.iter().filter(|mismatch| which(mismatch)).count();
        let untouched = count(|mismatch| matches!(mismatch, Mismatch::ClaimedUntouched { .. }));
        let not_met = count(|mismatch| matches!(mismatch, Mismatch::NotMet { .. }));
        let unchecked = count(|mismatch| matches!(mismatch, Mismatch::Unchecked { .. }));
        let parts = [
            (untouched, "file is named as changed and was not", "files are named as changed and were not"),
            (not_met, "acceptance criterion is not met", "acceptance criteria are not met"),
            (unchecked, "acceptance criterion could not be checked", "acceptance criteria could not be checked"),
        ];
        let idle = count(|mismatch| matches!(mismatch, Mismatch::NothingDone));
        let idle = (idle > 0).then(|| "the agent did nothing and said nothing".to_owned());
        let counted = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
        let refused = self.mismatches.contains(&Mismatch::WorkRefused);
        let refused = refused.then(|| "every call that could have done the work was refused".to_owned());
        let said: Vec<String> = idle.into_iter().chain(counted).chain(refused).collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

impl CriterionCheck {
    /// How a command that checks failed, in words; `None` for other checks. The last line of its output says why.
    fn failure(&self) -> Option<String> {
        let Checker::Command { code } = self.by else { return None };
        if self.verdict != Verdict::NotMet {
            return None;
        }
        let end =
            code.map_or_else(|| "did not end by itself".to_owned(), |code| format!("ended with exit code {code}"));
        let why = self.detail.lines().rev().find(|line| !line.trim().is_empty());
        let why =
            why.map(|line| format!(" ({})", line.trim().chars().take(200).collect::<String>())).unwrap_or_default();
        Some(format!("`{}` {end}{why}", self.criterion))
    }
}
