//! What an agent can do here.

use baton_agents::Adapter;

use crate::wire::*;

/// What was found of the agent of `view`.
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
        return vec![check.mended_by(view.mend.clone().unwrap_or_else(|| "install it".to_owned()))];
    };
    let mut checks = vec![found(view, path)];
    checks.extend(login(view, adapter));
    checks.push(reach(adapter));
    let resumes = if adapter.can_resume() {
        "a session that was broken off can be taken up again"
    } else {
        "a session that was broken off begins anew: this agent takes none up again"
    };
    checks.push(Check::new(CheckVerdict::Passed, resumes));
    checks
}

fn found(view: &AgentView, path: &str) -> Check {
    match &view.version {
        Some(version) => Check::new(CheckVerdict::Passed, format!("version {version} at {path}")),
        None if view.custom => Check::new(CheckVerdict::Passed, format!("found at {path}")),
        None => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("{path} does not tell its version"),
            );
            check.mended_by(format!(
                "run `{path} --version` in a terminal to see what it says"
            ))
        }
    }
}

fn login(view: &AgentView, adapter: &dyn Adapter) -> Option<Check> {
    let probe = adapter.probe();
    if probe.login.is_empty() {
        return None;
    }
    Some(match (view.logged_in, &view.mend) {
        (Some(true), _) => Check::new(
            CheckVerdict::Passed,
            "there are traces of a login, which was not tried",
        ),
        (_, mend) => {
            let check = Check::new(CheckVerdict::Warning, "no trace of a login was found");
            check.mended_by(mend.clone().unwrap_or(probe.not_logged_in))
        }
    })
}

fn reach(adapter: &dyn Adapter) -> Check {
    let reach = adapter.reach();
    let verdict = if reach.lists {
        CheckVerdict::Passed
    } else {
        CheckVerdict::Warning
    };
    Check::new(verdict, reach.sentence)
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
            reach: AgentReach {
                asks: true,
                lists: true,
                sentence: String::new(),
            },
            id: agent.id().to_owned(),
            title: agent.title().to_owned(),
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
    fn only_the_default_agent_is_missed_badly() {
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
    fn a_doubtful_login_and_a_silent_program_are_warnings_with_a_mend() {
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
    fn an_agent_that_is_there_and_logged_in_has_nothing_to_mend() {
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
