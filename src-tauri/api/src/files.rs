//! Operations on files that a session's output mentions.

use std::path::Path;

use baton_planning::editors::{self, EditorList, FilePosition};
use baton_planning::files;
use baton_planning::settings::StoredSettings;
use baton_planning::work_place;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// Reads a file, or the part of it around a line.
pub(crate) fn get(app: &App, input: SessionFileRef) -> Result<SessionFile, ApiError> {
    Ok(files::read(
        app.context(),
        input.session,
        &input.path,
        input.line,
    )?)
}

/// Opens a file in the chosen editor, or the session's directory in the file manager.
pub(crate) fn open(app: &App, input: SessionFileOpen) -> Result<SessionFileOpened, ApiError> {
    let (context, session) = (app.context(), input.session);
    match input.target {
        SessionFileTarget::File { path, line, column } => {
            let path = files::locate(context, session, &path)?.path;
            let position = FilePosition {
                path: &path,
                line,
                column,
            };
            open_in_editor(app, &position)
        }
        SessionFileTarget::Output { stream } => {
            // Refuses anything that a session's program put in the file's place.
            files::open_raw_output(context, session, stream)?;
            let path = files::raw_output_path(context, session, stream)?;
            open_in_editor(app, &at_start(&path))
        }
        SessionFileTarget::Folder => {
            editors::open_folder(&files::session_directory(context, session)?)?;
            Ok(SessionFileOpened {
                program: Some("file manager".to_owned()),
            })
        }
    }
}

/// Opens the directory of a plan or a node. Its path is an argument of the program and never part of
/// a command line.
pub(crate) fn open_directory(app: &App, input: DirectoryOpen) -> Result<DirectoryOpened, ApiError> {
    let path = work_place::locate(app.context(), input.place)?.directory;
    let program = match input.program {
        DirectoryProgram::FileManager => {
            editors::open_folder(&path)?;
            "file manager".to_owned()
        }
        DirectoryProgram::Editor => {
            let opened = open_in_editor(app, &at_start(&path))?;
            opened.program.ok_or_else(|| {
                ApiError::new(Code::Refused, "no editor is chosen or installed")
                    .with_fix("choose one in Settings → Editor")
            })?
        }
    };
    Ok(DirectoryOpened {
        directory: path.display().to_string(),
        program,
    })
}

fn at_start(path: &Path) -> FilePosition<'_> {
    FilePosition {
        path,
        line: None,
        column: None,
    }
}

fn open_in_editor(app: &App, position: &FilePosition<'_>) -> Result<SessionFileOpened, ApiError> {
    let setting = StoredSettings::read(&app.store)?.editor;
    let environment = app.engine.environment();
    let command = editors::editor_command(&setting, position, &environment)?;
    if let Some(command) = &command {
        editors::launch(command, &environment)?;
    }
    Ok(SessionFileOpened {
        program: command.map(|command| command.label),
    })
}

/// Lists the editors of this machine.
pub(crate) fn editors(app: &App, _: Nothing) -> Result<EditorList, ApiError> {
    Ok(editors::editor_list(&app.engine.environment()))
}

#[cfg(test)]
mod tests;
