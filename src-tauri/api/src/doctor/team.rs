//! Checks for the configured teams.

use baton_model::arbiter::TeamRule;

use crate::App;
use crate::wire::*;

/// One section per team, based on the checks of its members in `views`.
pub(super) fn sections(app: &App, views: &[AgentView]) -> Vec<DoctorSection> {
    let teams = app.engine.agents().teams();
    let default = app.engine.agents().default_name();
    let of_team = |team: baton_model::arbiter::Team| {
        let mut checks: Vec<Check> = team
            .members
            .iter()
            .map(|member| member_check(member, views))
            .collect();
        if checks
            .iter()
            .all(|check| check.verdict != CheckVerdict::Passed)
        {
            let check = Check::new(CheckVerdict::Failed, "no member is available");
            checks
                .push(check.with_fix("install one of its agents, or change the team in Settings"));
        }
        if team.rule == TeamRule::Ask {
            let asked = team.asks.as_deref().unwrap_or(&default);
            checks.push(arbiter_check(asked, views));
        }
        let (title, name) = (format!("Team {}", team.name), team.name);
        super::section(DoctorSubject::Team { name }, &title, checks)
    };
    teams.into_iter().map(of_team).collect()
}

fn member_check(member: &str, views: &[AgentView]) -> Check {
    match views.iter().find(|view| view.id == member) {
        Some(AgentView {
            path: Some(_),
            title,
            ..
        }) => Check::new(CheckVerdict::Passed, format!("{title} is installed")),
        Some(AgentView { title, mend, .. }) => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("{title} isn't installed and will be skipped"),
            );
            check.with_fix(mend.clone().unwrap_or_else(|| "install it".to_owned()))
        }
        None => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("there is no agent '{member}'; it will be skipped"),
            );
            check.with_fix("add it in Settings, or remove it from the team")
        }
    }
}

fn arbiter_check(asked: &str, views: &[AgentView]) -> Check {
    if views
        .iter()
        .any(|view| view.id == asked && view.path.is_some())
    {
        return Check::new(
            CheckVerdict::Passed,
            format!("{asked}, which chooses the agent, is installed"),
        );
    }
    let check = Check::new(
        CheckVerdict::Warning,
        format!("{asked}, which chooses the agent, isn't installed"),
    );
    check.with_fix(
        "until it's installed, the first available member is used. Choose another agent in Settings",
    )
}
