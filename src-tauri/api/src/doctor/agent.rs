//! Checks for an agent.

use baton_agents::Adapter;

use crate::wire::*;

/// The checks for the agent in `view`.
pub(super) fn checks(view: &AgentView, adapter: &dyn Adapter) -> Vec<Check> {
    let Some(path) = &view.path else {
        let verdict = if view.default {
            CheckVerdict::Failed
        } else {
            CheckVerdict::Warning
        };
        let check = Check::new(
            verdict,
            format!("{} was not found on this machine", view.title),
        );
        return vec![check.with_fix(view.mend.clone().unwrap_or_else(|| "install it".to_owned()))];
    };
    let mut checks = vec![check_installed(view, path)];
    checks.extend(check_login(view, adapter));
    checks.push(check_tool_control(adapter));
    let resumes = if adapter.can_resume() {
        "interrupted sessions can be resumed"
    } else {
        "interrupted sessions start over: this agent can't resume sessions"
    };
    checks.push(Check::new(CheckVerdict::Passed, resumes));
    checks
}

/// Turns a warning about an agent that nothing uses into a hint.
pub(super) fn make_optional(check: &mut Check) {
    if check.verdict != CheckVerdict::Warning {
        return;
    }
    check.verdict = CheckVerdict::Passed;
    if check.mend.is_some() {
        check.sentence = format!("optional: {}", check.sentence);
    }
}

fn check_installed(view: &AgentView, path: &str) -> Check {
    match &view.version {
        Some(version) => Check::new(CheckVerdict::Passed, format!("version {version} at {path}")),
        None if view.custom => Check::new(CheckVerdict::Passed, format!("found at {path}")),
        None => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("{path} doesn't report its version"),
            );
            check.with_fix(format!(
                "run `{path} --version` in a terminal to see its output"
            ))
        }
    }
}

fn check_login(view: &AgentView, adapter: &dyn Adapter) -> Option<Check> {
    let probe = adapter.probe();
    if probe.login.is_empty() {
        return None;
    }
    Some(match (view.logged_in, &view.mend) {
        (Some(true), _) => Check::new(CheckVerdict::Passed, "login found (not tested)"),
        (_, mend) => {
            let check = Check::new(CheckVerdict::Warning, "no login found");
            check.with_fix(mend.clone().unwrap_or(probe.not_logged_in))
        }
    })
}

fn check_tool_control(adapter: &dyn Adapter) -> Check {
    let control = adapter.tool_control();
    let verdict = if control.enforces_list {
        CheckVerdict::Passed
    } else {
        CheckVerdict::Warning
    };
    Check::new(verdict, control.description)
}

#[cfg(test)]
mod tests {
    use baton_agents::builtin;

    use super::*;

    fn view(
        agent: &dyn Adapter,
        path: Option<&str>,
        version: Option<&str>,
        logged_in: Option<bool>,
    ) -> AgentView {
        AgentView {
            reach: AgentToolControl {
                asks: true,
                lists: true,
                sentence: String::new(),
            },
            id: agent.id().to_owned(),
            title: agent.title().to_owned(),
            mark: agent.mark().to_string(),
            keeps_history: true,
            custom: false,
            default: agent.id() == "claude",
            path: path.map(str::to_owned),
            version: version.map(str::to_owned),
            logged_in,
            mend: None,
            command: Vec::new(),
            protocol: baton_agents::custom::Protocol::default(),
        }
    }

    fn verdicts(checks: &[Check]) -> Vec<CheckVerdict> {
        checks.iter().map(|check| check.verdict).collect()
    }

    #[test]
    fn only_a_missing_default_agent_fails() {
        for agent in builtin() {
            let checks = checks(&view(agent.as_ref(), None, None, None), agent.as_ref());
            let expected = if agent.id() == "claude" {
                CheckVerdict::Failed
            } else {
                CheckVerdict::Warning
            };
            assert_eq!(verdicts(&checks), [expected], "{}", agent.id());
            assert!(checks[0].mend.is_some(), "what to do about {}", agent.id());
        }
    }

    #[test]
    fn nothing_is_wrong_with_an_unused_agent() {
        for agent in builtin() {
            for path in [None, Some("/bin/agent")] {
                let mut checks = checks(&view(agent.as_ref(), path, None, None), agent.as_ref());
                if agent.id() == "claude" && path.is_none() {
                    continue;
                }
                checks.iter_mut().for_each(make_optional);
                assert!(
                    checks
                        .iter()
                        .all(|check| check.verdict == CheckVerdict::Passed),
                    "{}: {checks:?}",
                    agent.id()
                );
                let hints: Vec<&Check> =
                    checks.iter().filter(|check| check.mend.is_some()).collect();
                assert!(!hints.is_empty(), "{}", agent.id());
                assert!(
                    hints
                        .iter()
                        .all(|check| check.sentence.starts_with("optional: ")),
                    "{hints:?}"
                );
            }
        }
    }

    #[test]
    fn uncertain_login_and_unknown_version_are_warnings_with_a_fix() {
        for agent in builtin() {
            let checks = checks(
                &view(agent.as_ref(), Some("/bin/agent"), None, None),
                agent.as_ref(),
            );
            let doubts: Vec<&Check> = checks.iter().filter(|check| check.mend.is_some()).collect();
            assert!(doubts.len() >= 2, "{}: {checks:?}", agent.id());
        }
    }

    #[test]
    fn installed_agent_with_login_needs_no_fix() {
        for agent in builtin() {
            let checks = checks(
                &view(
                    agent.as_ref(),
                    Some("/bin/agent"),
                    Some("1.2.3"),
                    Some(true),
                ),
                agent.as_ref(),
            );
            assert!(
                checks.iter().all(|check| check.mend.is_none()),
                "{}: {checks:?}",
                agent.id()
            );
            assert!(checks.iter().any(|check| check.sentence.contains("1.2.3")));
        }
    }
}
