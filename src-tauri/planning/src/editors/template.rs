//! Command lines with placeholders for a place in a file.

use std::ffi::{OsStr, OsString};

use super::command::FilePosition;

/// Why a command line can't open files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateFault {
    /// There is no program.
    #[error("the editor's command has no program")]
    NoProgram,
    /// The program would depend on the file.
    #[error("the editor's program can't contain a placeholder")]
    ProgramHasPlaceholder,
    /// No argument names the file.
    #[error("the editor's command doesn't say which file to open")]
    NoPath,
    /// A placeholder that has no meaning.
    #[error("the editor's command has an unknown placeholder {{{0}}}")]
    UnknownPlaceholder(String),
}

impl TemplateFault {
    /// What to do about it, a lowercase fragment.
    #[must_use]
    pub fn fix(&self) -> &'static str {
        match self {
            Self::NoProgram => "enter the name or the path of a program",
            Self::ProgramHasPlaceholder => "use placeholders only in arguments",
            Self::NoPath => "add an argument that contains {path}",
            Self::UnknownPlaceholder(_) => "use {path}, {line} and {column}",
        }
    }
}

/// Checks the program and the arguments of a command line.
pub fn check_template(argv: &[String]) -> Result<(), TemplateFault> {
    let Some((program, arguments)) = argv.split_first() else {
        return Err(TemplateFault::NoProgram);
    };
    if program.trim().is_empty() {
        return Err(TemplateFault::NoProgram);
    }
    if pieces(program).any(|piece| matches!(piece, Piece::Placeholder(_))) {
        return Err(TemplateFault::ProgramHasPlaceholder);
    }
    let mut has_path = false;
    for piece in arguments.iter().flat_map(|argument| pieces(argument)) {
        match piece {
            Piece::Text(_) | Piece::Placeholder("line" | "column") => {}
            Piece::Placeholder("path") => has_path = true,
            Piece::Placeholder(name) => {
                return Err(TemplateFault::UnknownPlaceholder(name.to_owned()));
            }
        }
    }
    has_path.then_some(()).ok_or(TemplateFault::NoPath)
}

/// Replaces the placeholders of one argument. A missing line or column is 1. What is inserted is
/// not searched for placeholders again.
pub(super) fn fill(argument: &str, position: &FilePosition<'_>) -> OsString {
    let mut filled = OsString::new();
    for piece in pieces(argument) {
        match piece {
            Piece::Text(text) => filled.push(text),
            Piece::Placeholder("path") => filled.push(position.path.as_os_str()),
            Piece::Placeholder("line") => filled.push(position.line.unwrap_or(1).to_string()),
            Piece::Placeholder("column") => filled.push(position.column.unwrap_or(1).to_string()),
            Piece::Placeholder(name) => filled.push(OsStr::new(&format!("{{{name}}}"))),
        }
    }
    filled
}

enum Piece<'a> {
    Text(&'a str),
    /// The lowercase name between braces.
    Placeholder(&'a str),
}

/// Other text in braces, such as `{}` and `{A b}`, is text.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = match placeholder(rest) {
            Some((name, after)) => (Piece::Placeholder(name), after),
            None => {
                // The first character is text even if it is a brace.
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let end = rest[first..].find('{').map_or(rest.len(), |at| first + at);
                (Piece::Text(&rest[..end]), &rest[end..])
            }
        };
        rest = after;
        Some(piece)
    })
}

fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('{')?.split_once('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_lowercase());
    is_name.then_some((name, after))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn check(argv: &[&str]) -> Result<(), TemplateFault> {
        let argv: Vec<String> = argv.iter().map(|&part| part.to_owned()).collect();
        check_template(&argv)
    }

    #[test]
    fn templates_are_checked() {
        for argv in [
            &["gvim", "+call cursor({line}, {column})", "{path}"][..],
            &["emacsclient", "-n", "+{line}:{column}", "{path}"],
            &["e", "{path}:{line}", "{}", "{A}", "{", "}", "a{{b"],
        ] {
            assert_eq!(check(argv), Ok(()), "{argv:?}");
        }
        for (argv, fault) in [
            (&[][..], TemplateFault::NoProgram),
            (&[" ", "{path}"], TemplateFault::NoProgram),
            (&["{path}"], TemplateFault::ProgramHasPlaceholder),
            (&["gvim"], TemplateFault::NoPath),
            (&["gvim", "+{line}"], TemplateFault::NoPath),
            (
                &["gvim", "{file}"],
                TemplateFault::UnknownPlaceholder("file".to_owned()),
            ),
        ] {
            assert_eq!(check(argv), Err(fault), "{argv:?}");
        }
        let fault = TemplateFault::UnknownPlaceholder("file".to_owned());
        assert_eq!(
            fault.to_string(),
            "the editor's command has an unknown placeholder {file}"
        );
    }

    #[test]
    fn placeholders_are_filled_once() {
        let position = FilePosition {
            path: Path::new("/a/{line} $(x) \"y\""),
            line: Some(7),
            column: None,
        };
        for (argument, filled) in [
            ("{path}", "/a/{line} $(x) \"y\""),
            ("{path}:{line}:{column}", "/a/{line} $(x) \"y\":7:1"),
            ("{{line}} {other} {é", "{7} {other} {é"),
            ("", ""),
        ] {
            assert_eq!(fill(argument, &position), filled, "{argument}");
        }
    }
}
