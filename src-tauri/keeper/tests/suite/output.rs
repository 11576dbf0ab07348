//! The program's output, byte by byte.

use std::fs::File;
use std::io::Read as _;

use baton_keeper::{ClockReader, Connection, Ending, Event, Request, Stream};

use crate::support::{DEADLINE, Session, exit, launch, receive, script};

#[test]
fn large_output_is_stored_complete_and_in_order() {
    let program =
        "import sys\nfor n in range(1024):\n sys.stdout.buffer.write(n.to_bytes(4,'big')*16384)";
    let mut session = Session::start(&launch(&["python3", "-c", program]));
    let exit = session.exit();
    assert_eq!(
        (exit.ending, exit.stdout_bytes),
        (Ending::Exited { code: 0 }, 64 << 20)
    );

    let mut file = File::open(session.folder.join("stdout")).unwrap();
    let mut block = vec![0; 65536];
    for number in 0_u32..1024 {
        file.read_exact(&mut block).unwrap();
        assert!(
            block.chunks(4).all(|four| four == number.to_be_bytes()),
            "block {number} differs"
        );
    }
    assert_eq!(file.read(&mut block).unwrap(), 0);
}

#[test]
fn binary_output_is_kept() {
    let program = r"import sys; b=bytes(range(256))*3; sys.stdout.buffer.write(b+b'no end'); sys.stderr.buffer.write(b'\x00\xff')";
    let mut session = Session::start(&launch(&["python3", "-c", program]));
    session.exit();
    let mut expected = (0..=255_u8).collect::<Vec<_>>().repeat(3);
    expected.extend_from_slice(b"no end");
    assert_eq!(session.stdout(), expected);
    assert_eq!(
        std::fs::read(session.folder.join("stderr")).unwrap(),
        [0, 255]
    );
}

#[test]
fn keeper_memory_stays_bounded() {
    let mut session = Session::start(&script("head -c 200000000 /dev/zero; exec sleep 60"));
    receive(&mut session.app, |event| match event {
        Event::Grew {
            stdout: 200_000_000,
            ..
        } => Some(()),
        _ => None,
    });
    let rollup =
        std::fs::read_to_string(format!("/proc/{}/smaps_rollup", session.keeper.id())).unwrap();
    let field = |name: &str| -> u64 {
        let line = rollup.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // Pages of the program file and of the C library are shared by all keepers, so they are not
    // counted.
    let own = field("Private_Dirty:") + field("Anonymous:");
    assert!(own < 3 * 1024, "{own} KiB\n{rollup}");
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn growth_events_are_sent_while_running() {
    let mut session = Session::start(&launch(&[
        "sh",
        "-c",
        "printf abc; printf de >&2; exec sleep 60",
    ]));
    let pid = receive(&mut session.app, |event| match event {
        Event::Hello { pid, .. } => Some(pid),
        _ => None,
    });
    receive(&mut session.app, |event| {
        (event
            == Event::Grew {
                stdout: 3,
                stderr: 2,
            })
        .then_some(())
    });

    let mut second = Connection::open(&session.folder).unwrap();
    second.set_read_timeout(Some(DEADLINE)).unwrap();
    assert_eq!(
        second.receive().unwrap(),
        Some(Event::Hello {
            pid,
            stdout: 3,
            stderr: 2
        })
    );
    second.send(&Request::Cancel).unwrap();
    assert_eq!(
        exit(&mut second),
        session.exit(),
        "both clients receive the same exit event"
    );
}

#[test]
fn growth_events_are_rate_limited() {
    let text = "i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done; exec sleep 60";
    let began = std::time::Instant::now();
    let mut session = Session::start(&script(text));
    let mut events = 0;
    loop {
        if let Some(Event::Grew { stdout, .. }) = session.app.receive().unwrap() {
            events += 1;
            if stdout
                == (0..3000)
                    .map(|n: u32| n.to_string().len() as u64 + 1)
                    .sum::<u64>()
            {
                break;
            }
        }
    }
    let most = began.elapsed().as_millis() / 10 + 3;
    assert!(events <= most, "{events} events, {most} at most");
    session.app.send(&Request::Cancel).unwrap();
    session.exit();
}

#[test]
fn clock_covers_all_output() {
    let text = "for i in 1 2 3 4 5; do echo $i; echo e >&2; sleep 0.03; done; printf last";
    let mut session = Session::start(&script(text));
    let exit = session.exit();
    let records: Vec<_> = ClockReader::open(&session.folder)
        .unwrap()
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (stream, length) in [
        (Stream::Stdout, exit.stdout_bytes),
        (Stream::Stderr, exit.stderr_bytes),
    ] {
        let own: Vec<_> = records
            .iter()
            .filter(|record| record.stream == stream)
            .collect();
        assert_eq!(own.last().unwrap().offset_after, length);
        assert!(own.is_sorted_by_key(|record| (record.unix_ms, record.offset_after)));
        assert!(
            own.first().unwrap().unix_ms >= exit.started_ms
                && own.last().unwrap().unix_ms <= exit.ended_ms
        );
        // One for each time that the program prints to the stream.
        assert!(own.len() <= 6, "{} records", own.len());
    }
}

#[test]
fn silent_session_creates_no_output_files() {
    let mut session = Session::start(&launch(&["true"]));
    let exit = session.exit();
    assert_eq!((exit.stdout_bytes, exit.stderr_bytes), (0, 0));
    assert!(ClockReader::open(&session.folder).unwrap().is_none());
    let mut files: Vec<_> = std::fs::read_dir(&session.folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["claim", "exit.json", "launch.json"]);
}

#[test]
fn output_file_is_private_and_created_on_first_byte() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut session = Session::start(&script("printf x >&2"));
    assert_eq!(session.exit().stderr_bytes, 1);
    assert!(!session.folder.join("stdout").exists());
    let stderr = std::fs::metadata(session.folder.join("stderr")).unwrap();
    assert_eq!(
        (stderr.len(), stderr.permissions().mode() & 0o777),
        (1, 0o600)
    );
}
