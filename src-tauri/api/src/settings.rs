//! Operations on settings, and facts about this Baton.

use baton_engine::EngineError;
use baton_model::plan::RunDefaults;
use baton_model::problem::CONCURRENCY_LIMIT;
use baton_planning::settings::StoredSettings;
use baton_store::Change;

use crate::wire::*;
use crate::{ApiError, App, AppError, Code};

/// The highest limit on the sessions of an agent.
const MOST_SESSIONS: u32 = 1000;

/// Takes over what another process stores, until the app is gone: runs of this process keep its limits, and begin with its
/// defaults.
pub(crate) fn follow(app: &App) -> Result<(), AppError> {
    let news = app.store.subscribe();
    let app = app.me();
    let take_over = move || {
        for change in news {
            if !matches!(change, Change::SettingsChanged | Change::Everything) {
                continue;
            }
            let Some(app) = app.upgrade() else { return };
            if let Err(error) = app.reread_settings() {
                tracing::error!(%error, "the settings that were stored cannot be read");
            }
        }
    };
    std::thread::Builder::new()
        .name("settings".to_owned())
        .spawn(take_over)
        .map_err(EngineError::from)?;
    Ok(())
}

/// Shows the settings.
pub(crate) fn get(app: &App, _: Nothing) -> Result<Settings, ApiError> {
    let stored = StoredSettings::read(&app.store)?;
    Ok(Settings {
        theme: stored.theme,
        default_agent: stored.default_agent,
        takeover_allowed: stored.takeover_allowed,
        guarded_tools: Some(stored.guarded_tools),
        proposal_days: stored.proposal_days,
        agent_concurrency: Some(stored.agent_concurrency),
        run_defaults: Some(stored.run_defaults),
    })
}

/// Saves the settings.
pub(crate) fn save(app: &App, input: Settings) -> Result<Settings, ApiError> {
    if app
        .engine
        .agents()
        .find(Some(&input.default_agent))
        .is_none()
    {
        let message = format!("there is no agent '{}'", input.default_agent);
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose one of the list"));
    }
    let ProposalDays { automatic, asked } = input.proposal_days;
    if [automatic, asked]
        .iter()
        .any(|days| !(1..=ProposalDays::MOST).contains(days))
    {
        let message = format!("proposals wait for 1 to {} days", ProposalDays::MOST);
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a number in between"));
    }
    let limits = input.agent_concurrency.iter().flatten();
    if let Some((agent, _)) = limits
        .into_iter()
        .find(|(_, limit)| !(1..=MOST_SESSIONS).contains(*limit))
    {
        let message = format!("agent '{agent}' may have 1 to {MOST_SESSIONS} sessions at once");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a number in between"));
    }
    input
        .run_defaults
        .as_ref()
        .map_or(Ok(()), check_run_defaults)?;
    let mut stored = StoredSettings::read(&app.store)?;
    stored.run_defaults = input.run_defaults.unwrap_or(stored.run_defaults);
    if let Some(limits) = &input.agent_concurrency {
        stored.agent_concurrency.clone_from(limits);
    }
    stored.proposal_days = input.proposal_days;
    stored.theme = input.theme;
    stored.default_agent.clone_from(&input.default_agent);
    stored.takeover_allowed = input.takeover_allowed;
    if let Some(tools) = &input.guarded_tools {
        stored.guarded_tools = names_of(tools);
    }
    app.store_settings(&stored)?;
    Ok(input)
}

fn check_run_defaults(defaults: &RunDefaults) -> Result<(), ApiError> {
    if !(1..=CONCURRENCY_LIMIT).contains(&defaults.concurrency) {
        let message = format!("1 to {CONCURRENCY_LIMIT} nodes may run at once");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a number in between"));
    }
    let limits = [
        defaults.timeout_ms,
        defaults.agent_timeout_ms,
        defaults.command_timeout_ms,
    ];
    if limits.contains(&Some(0)) {
        let message = "a time limit of 0 ends everything at once";
        return Err(ApiError::new(Code::BadInput, message).with_fix("name a longer time, or none"));
    }
    Ok(())
}

/// Each name once, without space around it.
fn names_of(tools: &[String]) -> Vec<String> {
    let names = tools
        .iter()
        .map(|tool| tool.trim())
        .filter(|tool| !tool.is_empty());
    let mut seen = std::collections::BTreeSet::new();
    names
        .filter(|name| seen.insert(*name))
        .map(str::to_owned)
        .collect()
}

/// Tells the version and where data is kept.
pub(crate) fn about(app: &App, _: Nothing) -> Result<About, ApiError> {
    Ok(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_directory: app.store.data_dir().display().to_string(),
        data_bytes: size_of(app.store.data_dir()),
        schema: baton_store::NEWEST_FORMAT,
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    })
}

/// The bytes of all files below `folder`; what cannot be read counts as nothing.
fn size_of(folder: &std::path::Path) -> u64 {
    let mut open = vec![folder.to_path_buf()];
    let mut bytes = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => bytes += meta.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
