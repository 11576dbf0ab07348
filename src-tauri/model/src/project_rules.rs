//! What a project asks of the plans in it, in its own file. It only ever makes the settings of the
//! plan and of the person stricter.

use crate::Plan;
use crate::plan::add_missing;

const MINUTE_MS: u64 = 60_000;

/// The rules of a project. By default there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectRules {
    /// Agent tools that a person wants to decide about, besides those of the plan and the settings.
    pub guarded_tools: Vec<String>,
    /// After how many days a proposal expires, at the latest.
    pub stale_after_days: Option<u32>,
    /// The time limit of a run in minutes, at most.
    pub executor_timeout_minutes: Option<u32>,
}

impl ProjectRules {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `plan` with what these rules add to its settings.
    #[must_use]
    pub fn tighten(&self, mut plan: Plan) -> Plan {
        let settings = &mut plan.settings;
        add_missing(&mut settings.guarded_tools, &self.guarded_tools);
        let limit = self
            .executor_timeout_minutes
            .map(|minutes| u64::from(minutes) * MINUTE_MS);
        settings.timeout_ms = settings.timeout_ms.into_iter().chain(limit).min();
        plan
    }

    /// After how many days a proposal expires that would expire after `days`.
    #[must_use]
    pub fn proposal_days(&self, days: u32) -> u32 {
        self.stale_after_days.map_or(days, |most| most.min(days))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_fixture::plan_of;

    fn rules(minutes: u32) -> ProjectRules {
        ProjectRules {
            guarded_tools: vec!["Bash".to_owned(), "Write".to_owned()],
            stale_after_days: Some(3),
            executor_timeout_minutes: Some(minutes),
        }
    }

    #[test]
    fn rules_only_tighten() {
        let mut plan = plan_of(&["A"], &[]);
        plan.settings.guarded_tools = vec!["Bash".to_owned(), "Edit".to_owned()];
        let limit_of = |limit, minutes| {
            let mut plan = plan.clone();
            plan.settings.timeout_ms = limit;
            rules(minutes).tighten(plan).settings.timeout_ms
        };
        assert_eq!(limit_of(None, 5), Some(300_000));
        assert_eq!(limit_of(Some(60_000), 5), Some(60_000));
        assert_eq!(limit_of(Some(900_000), 5), Some(300_000));
        let tight = rules(5).tighten(plan.clone());
        assert_eq!(tight.settings.guarded_tools, ["Bash", "Edit", "Write"]);
        assert_eq!(ProjectRules::default().tighten(plan.clone()), plan);
        assert_eq!(
            (rules(5).proposal_days(30), rules(5).proposal_days(2)),
            (3, 2)
        );
        assert_eq!(ProjectRules::default().proposal_days(30), 30);
    }
}
