//! Tests whether a sandbox works on this machine, with a session that tries to escape from it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::Duration;

use crate::connection::Connection;
use crate::exit::{Ending, Exit};
use crate::launch::{Launch, Stdin};
use crate::protocol::Event;
use crate::sandbox::{Confinement, Sandbox};
use crate::spawn::spawn;

/// The result of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxProbe {
    /// The program could not access foreign data, and could access its own.
    Holds {
        /// Whether it could signal only its own descendants.
        holds_signals: bool,
    },
    /// The system does not allow sandboxes: sessions run without one.
    Forbidden {
        /// The operation that was refused, with the system's message.
        detail: String,
    },
    /// The system allows sandboxes, but they do not work: sessions do not start.
    Broken {
        /// A description of the failure.
        detail: String,
    },
}

/// The script of the test program; it exits with 0 if everything is as expected.
const PROBE_SCRIPT: &str = "! cat ../data/secret && ! touch ../data/new && ! touch ../repo/.git/hooks/new && \
                       ! umount ../data && echo kept > \"$OUTPUT\" && test -d ../repo/.git";
/// Far more than such a short session takes.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs a sandboxed session in `folder`, which must not exist and is removed again.
pub fn probe_sandbox(keeper: &Path, folder: &Path) -> io::Result<SandboxProbe> {
    fs::DirBuilder::new().mode(0o700).create(folder)?;
    let probed = try_in(keeper, folder);
    let removed = fs::remove_dir_all(folder);
    let probe = probed?;
    removed.map(|()| probe)
}

fn try_in(keeper: &Path, folder: &Path) -> io::Result<SandboxProbe> {
    let folder = folder.canonicalize()?;
    let own = folder.join("data/sessions/probe");
    for needed in [
        own.as_path(),
        &folder.join("repo/.git"),
        &folder.join("work"),
    ] {
        fs::create_dir_all(needed)?;
    }
    fs::write(folder.join("data/secret"), "secret")?;
    let output = own.join("output");
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
    let output_text = output.display().to_string();
    let launch = Launch {
        argv: ["/bin/sh", "-c", PROBE_SCRIPT].map(str::to_owned).to_vec(),
        cwd: folder.join("work"),
        env: BTreeMap::from([
            ("PATH".to_owned(), path),
            ("OUTPUT".to_owned(), output_text),
        ]),
        mark: format!("sandbox-probe-{}", std::process::id()),
        stdin: Stdin::Null,
        first_input: Vec::new(),
        timeout_ms: Some(u64::try_from(PROBE_TIMEOUT.as_millis()).unwrap_or(u64::MAX)),
        grace_ms: 100,
        sandbox: Some(Sandbox {
            hidden: folder.join("data"),
            output: Some(output.clone()),
            read_only: vec![folder.join("repo/.git/hooks")],
            ..Sandbox::default()
        }),
    };
    launch.write(&own).map_err(io::Error::other)?;
    let exit = run(keeper, &own)?;
    Ok(judge(
        &exit,
        fs::read(&output).is_ok_and(|text| text == b"kept\n"),
    ))
}

fn run(keeper: &Path, folder: &Path) -> io::Result<Exit> {
    let (mut child, stream) = spawn(keeper, folder).map_err(io::Error::other)?;
    let mut connection = Connection::new(stream);
    connection.set_read_timeout(Some(2 * PROBE_TIMEOUT))?;
    let exit = loop {
        match connection.receive().map_err(io::Error::other)? {
            Some(Event::Exited { exit }) => break exit,
            Some(_) => {}
            None => return Err(io::Error::other("the keeper ended without a record")),
        }
    };
    child.wait()?;
    Ok(exit)
}

fn judge(exit: &Exit, has_written: bool) -> SandboxProbe {
    match (&exit.confinement, &exit.ending) {
        (Confinement::Forbidden { step, detail }, _) => SandboxProbe::Forbidden {
            detail: format!("couldn't {step}: {detail}"),
        },
        (Confinement::Held { holds_signals }, Ending::Exited { code: 0 }) if has_written => {
            SandboxProbe::Holds {
                holds_signals: *holds_signals,
            }
        }
        (_, Ending::NotStarted { detail, .. }) => SandboxProbe::Broken {
            detail: detail.clone(),
        },
        _ => SandboxProbe::Broken {
            detail: "a program in it could access hidden files, or couldn't access its own"
                .to_owned(),
        },
    }
}
