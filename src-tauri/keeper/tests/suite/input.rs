//! The program's input.

use baton_keeper::{Ending, Event, Input, Refusal, Request, SignalName, Stdin};

use crate::support::{Session, launch, receive, script};

fn text(key: &str, text: &str) -> Request {
    Request::Input {
        key: key.into(),
        text: text.into(),
    }
}

fn answer(session: &mut Session) -> Event {
    receive(&mut session.app, |event| match event {
        Event::Accepted { .. } | Event::Refused { .. } => Some(event),
        _ => None,
    })
}

fn conversation() -> Session {
    let mut launch = launch(&["cat"]);
    launch.stdin = Stdin::Pipe;
    launch.first_input = vec![Input::Text {
        key: "first".into(),
        text: "one\n".into(),
    }];
    Session::start(&launch)
}

#[test]
fn a_key_sent_twice_is_read_once() {
    let mut session = conversation();
    for request in [
        text("first", "one\n"),
        text("second", "two ü\0\n"),
        text("second", "two again\n"),
    ] {
        session.app.send(&request).unwrap();
        assert!(
            matches!(answer(&mut session), Event::Accepted { .. }),
            "a repeated key is accepted, without effect"
        );
    }
    session
        .app
        .send(&Request::CloseInput {
            key: "close".into(),
        })
        .unwrap();
    assert_eq!(
        answer(&mut session),
        Event::Accepted {
            key: "close".into()
        }
    );
    assert_eq!(session.exit().ending, Ending::Exited { code: 0 });

    assert_eq!(session.stdout(), "one\ntwo ü\0\n".as_bytes());
    let record = std::fs::read_to_string(session.folder.join("stdin.jsonl")).unwrap();
    let keys: Vec<_> = record
        .lines()
        .map(|line| {
            serde_json::from_str::<Input>(line)
                .unwrap()
                .key()
                .to_owned()
        })
        .collect();
    assert_eq!(keys, ["first", "second", "close"]);
}

#[test]
fn input_after_close_is_refused() {
    let mut launch = script("cat; echo end; exec sleep 60");
    launch.stdin = Stdin::Pipe;
    launch.first_input = vec![Input::Close {
        key: "close".into(),
    }];
    let mut session = Session::start(&launch);
    session.printed("end");
    session.app.send(&text("late", "x")).unwrap();
    let refused = |reason| Event::Refused {
        key: Some("late".into()),
        reason,
    };
    assert_eq!(answer(&mut session), refused(Refusal::InputClosed));
    session
        .app
        .send(&Request::CloseInput {
            key: "close".into(),
        })
        .unwrap();
    assert_eq!(
        answer(&mut session),
        Event::Accepted {
            key: "close".into()
        },
        "an old key stays accepted"
    );
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn input_is_refused_without_stdin() {
    let mut session = Session::start(&launch(&["sleep", "60"]));
    session.app.send(&text("k", "x")).unwrap();
    assert_eq!(
        answer(&mut session),
        Event::Refused {
            key: Some("k".into()),
            reason: Refusal::InputClosed
        }
    );
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn large_message_arrives_complete() {
    let mut launch = script("sleep 0.2; wc -c");
    launch.stdin = Stdin::Pipe;
    let mut session = Session::start(&launch);
    session
        .app
        .send(&text("large", &"x".repeat(5_000_000)))
        .unwrap();
    session
        .app
        .send(&Request::CloseInput {
            key: "close".into(),
        })
        .unwrap();
    session.exit();
    assert_eq!(
        String::from_utf8(session.stdout()).unwrap().trim(),
        "5000000"
    );
}

#[test]
fn program_that_never_reads_is_terminated() {
    let mut launch = launch(&["sleep", "60"]);
    launch.stdin = Stdin::Pipe;
    let mut session = Session::start(&launch);
    session
        .app
        .send(&text("large", &"x".repeat(1_000_000)))
        .unwrap();
    assert!(matches!(answer(&mut session), Event::Accepted { .. }));
    session.app.send(&Request::Cancel).unwrap();
    assert_eq!(session.exit().ending, Ending::Signaled { signal: 15 });
}

#[test]
fn signal_reaches_only_the_program() {
    let text = "trap 'echo interrupted' INT; sleep 60 & echo child $!; while :; do wait; done";
    let mut session = Session::start(&script(text));
    let child: i32 = session.printed("child ").parse().unwrap();
    session
        .app
        .send(&Request::Signal {
            signal: SignalName::Int,
        })
        .unwrap();
    session.printed("interrupted");
    assert!(crate::support::runs(child));
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn malformed_request_is_refused() {
    use std::io::Write as _;
    let mut session = conversation();
    receive(&mut session.app, |event| {
        matches!(event, Event::Hello { .. }).then_some(())
    });
    let mut stream = baton_keeper::connect(&session.folder).unwrap();
    stream
        .write_all(b"{\"op\":\"dance\"}\nno json\n{\"op\":\"cancel\"}\n")
        .unwrap();
    let mut second = crate::support::connection(stream);
    for _ in 0..2 {
        let refused = receive(&mut second, |event| {
            matches!(event, Event::Refused { .. }).then_some(event)
        });
        assert_eq!(
            refused,
            Event::Refused {
                key: None,
                reason: Refusal::Malformed
            }
        );
    }
    assert_eq!(session.exit().cause, Some(baton_keeper::Cause::Cancelled));
}
