//! `baton` at a terminal: a pseudo-terminal stands for the one at which a person sits.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};

use nix::pty::openpty;

/// A command at a terminal of its own, with all that it printed so far.
pub(crate) struct Terminal {
    child: Child,
    screen: File,
    printed: Vec<u8>,
}

impl Terminal {
    /// Starts `command`; it prints no colors.
    pub(crate) fn start(mut command: Command) -> Self {
        let pair = openpty(None, None).expect("a terminal");
        // Copies close when another program is started; the pair itself would live on in keepers.
        let copy = |end: &OwnedFd| end.try_clone().expect("room");
        let (screen, input, output, errors) = (
            copy(&pair.master),
            copy(&pair.slave),
            copy(&pair.slave),
            copy(&pair.slave),
        );
        drop(pair);
        let child = command
            .env("NO_COLOR", "1")
            .stdin(input)
            .stdout(output)
            .stderr(errors)
            .spawn();
        let child = child.expect("baton starts");
        // The command holds the other end too; its end is seen only once that is closed here.
        drop(command);
        Self {
            child,
            screen: File::from(screen),
            printed: Vec::new(),
        }
    }

    /// Waits until `text` is on the screen; all of it so far.
    pub(crate) fn wait_until(&mut self, text: &str) -> String {
        while !self.text().contains(text) {
            assert!(self.read(), "it ended without {text:?}: {}", self.text());
        }
        self.text()
    }

    /// Types a line.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.screen
            .write_all(format!("{line}\n").as_bytes())
            .expect("somebody reads");
    }

    /// Waits for its end; all that it printed.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        while self.read() {}
        (
            self.child.wait().expect("a child of this process"),
            self.text(),
        )
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.printed).replace('\r', "")
    }

    /// Reads on; whether there was more. A terminal that nobody holds any more says so by an error.
    fn read(&mut self) -> bool {
        let mut piece = [0; 4096];
        let count = self.screen.read(&mut piece).unwrap_or(0);
        self.printed.extend_from_slice(&piece[..count]);
        count > 0
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already, unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
