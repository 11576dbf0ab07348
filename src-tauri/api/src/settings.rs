//! Operations on settings, and information about this Baton.

use baton_model::plan::RunDefaults;
use baton_model::problem::CONCURRENCY_LIMIT;
use baton_planning::editors::check_template;
use baton_planning::settings::StoredSettings;
use baton_store::Change;

use crate::wire::*;
use crate::{ApiError, App, Code, plans};

/// Maximum for the session limit of an agent.
const MAX_AGENT_SESSIONS: u32 = 1000;

/// Applies settings stored by other processes for as long as the app is open: limits apply to this
/// process's runs, defaults to new ones.
pub(crate) fn watch_changes(app: &App) -> std::io::Result<()> {
    let changes = app.store.subscribe();
    let app = app.downgrade();
    let apply_changes = move || {
        for change in changes {
            if !matches!(change, Change::SettingsChanged | Change::Everything) {
                continue;
            }
            let Some(app) = app.upgrade() else { return };
            if let Err(error) = app.reread_settings() {
                tracing::error!(%error, "couldn't read the stored settings");
            }
        }
    };
    std::thread::Builder::new()
        .name("settings".to_owned())
        .spawn(apply_changes)?;
    Ok(())
}

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
        editor: Some(stored.editor),
        retention: Some(stored.retention),
        terminal_over_http: Some(stored.terminal_over_http),
    })
}

pub(crate) fn save(app: &App, input: Settings) -> Result<Settings, ApiError> {
    if app
        .engine
        .agents()
        .find(Some(&input.default_agent))
        .is_none()
    {
        let message = format!("there is no agent '{}'", input.default_agent);
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose one from the list"));
    }
    let ProposalDays { automatic, asked } = input.proposal_days;
    if [automatic, asked]
        .iter()
        .any(|days| !(1..=ProposalDays::MAX).contains(days))
    {
        let message = format!(
            "proposals must expire after 1 to {} days",
            ProposalDays::MAX
        );
        return Err(
            ApiError::new(Code::BadInput, message).with_fix("choose a number in that range")
        );
    }
    let limits = input.agent_concurrency.iter().flatten();
    if let Some((agent, _)) = limits
        .into_iter()
        .find(|(_, limit)| !(1..=MAX_AGENT_SESSIONS).contains(*limit))
    {
        let message =
            format!("the session limit of agent '{agent}' must be from 1 to {MAX_AGENT_SESSIONS}");
        return Err(
            ApiError::new(Code::BadInput, message).with_fix("choose a number in that range")
        );
    }
    input
        .run_defaults
        .as_ref()
        .map_or(Ok(()), check_run_defaults)?;
    input.editor.as_ref().map_or(Ok(()), check_editor)?;
    input
        .retention
        .as_ref()
        .map_or(Ok(()), plans::check_retention)?;
    let mut stored = StoredSettings::read(&app.store)?;
    stored.run_defaults = input.run_defaults.unwrap_or(stored.run_defaults);
    if let Some(limits) = &input.agent_concurrency {
        stored.agent_concurrency.clone_from(limits);
    }
    if let Some(editor) = &input.editor {
        stored.editor.clone_from(editor);
    }
    stored.retention = input.retention.unwrap_or(stored.retention);
    let terminal_over_http = input
        .terminal_over_http
        .unwrap_or(stored.terminal_over_http);
    if terminal_over_http && !stored.terminal_over_http && !app.actor().is_person() {
        let message = "only a person may turn on terminals over HTTP";
        return Err(
            ApiError::new(Code::Forbidden, message).with_fix("turn them on in Settings → Terminal")
        );
    }
    stored.terminal_over_http = terminal_over_http;
    stored.proposal_days = input.proposal_days;
    stored.theme = input.theme;
    stored.default_agent.clone_from(&input.default_agent);
    stored.takeover_allowed = input.takeover_allowed;
    if let Some(tools) = &input.guarded_tools {
        stored.guarded_tools = unique_trimmed(tools);
    }
    app.store_settings(&stored)?;
    Ok(input)
}

fn check_run_defaults(defaults: &RunDefaults) -> Result<(), ApiError> {
    if !(1..=CONCURRENCY_LIMIT).contains(&defaults.concurrency) {
        let message = format!("max parallel nodes must be from 1 to {CONCURRENCY_LIMIT}");
        return Err(
            ApiError::new(Code::BadInput, message).with_fix("choose a number in that range")
        );
    }
    let limits = [
        defaults.timeout_ms,
        defaults.agent_timeout_ms,
        defaults.command_timeout_ms,
    ];
    if limits.contains(&Some(0)) {
        let message = "a time limit of 0 would stop everything immediately";
        return Err(ApiError::new(Code::BadInput, message)
            .with_fix("enter a longer time, or leave it empty"));
    }
    Ok(())
}

fn check_editor(editor: &EditorSetting) -> Result<(), ApiError> {
    let EditorSetting::Custom { argv } = editor else {
        return Ok(());
    };
    check_template(argv)
        .map_err(|fault| ApiError::new(Code::BadInput, fault.to_string()).with_fix(fault.fix()))
}

/// Trims the names and removes duplicates.
fn unique_trimmed(tools: &[String]) -> Vec<String> {
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

/// Returns the version and the location of data.
pub(crate) fn about(app: &App, _: Nothing) -> Result<About, ApiError> {
    Ok(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_directory: app.store.data_dir().display().to_string(),
        data_bytes: folder_size(app.store.data_dir()),
        schema: baton_store::NEWEST_FORMAT,
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    })
}

/// Total size in bytes of all files below `folder`. Files that can't be read count as zero.
fn folder_size(folder: &std::path::Path) -> u64 {
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
