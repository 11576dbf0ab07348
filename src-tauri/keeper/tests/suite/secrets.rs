//! Secrets never reach a file of the session.

use std::fs;

use baton_keeper::{Ending, Request};

use crate::support::{Session, launch, receive, script};

const KEY: &str = "sk-ant-api03-Abcdefghijklmnop1234567890";

fn with_key(program: &str) -> baton_keeper::Launch {
    let mut launch = script(program);
    launch.env.insert("THE_API_KEY".to_owned(), "my-own-secret-value".to_owned());
    launch.env.insert("HARMLESS".to_owned(), "seen-by-everybody".to_owned());
    launch
}

#[test]
fn what_a_program_tells_of_its_secrets_is_masked_in_every_file() {
    let mut session = Session::start(&with_key(&format!(
        "echo key $THE_API_KEY $HARMLESS; echo {KEY} >&2; printf 'no end: my-own-sec'; printf 'ret-value'"
    )));
    let exit = session.exit();
    assert_eq!(exit.ending, Ending::Exited { code: 0 });
    let read = |name: &str| String::from_utf8(fs::read(session.folder.join(name)).unwrap()).unwrap();
    assert_eq!(read("stdout"), "key [secret] seen-by-everybody\nno end: [secret]");
    assert_eq!(read("stderr"), "[secret]\n");
    let told = read("launch.json");
    assert!(!told.contains("my-own-secret-value") && told.contains("seen-by-everybody"), "{told}");
    assert_eq!(exit.stdout_bytes, read("stdout").len() as u64, "the record counts what is stored");
}

#[test]
fn a_prompt_that_begins_like_a_secret_is_shown_after_a_moment() {
    let mut session = Session::start(&with_key("printf 'Name: my-own'; exec sleep 60"));
    let whole = "Name: my-own".len() as u64;
    receive(&mut session.app, |event| match event {
        baton_keeper::Event::Grew { stdout, .. } if stdout == whole => Some(()),
        _ => None,
    });
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn a_session_without_secrets_keeps_its_launch_as_it_was() {
    let mut session = Session::start(&launch(&["true"]));
    session.exit();
    assert!(!session.folder.join("launch.tmp").exists());
    baton_keeper::Launch::read(&session.folder).unwrap();
}
