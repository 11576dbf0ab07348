//! Tests `baton serve` with hostile clients and other users on the machine.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use baton_api::wire::{SessionView, SessionsFilter};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{WAIT_TIMEOUT, program};
use baton_tests::{Shell, TestEnvironment, processes};
use serde_json::Value;

struct Served {
    running: RunningCommand,
    port: u16,
    token: String,
}

impl Served {
    /// Starts `command` and reads the address from its first line.
    fn start(command: Command) -> Self {
        let mut running = RunningCommand::new(command);
        let printed: Value =
            serde_json::from_str(&running.next_line().expect("the server prints its address"))
                .expect("JSON");
        let port = printed["port"]
            .as_u64()
            .and_then(|port| u16::try_from(port).ok())
            .expect("a port");
        Self {
            running,
            port,
            token: printed["token"].as_str().expect("a token").to_owned(),
        }
    }

    fn connect(&self, words: &str) -> TcpStream {
        let mut stream =
            TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("the server is listening");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        stream
            .write_all(words.as_bytes())
            .expect("the server reads");
        stream
    }

    fn about(&self) -> String {
        let (port, token) = (self.port, &self.token);
        let mut stream = self.connect(&format!(
            "POST /api/operations/about HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n\
             content-length: 0\r\nconnection: close\r\n\r\n"
        ));
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server responds");
        answer
    }

    fn end(self) {
        processes::signal("-TERM", self.running.pid());
        let (status, _) = self.running.end();
        assert!(status.success(), "{status}");
    }
}

#[test]
fn output_of_a_session_is_downloaded() {
    let env = TestEnvironment::new();
    let plan = "baton: 1\ntitle: Print\ncwd: .\nnodes:\n  \
                - {id: print, title: 'Print \"it\"; now', kind: command, command: 'seq 100000; echo no >&2'}\n";
    let run = env.finish(env.start(plan).summary.id).summary.id;
    let filter = SessionsFilter {
        run: Some(run),
        limit: 1,
    };
    let sessions: Vec<SessionView> = env.call("sessions_list", filter).expect("sessions");
    let served = Served::start(Shell::new(&env).baton(&["serve", "--json"]));
    let (port, token) = (served.port, &served.token);
    let printed: String = (1..=100_000).map(|number| format!("{number}\n")).collect();
    for (stream, expected) in [("stdout", printed.as_str()), ("stderr", "no\n")] {
        let mut connection = served.connect(&format!(
            "GET /api/sessions/{}/output/{stream} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\
             authorization: Bearer {token}\r\nconnection: close\r\n\r\n",
            sessions[0].id
        ));
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("a response");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let name =
            format!("content-disposition: attachment; filename=\"Print-it-now-{stream}.log\"");
        assert!(head.contains(&name), "{head}");
        assert!(
            head.contains("content-type: application/octet-stream"),
            "{head}"
        );
        assert!(
            head.contains(&format!("content-length: {}", expected.len())),
            "{head}"
        );
        assert!(body == expected, "{stream}");
    }
    served.end();
}

#[test]
fn half_open_connections_do_not_block_clients() {
    let env = TestEnvironment::new();
    let line = format!(
        "ulimit -n 256; exec '{}' serve --json --data-dir \"$1\"",
        program("baton").display()
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &line, "sh"])
        .arg(env.data())
        .env_remove("SHELL")
        .stdin(Stdio::null());
    let served = Served::start(command);
    let before = served.about();
    assert!(before.starts_with("HTTP/1.1 200 "), "{before}");
    let silent: Vec<TcpStream> = (0..350)
        .map(|_| served.connect("POST /api/operations/about HTTP/1.1\r\nhost: 127"))
        .collect();
    for _ in 0..5 {
        let answer = served.about();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    drop(silent);
    served.end();
}

#[test]
fn token_is_not_in_browser_arguments() {
    let env = TestEnvironment::new();
    let tools = tempfile::tempdir().expect("enough disk space");
    let (opener, arguments_file) = (tools.path().join("xdg-open"), tools.path().join("told"));
    std::fs::write(
        &opener,
        format!(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{0}.half'; mv '{0}.half' '{0}'\n",
            arguments_file.display()
        ),
    )
    .expect("enough disk space");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755))
        .expect("the file is executable");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Shell::new(&env).baton(&["serve", "--open", "--json"]);
    command.env("PATH", format!("{}:{path}", tools.path().display()));
    let served = Served::start(command);
    let arguments = processes::wait("a browser is opened", || {
        std::fs::read_to_string(&arguments_file).map_err(|error| error.to_string())
    });
    assert!(!arguments.contains(&served.token), "{arguments}");
    let page = PathBuf::from(arguments.trim());
    let content = std::fs::read_to_string(&page).expect("the page exists");
    assert!(
        content.contains(&format!(
            "http://127.0.0.1:{}/#token={}",
            served.port, served.token
        )),
        "{content}"
    );
    assert_eq!(
        page.metadata().expect("the page exists").mode() & 0o777,
        0o600
    );
    served.end();
    assert!(!page.exists(), "the page is deleted with the server");
}

/// The notices are embedded, however the program was installed.
#[test]
fn program_contains_third_party_notices() {
    let env = TestEnvironment::new();
    let printed = Shell::new(&env).run(&["licenses"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(
        printed.out.starts_with("Third-party notices\n"),
        "{:.200}",
        printed.out
    );
    // A crate, a package of the interface, a font, and license text.
    for line in [
        "serde 1.",
        "react 1",
        "@fontsource-variable/inter ",
        "MIT License",
    ] {
        assert!(
            printed.out.lines().any(|found| found.starts_with(line)),
            "{line}"
        );
    }
    let mut command = Command::new(program("baton"));
    command
        .args(["serve", "--port", "0", "--json", "--data-dir"])
        .arg(env.data())
        .stdin(Stdio::null());
    let served = Served::start(command);
    let port = served.port;
    let mut stream = served.connect(&format!(
        "GET /THIRD-PARTY-NOTICES.txt HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n"
    ));
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the server responds");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    assert!(
        head.contains("content-type: text/plain; charset=utf-8"),
        "{head}"
    );
    assert!(
        body == printed.out,
        "the server and the shell have the same notices"
    );
    served.end();
}
