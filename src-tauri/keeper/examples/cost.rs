//! `cost KEEPER SESSIONS AT_ONCE PROGRAM…`: what a session costs, from writing `launch.json` to the
//! exit event. With `--sandbox` before the program, it runs in one.
//!
//! Measures wall time; for processor time run it under `perf stat` or the shell's `time`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use baton_keeper::{Connection, Event, Launch, Sandbox, Stdin, spawn};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [keeper, sessions, at_once, program @ ..] = arguments.as_slice() else {
        return Err("usage: cost KEEPER SESSIONS AT_ONCE PROGRAM…".into());
    };
    let (is_confined, program) = match program {
        [flag, program @ ..] if flag == "--sandbox" => (true, program),
        program => (false, program),
    };
    let (sessions, at_once): (usize, usize) = (sessions.parse()?, at_once.parse()?);
    let home = tempfile::tempdir()?;
    let env: BTreeMap<String, String> = std::env::vars().collect();
    let launch = Launch {
        argv: program.to_vec(),
        cwd: PathBuf::from("/"),
        env,
        mark: "cost".into(),
        stdin: Stdin::Null,
        first_input: Vec::new(),
        timeout_ms: None,
        grace_ms: 3000,
        sandbox: is_confined.then(|| Sandbox {
            hidden: home.path().to_owned(),
            ..Sandbox::default()
        }),
    };

    let began = Instant::now();
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..at_once)
            .map(|lane| {
                let (launch, home) = (&launch, home.path());
                scope.spawn(move || {
                    let own = (lane..sessions).step_by(at_once);
                    own.into_iter().try_for_each(|number| {
                        session(Path::new(keeper), &home.join(number.to_string()), launch)
                    })
                })
            })
            .collect();
        lanes
            .into_iter()
            .try_for_each(|lane| lane.join().map_err(|_| "a lane panicked")?)
    })?;
    let each = began.elapsed().as_micros() / sessions.max(1) as u128;
    Ok(writeln!(
        std::io::stdout(),
        "{each} µs a session, {at_once} at once"
    )?)
}

fn session(keeper: &Path, folder: &Path, launch: &Launch) -> Outcome<()> {
    std::fs::create_dir(folder)?;
    let output = launch.sandbox.as_ref().map(|_| folder.join("output"));
    let sandbox = launch
        .sandbox
        .clone()
        .map(|sandbox| Sandbox { output, ..sandbox });
    Launch {
        sandbox,
        ..launch.clone()
    }
    .write(folder)?;
    let (mut child, stream) = spawn(keeper, folder)?;
    let mut events = Connection::new(stream);
    while let Some(event) = events.receive()? {
        if let Event::Exited { exit } = event
            && exit.ending != (baton_keeper::Ending::Exited { code: 0 })
        {
            return Err(format!("{exit:?}").into());
        }
    }
    child.wait()?;
    Ok(())
}
