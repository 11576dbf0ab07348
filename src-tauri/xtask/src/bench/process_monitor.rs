//! Reads memory and written bytes of Baton's processes from /proc while they run.
//!
//! A keeper isn't a child of the command that started it, so that processes are found by their
//! program.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The highest figures of each process so far.
#[derive(Debug, Default)]
pub(crate) struct ProcessMonitor {
    seen: HashMap<u32, Figures>,
}

/// The figures of one process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    memory: u64,
    written: u64,
}

impl ProcessMonitor {
    /// Reads the figures of every running process of `programs`. Figures of exited processes are
    /// kept.
    pub(crate) fn sample(&mut self, programs: &[PathBuf]) {
        let Ok(entries) = fs::read_dir("/proc") else {
            return;
        };
        for entry in entries.flatten() {
            let Some(pid) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            let folder = entry.path();
            if !fs::read_link(folder.join("exe")).is_ok_and(|exe| programs.contains(&exe)) {
                continue;
            }
            let figures = Figures::read(&folder);
            let kept = self.seen.entry(pid).or_default();
            kept.memory = kept.memory.max(figures.memory);
            kept.written = kept.written.max(figures.written);
        }
    }

    /// The sum of all processes' peak resident memory, an upper bound of the actual peak.
    pub(crate) fn memory(&self) -> u64 {
        self.seen.values().map(|figures| figures.memory).sum()
    }

    /// The bytes that all processes passed to write calls: files, sockets and pipes.
    pub(crate) fn written(&self) -> u64 {
        self.seen.values().map(|figures| figures.written).sum()
    }
}

impl Figures {
    fn read(process: &Path) -> Self {
        let text = |name| fs::read_to_string(process.join(name)).unwrap_or_default();
        Self {
            memory: number(&text("status"), "VmHWM:").unwrap_or(0) * 1024,
            written: threads(process)
                .filter_map(|io| number(&io, "wchar:"))
                .sum(),
        }
    }
}

/// Returns the I/O statistics of each thread of a process.
///
/// Those of the process would include its reaped children, one of which is the program that prints
/// the gigabyte.
fn threads(process: &Path) -> impl Iterator<Item = String> {
    let threads = fs::read_dir(process.join("task"))
        .into_iter()
        .flatten()
        .flatten();
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("io")).ok())
}

/// Returns the number on the line that starts with `name`.
fn number(text: &str, name: &str) -> Option<u64> {
    text.lines()
        .find_map(|line| line.strip_prefix(name))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn own_process_is_sampled() -> anyhow::Result<()> {
        let mut monitor = ProcessMonitor::default();
        monitor.sample(&[std::env::current_exe()?]);
        assert!(
            monitor.memory() > 100_000,
            "a process has more than 100 kB of memory"
        );
        monitor.sample(&[PathBuf::from("/no/such/program")]);
        assert!(monitor.memory() > 100_000, "figures are kept");
        Ok(())
    }

    #[test]
    fn numbers_are_found_by_name() {
        let text = "VmPeak:\t  12 kB\nVmHWM:\t   3456 kB\n";
        assert_eq!(number(text, "VmHWM:"), Some(3456));
        assert_eq!(number(text, "VmRSS:"), None);
    }
}
