//! Reads a file that a session's output mentions.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use baton_agents::image_type::{SIGNATURE_BYTES, image_type};
use baton_keeper::Launch;
use baton_model::SessionId;
use serde::{Deserialize, Serialize};

use super::canonical_file::open_canonical;
use super::file_part::{FileExcerpt, FilePart, read_around};
pub use super::session_directories::LocatedFile;
use super::session_directories::SessionDirectories;
use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason};

/// The size limit for images, which are sent as a whole.
const MAX_IMAGE_BYTES: u64 = 8 * 1024 * 1024;

/// A file, or the part of it around a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionFile {
    /// The absolute path, with links resolved.
    pub path: String,
    /// The path from the session's directory, its git work tree, or the plan's directory.
    pub relative_path: String,
    /// The size of the whole file in bytes.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub bytes: u64,
    /// What can be shown of it.
    pub content: FileContent,
}

/// What can be shown of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum FileContent {
    /// A part of a text file: at most 2 MiB.
    Text(FileExcerpt),
    /// A whole image of at most 8 MiB.
    #[serde(rename_all = "camelCase")]
    Image {
        /// The media type, from the file's first bytes.
        media_type: String,
        /// The file in base64.
        base64: String,
    },
    /// Neither text nor an image that can be shown.
    Binary,
}

/// Reads `path` around `line`, which is 1 if unset.
pub fn read(
    context: &Context,
    session: SessionId,
    path: &str,
    line: Option<u32>,
) -> Result<SessionFile, PlanningError> {
    let located = directories(context, session)?.locate(path)?;
    let mut file = open_canonical(&located.path)?;
    let content = content(&mut file, line.unwrap_or(1)).map_err(|error| {
        let message = format!("{} can't be read: {error}", located.path.display());
        PlanningError::new(RefusalReason::Unavailable, message)
    })?;
    let content = content.ok_or_else(|| {
        let message = format!("line {} is too far into the file", line.unwrap_or(1));
        PlanningError::new(RefusalReason::Refused, message).with_fix("open the file in an editor")
    })?;
    Ok(SessionFile {
        path: located.path.display().to_string(),
        relative_path: located.relative_path.display().to_string(),
        bytes: file.metadata().map_or(0, |meta| meta.len()),
        content,
    })
}

/// Finds a file for an editor, which must be a regular file in the session's directories.
pub fn locate(
    context: &Context,
    session: SessionId,
    path: &str,
) -> Result<LocatedFile, PlanningError> {
    let located = directories(context, session)?.locate(path)?;
    open_canonical(&located.path)?;
    Ok(located)
}

/// The session's working directory, if it still exists.
pub fn session_directory(context: &Context, session: SessionId) -> Result<PathBuf, PlanningError> {
    let cwd = launch(context, session)?.cwd;
    if cwd.is_dir() {
        return Ok(cwd);
    }
    let message = format!("the session's directory {} was removed", cwd.display());
    Err(PlanningError::new(RefusalReason::NotFound, message)
        .with_fix("if the work was merged, open the blueprint's directory"))
}

fn directories(context: &Context, session: SessionId) -> Result<SessionDirectories, PlanningError> {
    let row = context.store.sessions().get(session)?;
    let run = context.store.runs().get(row.run)?;
    let plan = plan_version(context, run.plan, run.version)?;
    let cwd = launch(context, session)?.cwd;
    Ok(SessionDirectories::new(
        cwd,
        plan.cwd.as_deref().map(std::path::Path::new),
    ))
}

fn launch(context: &Context, session: SessionId) -> Result<Launch, PlanningError> {
    let row = context.store.sessions().get(session)?;
    Launch::read(&context.store.data_dir().join(&row.folder)).map_err(|error| {
        let message = format!("the session's directory isn't known: {error}");
        PlanningError::new(RefusalReason::Unavailable, message)
            .with_fix("wait until the session has started")
    })
}

/// `None` if the line is too far from the start of the file.
fn content(file: &mut File, line: u32) -> io::Result<Option<FileContent>> {
    let mut signature = Vec::new();
    file.take(SIGNATURE_BYTES as u64)
        .read_to_end(&mut signature)?;
    if let Some(media_type) = image_type(&signature) {
        return Ok(Some(image(file, media_type)?));
    }
    Ok(match read_around(file, line.into())? {
        FilePart::Text(text) => Some(FileContent::Text(text)),
        FilePart::Binary => Some(FileContent::Binary),
        FilePart::TooFar => None,
    })
}

fn image(file: &mut File, media_type: &str) -> io::Result<FileContent> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(MAX_IMAGE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_IMAGE_BYTES {
        return Ok(FileContent::Binary);
    }
    Ok(FileContent::Image {
        media_type: media_type.to_owned(),
        base64: STANDARD.encode(bytes),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn shown(bytes: &[u8], line: u32) -> Option<FileContent> {
        let mut file = tempfile::tempfile().expect("temp file");
        file.write_all(bytes).expect("written");
        file.rewind().expect("at the start");
        content(&mut file, line).expect("readable")
    }

    #[test]
    fn text_images_and_binary_files_differ() {
        let Some(FileContent::Text(text)) = shown(b"one\ntwo\n", 2) else {
            panic!("not a text");
        };
        assert_eq!(
            (text.text.as_str(), text.total_lines),
            ("one\ntwo\n", Some(2))
        );
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        let image = FileContent::Image {
            media_type: "image/png".to_owned(),
            base64: "iVBORw0KGgoAAAANSUhEUg==".to_owned(),
        };
        assert_eq!(shown(png, 1), Some(image));
        assert_eq!(shown(b"\x7fELF\x02\0\0", 1), Some(FileContent::Binary));
        let mut large = png.to_vec();
        large.resize(8 * 1024 * 1024 + 1, 0);
        assert_eq!(shown(&large, 1), Some(FileContent::Binary));
        large.truncate(8 * 1024 * 1024);
        assert!(matches!(shown(&large, 1), Some(FileContent::Image { .. })));
    }

    #[test]
    fn wire_form_is_tagged() {
        let text = shown(b"one\n", 1).expect("text");
        assert_eq!(
            serde_json::to_string(&text).expect("JSON"),
            r#"{"kind":"text","text":"one\n","firstLine":1,"totalLines":1,"truncated":false}"#
        );
    }
}
