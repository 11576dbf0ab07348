//! Secrets never reach a file of the session.

use std::fs;

use baton_keeper::{Ending, Event, Quote, Request, Stdin};

use crate::support::{Session, launch, receive, script};

const KEY: &str = "sk-ant-api03-Abcdefghijklmnop1234567890";

fn with_key(program: &str) -> baton_keeper::Launch {
    let mut launch = script(program);
    launch
        .env
        .insert("THE_API_KEY".to_owned(), "my-own-secret-value".to_owned());
    launch
        .env
        .insert("HARMLESS".to_owned(), "seen-by-everybody".to_owned());
    launch
}

#[test]
fn secrets_in_output_are_masked_in_every_file() {
    let mut session = Session::start(&with_key(&format!(
        "echo key $THE_API_KEY $HARMLESS; echo {KEY} >&2; printf 'no end: my-own-sec'; printf 'ret-value'"
    )));
    let exit = session.exit();
    assert_eq!(exit.ending, Ending::Exited { code: 0 });
    let read =
        |name: &str| String::from_utf8(fs::read(session.folder.join(name)).unwrap()).unwrap();
    assert_eq!(
        read("stdout"),
        "key [secret] seen-by-everybody\nno end: [secret]"
    );
    assert_eq!(read("stderr"), "[secret]\n");
    let told = read("launch.json");
    assert!(
        !told.contains("my-own-secret-value") && told.contains("seen-by-everybody"),
        "{told}"
    );
    assert_eq!(
        exit.stdout_bytes,
        read("stdout").len() as u64,
        "the record counts what is stored"
    );
}

#[test]
fn long_part_of_a_secret_is_held_until_more_follows() {
    let mut launch = with_key(&format!(
        "printf 'Name: my-own-sec'; echo held >&2; read x; printf 'ret-value, {}'; echo again >&2; read y; printf '{}'; exec sleep 60",
        &KEY[..12],
        &KEY[12..]
    ));
    launch.stdin = Stdin::Pipe;
    let mut session = Session::start(&launch);
    let stored = |session: &mut Session, whole: &str| {
        receive(&mut session.app, |event| match event {
            Event::Grew { stdout, stderr, .. } if stderr > 0 && stdout >= whole.len() as u64 => {
                Some(())
            }
            _ => None,
        });
        assert_eq!(session.stdout(), whole.as_bytes());
    };
    stored(&mut session, "Name: ");
    session
        .app
        .send(&Request::Input {
            key: "one".to_owned(),
            text: "\n".to_owned(),
        })
        .unwrap();
    stored(&mut session, "Name: [secret], ");
    session
        .app
        .send(&Request::Input {
            key: "two".to_owned(),
            text: "\n".to_owned(),
        })
        .unwrap();
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
    let whole = fs::read_to_string(session.folder.join("stdout")).unwrap();
    assert!(
        whole == "Name: [secret], [secret]" || whole == format!("Name: [secret], {}", &KEY[..12]),
        "{whole}"
    );
}

#[test]
fn short_part_of_a_secret_is_shown_after_a_delay() {
    let mut launch =
        with_key("printf 'Name: my-'; read x; printf 'own-secret-value!'; exec sleep 60");
    launch.stdin = Stdin::Pipe;
    let mut session = Session::start(&launch);
    let wait_for = |session: &mut Session, whole: &str| {
        receive(&mut session.app, |event| match event {
            Event::Grew { stdout, .. } if stdout >= whole.len() as u64 => Some(()),
            _ => None,
        });
        assert_eq!(session.stdout(), whole.as_bytes());
    };
    wait_for(&mut session, "Name: my-");
    session
        .app
        .send(&Request::Input {
            key: "one".to_owned(),
            text: "\n".to_owned(),
        })
        .unwrap();
    wait_for(&mut session, "Name: my-[secret]!");
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn held_part_is_stored_at_the_end() {
    let mut session = Session::start(&with_key("printf 'Name: my-own'"));
    session.exit();
    assert_eq!(session.stdout(), b"Name: my-own");
}

#[test]
fn secrets_in_arguments_and_first_messages_are_not_kept() {
    let mut launch = with_key(&format!("read line; test \"$line\" = {KEY} && echo whole"));
    launch.stdin = Stdin::Pipe;
    launch.first_input = vec![baton_keeper::Input::Text {
        key: "one".to_owned(),
        text: format!("{KEY}\n"),
    }];
    let mut session = Session::start(&launch);
    session.exit();
    assert_eq!(session.stdout(), b"whole\n", "the program has it");
    let told = fs::read_to_string(session.folder.join("launch.json")).unwrap();
    assert!(!told.contains(KEY), "{told}");
}

#[test]
fn launch_without_secrets_is_unchanged() {
    let mut session = Session::start(&launch(&["true"]));
    session.exit();
    assert!(!session.folder.join("launch.tmp").exists());
    baton_keeper::Launch::read(&session.folder).unwrap();
}

/// A program that asks with a JSON line, records the answer, and asks again.
fn asking(questions: &str) -> Session {
    let mut launch = with_key(&format!(
        "{questions}; echo asked; while IFS= read -r line; do printf '%s\\n' \"$line\" >> \"$ANSWERS\"; echo heard; done"
    ));
    let answers = tempfile::NamedTempFile::new()
        .unwrap()
        .into_temp_path()
        .keep()
        .unwrap();
    launch
        .env
        .insert("ANSWERS".to_owned(), answers.to_string_lossy().into_owned());
    launch.stdin = Stdin::Pipe;
    let session = Session::start(&launch);
    session.printed("asked");
    session
}

fn quote(key: &str, line: u64, pointer: &str) -> Request {
    let quote = Quote {
        before: "{\"take\":".to_owned(),
        line,
        pointer: pointer.to_owned(),
        after: "}\n".to_owned(),
        otherwise: "{\"refused\":true}\n".to_owned(),
    };
    Request::Quote {
        key: key.to_owned(),
        quote,
    }
}

/// The answers that the program received, after the end of its input.
fn answers(mut session: Session, requests: &[Request]) -> (String, String, String) {
    for request in requests {
        session.app.send(request).unwrap();
        receive(&mut session.app, |event| {
            matches!(event, Event::Accepted { .. }).then_some(())
        });
    }
    session
        .app
        .send(&Request::CloseInput {
            key: "close".to_owned(),
        })
        .unwrap();
    assert_eq!(session.exit().ending, Ending::Exited { code: 0 });
    let path = baton_keeper::Launch::read(&session.folder).unwrap().env["ANSWERS"].clone();
    let heard = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    let read = |name: &str| fs::read_to_string(session.folder.join(name)).unwrap();
    (heard, read("stdin.jsonl"), read("stdout"))
}

#[test]
fn quote_returns_the_unmasked_value_to_the_program_only() {
    let session = asking(&format!(
        r#"printf '%s\n' 'first [secret]' '{{"id":1,"input":{{"text":"{KEY}",  "n":1e999}}}}' '{{"id":2,"input":"[secret] my-own-secret-value"}}'"#
    ));
    let stored = session.stdout();
    let lines: Vec<u64> = (0..stored.len())
        .filter(|&at| at == 0 || stored[at - 1] == b'\n')
        .map(|at| at as u64)
        .collect();
    let (heard, record, stdout) = answers(
        session,
        &[
            quote("one", lines[1], "/input"),
            quote("one", lines[1], "/input"),
            quote("two", lines[2], "/input"),
            Request::Input {
                key: "words".to_owned(),
                text: "a mask is [secret]\n".to_owned(),
            },
        ],
    );
    let expected = [
        format!(r#"{{"take":{{"text":"{KEY}",  "n":1e999}}}}"#),
        r#"{"take":"[secret] my-own-secret-value"}"#.to_owned(),
        "a mask is [secret]".to_owned(),
    ];
    assert_eq!(heard.lines().collect::<Vec<_>>(), expected);
    for file in [record, stdout] {
        assert!(
            file.contains("[secret]")
                && !file.contains(KEY)
                && !file.contains("my-own-secret-value"),
            "{file}"
        );
    }
}

#[test]
fn unknown_quotes_use_the_fallback_message() {
    let session = asking("printf '%s\\n' '{\"input\":\"my-own-secret-value\"}'");
    let within = quote("within", 3, "/input");
    let nowhere = quote("nowhere", 1_000_000, "/input");
    let (heard, _, _) = answers(session, &[within, nowhere, quote("other", 0, "/output")]);
    assert_eq!(heard, "{\"refused\":true}\n".repeat(3));
}
