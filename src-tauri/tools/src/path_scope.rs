//! Checks which paths file tools may reach.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use baton_model::node::ToolCall;
use serde_json::Value;

/// The path arguments of file tools.
const PATH_ARGUMENTS: [(&str, &[&str]); 3] = [
    ("read", &["path"]),
    ("write", &["path"]),
    ("glob", &["pattern", "cwd"]),
];

/// Returns a path outside of `directory` that `filled` uses, if the plan's call `written` had a
/// template there. The approval of the plan doesn't cover such a path.
#[must_use]
pub fn path_outside_directory<'a>(
    written: &ToolCall,
    filled: &'a ToolCall,
    directory: &Path,
) -> Option<&'a str> {
    let (_, arguments) = PATH_ARGUMENTS
        .iter()
        .find(|(tool, _)| *tool == written.tool_name)?;
    let is_open = |name: &&&str| {
        written
            .tool_args
            .get(**name)
            .and_then(Value::as_str)
            .is_some_and(|text| text.contains("{{"))
    };
    let places = arguments
        .iter()
        .filter(is_open)
        .filter_map(|name| filled.tool_args.get(*name)?.as_str());
    places
        .into_iter()
        .find(|place| !is_inside(directory, Path::new(place)))
}

/// Returns whether `path`, relative to `directory`, is inside it after resolving links. It may be
/// missing.
fn is_inside(directory: &Path, path: &Path) -> bool {
    let Ok(directory) = directory.canonicalize() else {
        return false;
    };
    resolve_links(&directory.join(path)).is_some_and(|place| place.starts_with(&directory))
}

/// Resolves links in the existing part of the path. Returns `None` if the missing part contains
/// `..`.
fn resolve_links(path: &Path) -> Option<PathBuf> {
    let mut there = path.to_path_buf();
    let mut missing: Vec<OsString> = Vec::new();
    loop {
        if let Ok(real) = there.canonicalize() {
            return Some(
                missing
                    .iter()
                    .rev()
                    .fold(real, |place, name| place.join(name)),
            );
        }
        // A dangling link could lead anywhere later.
        if there.is_symlink() {
            return None;
        }
        match there.components().next_back()? {
            Component::Normal(name) => missing.push(name.to_owned()),
            _ => return None,
        }
        there.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use serde_json::json;

    use super::*;

    fn call(tool: &str, name: &str, value: &str) -> ToolCall {
        ToolCall {
            tool_name: tool.to_owned(),
            tool_args: [(name.to_owned(), json!(value))].into_iter().collect(),
        }
    }

    #[test]
    fn values_cannot_escape_directory() {
        let place = tempfile::tempdir().expect("a folder");
        let work = place.path().join("work");
        fs::create_dir_all(work.join("inside")).expect("folders");
        fs::write(place.path().join("secret"), "x").expect("a file");
        symlink("..", work.join("up")).expect("a link");
        symlink("../secret", work.join("leak")).expect("a link");
        symlink("../not-there", work.join("dangling")).expect("a link");
        let within = work.join("inside/new.txt").display().to_string();
        for (value, strays) in [
            ("a.txt", false),
            ("inside/deep/new.txt", false),
            ("inside/../a.txt", false),
            (".", false),
            (within.as_str(), false),
            ("**/*.rs", false),
            ("../secret", true),
            ("inside/../../secret", true),
            ("nowhere/../../secret", true),
            ("/etc/passwd", true),
            ("up/secret", true),
            ("leak", true),
            ("dangling", true),
            ("dangling/x", true),
        ] {
            for (tool, name) in [
                ("read", "path"),
                ("write", "path"),
                ("glob", "pattern"),
                ("glob", "cwd"),
            ] {
                let (open, filled) = (
                    call(tool, name, "{{nodes.a.outputs.p}}"),
                    call(tool, name, value),
                );
                assert_eq!(
                    path_outside_directory(&open, &filled, &work).is_some(),
                    strays,
                    "{tool} {name} {value}"
                );
                assert_eq!(
                    path_outside_directory(&filled, &filled, &work),
                    None,
                    "the plan names {value}"
                );
            }
        }
        let shell = call("shell", "path", "/etc/passwd");
        assert_eq!(
            path_outside_directory(&call("shell", "path", "{{x}}"), &shell, &work),
            None
        );
    }
}
