//! Gemini's chats: a JSON document, or since 2026 a log. In a log, a message with a known id
//! replaces the earlier one, and `$set` changes the header or all messages.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::line_reader::{LineBuffer, LineReader};
use crate::normalize::write_line;
use crate::source;

/// Longer chats are not read, because a chat must fit in memory.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
    #[serde(flatten)]
    header: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    id: Option<String>,
    session_id: Option<String>,
    #[serde(rename = "$set", borrow)]
    set: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Set<'a> {
    #[serde(borrow)]
    messages: Option<Vec<&'a RawValue>>,
    #[serde(flatten)]
    header: Map<String, Value>,
}

/// Writes the header and then each message in its last version, in the order of their first
/// versions.
pub(crate) fn write_lines(path: &Path, to: &mut dyn Write) -> io::Result<()> {
    let mut chat = Chat::default();
    if path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        chat.read_document(path)?;
    } else {
        chat.read_log(path)?;
    }
    if let Some(project) = project(path) {
        chat.header.entry("cwd").or_insert(Value::String(project));
    }
    write_line(&Value::Object(chat.header).to_string(), to)?;
    chat.messages
        .iter()
        .try_for_each(|message| write_line(message, to))
}

/// A chat under construction.
#[derive(Default)]
struct Chat {
    header: Map<String, Value>,
    messages: Vec<String>,
    places: HashMap<String, usize>,
    length: u64,
}

impl Chat {
    fn read_document(&mut self, path: &Path) -> io::Result<()> {
        let file = source::open(path)?;
        if file.metadata()?.len() > MAX_FILE_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "chats larger than 64 MiB are not supported",
            ));
        }
        let bytes = io::read_to_string(file)
            .or_else(|_| fs::read(path).map(|all| String::from_utf8_lossy(&all).into_owned()))?;
        let document: Document<'_> = serde_json::from_str(&bytes)?;
        self.header = without(document.header, "messages");
        self.messages = document
            .messages
            .iter()
            .map(|raw| raw.get().to_owned())
            .collect();
        Ok(())
    }

    fn read_log(&mut self, path: &Path) -> io::Result<()> {
        let mut buffer = LineBuffer::default();
        let mut lines = LineReader::from(source::open(path)?, 0, &mut buffer)?;
        while let Some(line) = lines.next()? {
            let text = String::from_utf8_lossy(line.bytes);
            let Ok(record) = serde_json::from_str::<Line<'_>>(&text) else {
                // The reader of the lines counts it as unreadable.
                self.add(None, text.trim().to_owned())?;
                continue;
            };
            match record {
                Line { set: Some(set), .. } => self.set(set)?,
                Line { id: Some(id), .. } => self.add(Some(id), text.into_owned())?,
                Line {
                    session_id: Some(_),
                    ..
                } => {
                    self.header
                        .append(&mut serde_json::from_str(&text).unwrap_or_default());
                }
                _ => self.add(None, text.into_owned())?,
            }
        }
        Ok(())
    }

    fn set(&mut self, raw: &RawValue) -> io::Result<()> {
        let Ok(set) = serde_json::from_str::<Set<'_>>(raw.get()) else {
            return Ok(());
        };
        self.header.append(&mut without(set.header, "messages"));
        if let Some(messages) = set.messages {
            (self.messages, self.places, self.length) = Default::default();
            for message in messages {
                let id = serde_json::from_str::<Line<'_>>(message.get())
                    .ok()
                    .and_then(|line| line.id);
                self.add(id, message.get().to_owned())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, id: Option<String>, message: String) -> io::Result<()> {
        if message.is_empty() {
            return Ok(());
        }
        self.length += message.len() as u64;
        let known = id.as_ref().and_then(|id| self.places.get(id).copied());
        match known {
            Some(place) => {
                self.length -= self.messages[place].len() as u64;
                self.messages[place] = message;
            }
            None => {
                self.places.extend(id.map(|id| (id, self.messages.len())));
                self.messages.push(message);
            }
        }
        if self.length > MAX_FILE_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "chats larger than 64 MiB are not supported",
            ));
        }
        Ok(())
    }
}

fn without(mut header: Map<String, Value>, key: &str) -> Map<String, Value> {
    header.remove(key);
    header
}

/// The working directory of a chat in `<home>/tmp/<project>/chats`, from a file beside it or from
/// `<home>/projects.json`.
fn project(path: &Path) -> Option<String> {
    let folder = path.parent()?.parent()?;
    if let Ok(root) = fs::read_to_string(folder.join(".project_root")) {
        return Some(root.trim().to_owned());
    }
    let projects = fs::read_to_string(folder.parent()?.parent()?.join("projects.json")).ok()?;
    let projects: Value = serde_json::from_str(&projects).ok()?;
    let name = folder.file_name()?.to_str()?;
    let named = projects["projects"]
        .as_object()?
        .iter()
        .find(|(_, value)| value.as_str() == Some(name));
    named.map(|(project, _)| project.clone())
}
