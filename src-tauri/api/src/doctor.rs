//! Diagnostics: checks everything that Baton needs on this machine, with a fix for each problem.
//!
//! The checks cost nothing and change nothing. No model is called, so login state is inferred from
//! local credentials.

mod agent;
mod connection;
mod data;
mod git;
mod sandbox;
mod team;
mod used_agents;

use std::path::Path;

use baton_agents::Adapter;

use crate::wire::*;
use crate::{ApiError, App, agents};

/// Runs all checks. Takes a moment, because each agent is asked for its version.
pub(crate) fn run(app: &App, _: Nothing) -> Result<DoctorView, ApiError> {
    let views = agents::list(app, Nothing {})?;
    let known = app.engine.agents().all();
    let used = used_agents::find(app);
    let mut sections: Vec<DoctorSection> = views
        .iter()
        .filter_map(|view| Some((view, known.iter().find(|agent| agent.id() == view.id)?)))
        .map(|(view, adapter)| agent_section(view, adapter.as_ref(), used.contains(&view.id)))
        .collect();
    sections.extend(team::sections(app, &views));
    let connections = connection::checks(app);
    if !connections.is_empty() {
        sections.push(section(
            DoctorSubject::Connections,
            "Baton's tools in agents",
            connections,
        ));
    }
    sections.push(section(
        DoctorSubject::Git,
        "Git",
        git::checks(&app.engine.environment()),
    ));
    sections.push(section(
        DoctorSubject::Programs,
        "Baton's programs",
        programs(app),
    ));
    sections.push(section(
        DoctorSubject::Sandbox,
        "Sandbox",
        vec![sandbox::check(app)],
    ));
    sections.push(section(DoctorSubject::Data, "Data", data::checks(app)));
    Ok(DoctorView { sections })
}

fn agent_section(view: &AgentView, adapter: &dyn Adapter, used: bool) -> DoctorSection {
    let subject = DoctorSubject::Agent {
        id: view.id.clone(),
        default: view.default,
        used,
    };
    let mut checks = agent::checks(view, adapter);
    if !used {
        checks.iter_mut().for_each(agent::make_optional);
    }
    section(subject, &view.title, checks)
}

fn section(subject: DoctorSubject, title: &str, mut checks: Vec<Check>) -> DoctorSection {
    checks.sort_by_key(|check| check.verdict);
    DoctorSection {
        subject,
        title: title.to_owned(),
        checks,
    }
}

fn programs(app: &App) -> Vec<Check> {
    let (tool, baton) = (app.engine.tools().program(), app.engine.tools().baton());
    vec![
        program(
            tool,
            format!("{} runs tool nodes", tool.display()),
            format!("{}, which runs tool nodes, is missing", tool.display()),
        ),
        program(
            baton,
            format!("the `baton` command is at {}", baton.display()),
            format!("the `baton` command is missing: {}", baton.display()),
        ),
    ]
}

fn program(path: &Path, passed: String, missing: String) -> Check {
    if path.is_file() {
        Check::new(CheckVerdict::Passed, passed)
    } else {
        let check = Check::new(CheckVerdict::Warning, missing);
        check.with_fix("reinstall Baton, with all its programs in one folder")
    }
}
