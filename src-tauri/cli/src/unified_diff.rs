//! The change to a file in the format of `git diff`, which `git apply` reads.

use std::fmt::Write as _;

use baton_agents::DiffHunk;
use baton_api::wire::*;
use baton_model::count::format_quantity;

use crate::style::Tone;

/// The lines of a file's change with their colors, and what is left out of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DiffText {
    pub(crate) lines: Vec<(String, Tone)>,
    pub(crate) note: Option<String>,
}

/// Renders the change to one file.
pub(crate) fn render_file(file: &FileDiffView) -> DiffText {
    let delta = &file.delta;
    let old = delta.from.as_deref().unwrap_or(&delta.path);
    let (old_name, new_name) = (quoted("a/", old), quoted("b/", &delta.path));
    let mut lines = vec![(format!("diff --git {old_name} {new_name}"), Tone::Strong)];
    let head = mode_lines(file).into_iter();
    lines.extend(head.map(|line| (line, Tone::Strong)));
    let (mut note, mut hunks) = (None, &[][..]);
    match &file.content {
        FileDiffContentView::Hunks { hunks: own } => hunks = own,
        FileDiffContentView::Binary => lines.push((
            format!("Binary files {old_name} and {new_name} differ"),
            Tone::Plain,
        )),
        FileDiffContentView::TooLarge { bytes } => {
            note = Some(format!(
                "too large to compare ({})",
                format_quantity(*bytes, "byte", "bytes")
            ));
        }
        FileDiffContentView::NotLoaded => note = Some("not loaded".to_owned()),
        FileDiffContentView::Missing => {
            note = Some("its content is not in this partial clone".to_owned());
        }
    }
    if !hunks.is_empty() {
        let side = |name: String, mode: &str| {
            if is_none(mode) {
                "/dev/null".into()
            } else {
                name
            }
        };
        lines.push((
            format!("--- {}", side(old_name, &file.old_mode)),
            Tone::Strong,
        ));
        lines.push((
            format!("+++ {}", side(new_name, &file.new_mode)),
            Tone::Strong,
        ));
        hunks.iter().for_each(|hunk| append_hunk(hunk, &mut lines));
    }
    DiffText { lines, note }
}

fn mode_lines(file: &FileDiffView) -> Vec<String> {
    let (old, new) = (&file.old_mode, &file.new_mode);
    let mut lines = match (is_none(old), is_none(new)) {
        (true, _) => vec![format!("new file mode {new}")],
        (_, true) => vec![format!("deleted file mode {old}")],
        _ if old != new => vec![format!("old mode {old}"), format!("new mode {new}")],
        _ => Vec::new(),
    };
    if let Some(from) = &file.delta.from {
        lines.push(format!("rename from {}", quoted("", from)));
        lines.push(format!("rename to {}", quoted("", &file.delta.path)));
    }
    lines
}

fn append_hunk(hunk: &DiffHunk, lines: &mut Vec<(String, Tone)>) {
    let count = |other: char| {
        let is_on_side = |line: &&String| !line.starts_with([other, '\\']);
        hunk.lines.iter().filter(is_on_side).count()
    };
    let (old, new) = (count('+'), count('-'));
    let head = format!("@@ -{},{old} +{},{new} @@", hunk.old_start, hunk.new_start);
    lines.push((head, Tone::Active));
    for line in &hunk.lines {
        let tone = match line.chars().next() {
            Some('+') => Tone::Good,
            Some('-') => Tone::Bad,
            _ => Tone::Plain,
        };
        lines.push((line.clone(), tone));
    }
}

/// Whether there is no file with this mode.
fn is_none(mode: &str) -> bool {
    mode.chars().all(|digit| digit == '0')
}

/// A path as git writes it: in quotes if it contains special characters.
fn quoted(prefix: &str, path: &str) -> String {
    let is_special = |letter: char| letter.is_control() || letter == '"' || letter == '\\';
    if !path.contains(is_special) {
        return format!("{prefix}{path}");
    }
    let mut name = format!("\"{prefix}");
    for letter in path.chars() {
        match letter {
            '"' | '\\' => name.extend(['\\', letter]),
            '\n' => name.push_str("\\n"),
            '\t' => name.push_str("\\t"),
            letter if letter.is_control() => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(name, "\\{byte:03o}");
                }
            }
            letter => name.push(letter),
        }
    }
    name + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, modes: [&str; 2], content: FileDiffContentView) -> FileDiffView {
        let [old_mode, new_mode] = modes.map(str::to_owned);
        FileDiffView {
            delta: FileDeltaView {
                path: path.to_owned(),
                change: FileDeltaKind::Changed,
                from: None,
                added: None,
                removed: None,
            },
            old_mode,
            new_mode,
            shared: false,
            content,
        }
    }

    fn hunks(old_start: u32, new_start: u32, lines: &[&str]) -> FileDiffContentView {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        FileDiffContentView::Hunks {
            hunks: vec![DiffHunk {
                old_start,
                new_start,
                lines,
            }],
        }
    }

    fn text(file: &FileDiffView) -> String {
        let lines = render_file(file).lines.into_iter();
        lines.map(|(line, _)| line + "\n").collect()
    }

    #[test]
    fn changes_are_rendered_as_git_does() {
        let (none, plain, script) = ("000000", "100644", "100755");
        let edit = hunks(4, 4, &[" a", "-b", "+c", "\\ No newline at end of file"]);
        let mut moved = file("new", [plain, script], hunks(1, 1, &["-a", "+b"]));
        moved.delta.from = Some("old".to_owned());
        let table = [
            (
                file("a.rs", [plain, plain], edit),
                "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -4,2 +4,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n",
            ),
            (
                file("n", [none, script], hunks(0, 1, &["+x"])),
                "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,1 @@\n+x\n",
            ),
            (
                file("d", [plain, none], hunks(1, 0, &["-x"])),
                "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
            ),
            (
                moved,
                "diff --git a/old b/new\nold mode 100644\nnew mode 100755\nrename from old\nrename to new\n--- a/old\n+++ b/new\n@@ -1,1 +1,1 @@\n-a\n+b\n",
            ),
            (
                file("i", [plain, plain], FileDiffContentView::Binary),
                "diff --git a/i b/i\nBinary files a/i and b/i differ\n",
            ),
            (
                file("a\"\n", [plain, plain], hunks(1, 1, &["-a", "+b"])),
                "diff --git \"a/a\\\"\\n\" \"b/a\\\"\\n\"\n--- \"a/a\\\"\\n\"\n+++ \"b/a\\\"\\n\"\n@@ -1,1 +1,1 @@\n-a\n+b\n",
            ),
        ];
        for (file, expected) in table {
            assert_eq!(text(&file), expected);
        }
    }

    #[test]
    fn what_is_left_out_is_noted() {
        let modes = ["100644", "100644"];
        let table = [
            (
                FileDiffContentView::TooLarge { bytes: 2_000_000 },
                "too large to compare (2,000,000 bytes)",
            ),
            (FileDiffContentView::NotLoaded, "not loaded"),
            (
                FileDiffContentView::Missing,
                "its content is not in this partial clone",
            ),
        ];
        for (content, note) in table {
            let text = render_file(&file("a", modes, content));
            assert_eq!(text.note.as_deref(), Some(note));
        }
    }
}
