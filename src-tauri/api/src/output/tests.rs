use std::path::PathBuf;

use baton_keeper::{CLOCK, STDERR, STDOUT};
use baton_model::SessionId;

use super::*;
use crate::Role;
use crate::sessions::tests::{begin_plan, plan};

struct Home {
    app: std::sync::Arc<App>,
    session: SessionId,
    folder: PathBuf,
    _directory: tempfile::TempDir,
}

/// A session that printed this.
fn home(stdout: &[u8], stderr: &[u8]) -> Home {
    let directory = tempfile::tempdir().expect("temp dir");
    let keeper = std::env::current_exe().expect("current exe");
    let app = App::open_with_keeper(directory.path().to_path_buf(), Role::Cli, keeper);
    let app = app.expect("opens");
    let run = begin_plan(&app, plan(1));
    let row = &app
        .store
        .sessions()
        .list(Some(run), 1)
        .expect("stored")
        .rows[0];
    let (session, folder) = (row.id, app.store.data_dir().join(&row.folder));
    std::fs::create_dir_all(&folder).expect("new folder");
    std::fs::write(folder.join(STDOUT), stdout).expect("written");
    std::fs::write(folder.join(STDERR), stderr).expect("written");
    Home {
        app,
        session,
        folder,
        _directory: directory,
    }
}

fn record(at_ms: u64, stream: u8, length: u64) -> Vec<u8> {
    let mut bytes = at_ms.to_le_bytes().to_vec();
    bytes.extend([stream, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(length.to_le_bytes());
    bytes
}

fn rows(home: &Home, anchor: OutputAnchor, before: u32, after: u32) -> OutputWindowView {
    let session = home.session;
    let input = OutputWindow {
        session,
        anchor,
        before,
        after,
    };
    window(&home.app, input).expect("readable")
}

fn texts(view: &OutputWindowView) -> Vec<&str> {
    view.rows.iter().map(|row| row.text.as_str()).collect()
}

#[test]
fn rows_of_both_streams_follow_the_clock() {
    let home = home(b"one\ntwo\n", b"warning\n");
    let clock = [record(1, 1, 4), record(2, 2, 8), record(3, 1, 8)].concat();
    std::fs::write(home.folder.join(CLOCK), clock).expect("written");
    let view = rows(&home, OutputAnchor::Position { position: 0 }, 0, 10);
    assert_eq!(texts(&view), ["one", "warning", "two"]);
    assert_eq!(view.rows[1].at_ms, Some(2));
    assert!(view.at_start && view.at_end && !view.ended);
    assert_eq!((view.size, view.settled), (16, 16));
}

#[test]
fn growing_output_is_read_on() {
    let home = home(b"one\n", b"");
    assert_eq!(texts(&rows(&home, OutputAnchor::End, 10, 0)), ["one"]);
    let mut file = std::fs::File::options()
        .append(true)
        .open(home.folder.join(STDOUT))
        .expect("there");
    std::io::Write::write_all(&mut file, b"two\n3").expect("written");
    let view = rows(&home, OutputAnchor::End, 10, 0);
    assert_eq!(texts(&view), ["one", "two", "3"]);
    assert_eq!(view.settled, 0, "nothing was noted by the keeper");
}

#[test]
fn lines_are_found_once_counted() {
    let text: String = (1..=300_000).map(|line| format!("line {line}\n")).collect();
    let home = home(text.as_bytes(), b"");
    let input = OutputWindow {
        session: home.session,
        anchor: OutputAnchor::Line { line: 299_999 },
        before: 0,
        after: 1,
    };
    let error = window(&home.app, input.clone()).expect_err("not counted");
    assert_eq!(error.code, Code::NotFound);
    let session = SessionRef {
        session: home.session,
    };
    let counted = line_count(&home.app, session).expect("readable");
    assert_eq!(counted.lines, Some(300_000));
    let view = window(&home.app, input).expect("counted");
    assert_eq!(texts(&view), ["line 299999"]);
    assert_eq!(view.rows[0].line, Some(299_999));
}

#[test]
fn bad_expression_is_refused() {
    let home = home(b"one\n", b"");
    let search_for = |pattern| {
        search(
            &home.app,
            OutputSearch {
                session: home.session,
                pattern,
                from: 0,
                backwards: false,
                limit: 10,
            },
        )
    };
    let regex = |regex: &str| OutputPattern::Regex {
        regex: regex.to_owned(),
        case_sensitive: true,
    };
    let error = search_for(regex("(")).expect_err("invalid");
    assert_eq!(error.code, Code::BadInput);
    assert!(
        error.message.contains("unclosed group"),
        "{}",
        error.message
    );
    let found = search_for(regex("n.")).expect("valid");
    assert!(found.done);
    assert_eq!(
        (found.hits[0].row, found.hits[0].start, found.hits[0].end),
        (0, 1, 3)
    );
}

/// The session's own program must not lead readers elsewhere.
#[test]
fn linked_files_are_not_read() {
    let home = home(b"one\n", b"");
    std::fs::remove_file(home.folder.join(STDOUT)).expect("there");
    std::os::unix::fs::symlink("/etc/passwd", home.folder.join(STDOUT)).expect("linked");
    let input = OutputWindow {
        session: home.session,
        anchor: OutputAnchor::End,
        before: 1,
        after: 0,
    };
    let error = window(&home.app, input).expect_err("a link");
    assert_eq!(error.code, Code::Unavailable);
}
