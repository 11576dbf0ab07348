//! Runs `baton` in a pseudo-terminal, as a person would use it.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};

use nix::pty::openpty;

/// A command in its own pseudo-terminal, with its output so far.
pub(crate) struct Terminal {
    child: Child,
    screen: File,
    printed: Vec<u8>,
}

impl Terminal {
    /// Starts `command` with colors turned off.
    pub(crate) fn start(mut command: Command) -> Self {
        let pair = openpty(None, None).expect("a terminal");
        // Duplicated descriptors are closed on exec. The original pair would stay open in keepers.
        let copy = |end: &OwnedFd| end.try_clone().expect("enough disk space");
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
        // The command also holds the other end. Its exit is only visible once it is closed here.
        drop(command);
        Self {
            child,
            screen: File::from(screen),
            printed: Vec::new(),
        }
    }

    /// Waits until the output contains `text`. Returns the whole output so far.
    pub(crate) fn wait_until(&mut self, text: &str) -> String {
        while !self.text().contains(text) {
            assert!(
                self.read(),
                "exited without printing {text:?}: {}",
                self.text()
            );
        }
        self.text()
    }

    /// Types a line.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.screen
            .write_all(format!("{line}\n").as_bytes())
            .expect("the command reads its input");
    }

    /// Waits for the command to exit. Returns its whole output.
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

    /// Reads more output. Returns false at the end, which a closed terminal reports as an error.
    fn read(&mut self) -> bool {
        let mut piece = [0; 4096];
        let count = self.screen.read(&mut piece).unwrap_or(0);
        self.printed.extend_from_slice(&piece[..count]);
        count > 0
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Already exited, unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
