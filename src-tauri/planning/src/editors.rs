//! The editor that opens files on this machine: which ones are known, which one a person chose, and
//! how it is started.

mod command;
mod known_editor;
mod launch;
mod list;
mod setting;
mod template;

pub use command::{EditorCommand, FilePosition, editor_command};
pub use known_editor::KnownEditor;
pub use launch::{launch, open_folder};
pub use list::{EditorList, EnvironmentEditor, InstalledEditor, editor_list};
pub use setting::EditorSetting;
pub use template::{TemplateFault, check_template};
