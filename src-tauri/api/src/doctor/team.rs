//! Whether the teams of the settings can work.

use baton_model::arbiter::Rule;

use crate::App;
use crate::wire::*;

/// A section for each team, with what was found of its members in `views`.
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
            let check = Check::new(CheckVerdict::Failed, "nobody of it can work");
            checks.push(
                check.mended_by("install one of its agents, or change the team in the settings"),
            );
        }
        if team.rule == Rule::Ask {
            let asked = team.asks.as_deref().unwrap_or(&default);
            checks.push(asked_check(asked, views));
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
                format!("{title} is not installed and is passed over"),
            );
            check.mended_by(mend.clone().unwrap_or_else(|| "install it".to_owned()))
        }
        None => {
            let check = Check::new(
                CheckVerdict::Warning,
                format!("there is no agent '{member}'; it is passed over"),
            );
            check.mended_by("define it in the settings, or take it out of the team")
        }
    }
}

fn asked_check(asked: &str, views: &[AgentView]) -> Check {
    if views
        .iter()
        .any(|view| view.id == asked && view.path.is_some())
    {
        return Check::new(
            CheckVerdict::Passed,
            format!("{asked}, who is asked, is installed"),
        );
    }
    let check = Check::new(
        CheckVerdict::Warning,
        format!("{asked}, who is asked, is not installed"),
    );
    check.mended_by(
        "until it is, the first member that can work is taken; choose another in the settings",
    )
}
