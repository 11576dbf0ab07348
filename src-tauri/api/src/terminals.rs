//! Operations on terminals. A terminal belongs to the process that opened it and ends with it.
//!
//! Only the window has terminals by itself. Over HTTP they are off until a person turns them on in
//! the settings, and then only for tokens that decide. Agents can't use them at all: see
//! `admission`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use baton_planning::settings::StoredSettings;
use baton_planning::work_place;
use baton_store::{Actor, ActorChannel};
use baton_terminal::{
    InputMark, Shell, Terminal, TerminalError, TerminalEvent, TerminalListener, TerminalSize,
};

use crate::open_terminals::OpenPlace;
use crate::wire::*;
use crate::{ApiError, App, Code, Role};

/// Names the data directory for a `baton` in a terminal, if it isn't the usual one.
const DATA_DIRECTORY: &str = "BATON_DATA_DIR";

pub(crate) fn list(app: &App, _: Nothing) -> Result<TerminalsView, ApiError> {
    let access = access(app)?;
    let terminals = match access {
        TerminalAccess::Allowed => app.terminals.list(),
        TerminalAccess::OffOverHttp => Vec::new(),
    };
    Ok(TerminalsView {
        access,
        terminals: terminals
            .iter()
            .map(|(place, terminal)| view(place, terminal))
            .collect(),
    })
}

/// Opens the terminal of a place, or returns the one that is running.
pub(crate) fn open(app: &App, input: TerminalOpen) -> Result<TerminalView, ApiError> {
    open_in_environment(app, &input, &app.engine.environment())
}

fn open_in_environment(
    app: &App,
    input: &TerminalOpen,
    environment: &BTreeMap<String, String>,
) -> Result<TerminalView, ApiError> {
    require_access(app)?;
    let work = work_place::locate(app.context(), input.place)?;
    let mut shell = Shell::in_directory(work.directory.clone(), environment);
    if std::env::var_os(DATA_DIRECTORY).is_some() {
        let data = app.store.data_dir().display().to_string();
        shell = shell.with_variable(DATA_DIRECTORY, data);
    }
    let place = OpenPlace {
        place: input.place,
        plan: work.plan,
        directory: work.directory.display().to_string(),
        shell: shell.program().display().to_string(),
    };
    let size = TerminalSize::new(input.columns, input.rows);
    let terminal = app
        .terminals
        .open(place.clone(), &shell, size, listener(app))?;
    app.publish(Change::Terminals);
    Ok(view(&place, &terminal))
}

pub(crate) fn output(app: &App, input: TerminalOutputAfter) -> Result<TerminalOutput, ApiError> {
    let part = find(app, input.terminal)?.output(input.after);
    Ok(TerminalOutput {
        from: part.from,
        base64: STANDARD.encode(part.bytes),
        end: part.end,
        already_read: part.already_read,
    })
}

pub(crate) fn input(app: &App, input: TerminalInput) -> Result<TerminalInputResult, ApiError> {
    let terminal = find(app, input.terminal)?;
    let bytes = STANDARD.decode(&input.base64).map_err(|error| {
        ApiError::new(Code::BadInput, format!("the input isn't base64: {error}"))
    })?;
    let mark = InputMark {
        writer: input.writer,
        sequence: input.sequence,
    };
    let written = terminal.input(mark, bytes)?;
    Ok(TerminalInputResult { written })
}

pub(crate) fn resize(app: &App, input: TerminalResize) -> Result<Done, ApiError> {
    let size = TerminalSize::new(input.columns, input.rows);
    find(app, input.terminal)?.resize(size)?;
    Ok(Done {})
}

/// Ends a terminal with everything that runs in it.
pub(crate) fn close(app: &App, input: TerminalRef) -> Result<Done, ApiError> {
    require_access(app)?;
    app.terminals.close(input.terminal)?;
    app.publish(Change::Terminals);
    Ok(Done {})
}

impl App {
    /// The programs that run in terminals of this process, by name.
    #[must_use]
    pub fn programs_in_terminals(&self) -> Vec<String> {
        let running = self.terminals.list();
        running
            .iter()
            .filter_map(|(_, terminal)| terminal.running_program())
            .collect()
    }
}

fn find(app: &App, id: baton_model::TerminalId) -> Result<Arc<Terminal>, ApiError> {
    require_access(app)?;
    Ok(app.terminals.get(id)?)
}

fn require_access(app: &App) -> Result<(), ApiError> {
    match access(app)? {
        TerminalAccess::Allowed => Ok(()),
        TerminalAccess::OffOverHttp => Err(ApiError::new(
            Code::Forbidden,
            "terminals are turned off outside of Baton's window",
        )
        .with_fix("turn on “Terminals over HTTP” in Settings → Terminal")),
    }
}

fn access(app: &App) -> Result<TerminalAccess, ApiError> {
    if !matches!(app.role, Role::Window | Role::Server) {
        let message =
            "a terminal ends with the process that opened it, so a command can't open one";
        return Err(ApiError::new(Code::Refused, message)
            .with_fix("open it in Baton's window, or in a page of `baton serve`"));
    }
    let is_window = app.actor() == Actor::Person(ActorChannel::Window);
    if is_window || StoredSettings::read(&app.store)?.terminal_over_http {
        return Ok(TerminalAccess::Allowed);
    }
    Ok(TerminalAccess::OffOverHttp)
}

fn listener(app: &App) -> TerminalListener {
    let subscribers = app.subscribers.clone();
    Arc::new(move |event| match event {
        TerminalEvent::Output(terminal) => subscribers.send(Change::Terminal { terminal }),
        TerminalEvent::Ended(terminal) => {
            subscribers.send(Change::Terminal { terminal });
            subscribers.send(Change::Terminals);
        }
    })
}

fn view(place: &OpenPlace, terminal: &Terminal) -> TerminalView {
    TerminalView {
        id: terminal.id(),
        place: place.place,
        plan: place.plan,
        directory: place.directory.clone(),
        shell: place.shell.clone(),
        program: terminal.running_program(),
        end: terminal.end().map(|end| match end {
            baton_terminal::TerminalEnd::Exited(code) => TerminalEnd::Exited { code },
            baton_terminal::TerminalEnd::Killed(signal) => TerminalEnd::Killed { signal },
            baton_terminal::TerminalEnd::Unknown => TerminalEnd::Unknown,
        }),
    }
}

impl From<TerminalError> for ApiError {
    fn from(error: TerminalError) -> Self {
        let (code, fix) = match &error {
            TerminalError::NotFound => (Code::NotFound, Some("open a new one")),
            TerminalError::TooMany(_) => (Code::Refused, Some("close one that you don't need")),
            TerminalError::NotStarted { .. } => (
                Code::Unavailable,
                Some("check that the shell in SHELL is installed, then try again"),
            ),
            TerminalError::Ended => (Code::Refused, Some("open a new one")),
            TerminalError::InputFull => (Code::Busy, None),
            TerminalError::InputTooLong(_) => (Code::BadInput, Some("send it in parts")),
            TerminalError::NotResized(_) | TerminalError::Thread(_) => (Code::Unavailable, None),
        };
        Self::from_cause(code, &error, fix.map(str::to_owned), false)
    }
}

#[cfg(test)]
mod tests;
