//! `baton worker`: executes runs that have no live executor.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use baton_api::App;
use baton_api::wire::*;
use baton_model::RunId;
use clap::Args;
use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::follow::RunPrinter;

/// Execute runs without a window
///
/// The worker takes over runs whose window was closed, whose shell was killed, or whose executor
/// has been silent for too long. Their sessions keep running meanwhile, and finished nodes don't
/// run again. Several workers can share a data directory; each run has one executor. Ctrl+C stops
/// the worker. Its sessions keep running.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Exit when nothing is left to do, with the exit codes of `baton run`
    #[arg(long)]
    once: bool,
}

/// Minimum time between two reads of the history. A run with many short nodes can change a thousand
/// times per second.
const MIN_READ_INTERVAL: Duration = Duration::from_millis(50);

/// What wakes a worker up.
enum WorkerEvent {
    /// The history of a run may have grown.
    Changed(RunId),
    /// Any run may have changed.
    AllChanged,
    /// This process has nothing left to do for a run.
    Idle(RunId),
    /// The process received a signal to end.
    End,
}

/// Executes `baton worker`. Returns on a signal, or with `--once` when no runs are left.
pub(crate) fn worker(client: &Client<'_>, args: &WorkerArgs) -> Result<Exit, Failure> {
    let mut worker = Worker::open(client)?;
    worker.announce()?;
    // Print adopted runs that may already have ended, too.
    for &run in client.app()?.adopted() {
        worker.start_printing(run)?;
    }
    let mut worst = Exit::Done;
    while !(args.once && worker.printers.is_empty()) {
        match worker.next() {
            None => worker.print_changed_runs()?,
            Some(WorkerEvent::Changed(run)) => drop(worker.changed.insert(run)),
            Some(WorkerEvent::AllChanged) => worker.changed.extend(client.app()?.executing_runs()),
            Some(WorkerEvent::Idle(run)) => match worker.finish_run(run)? {
                Exit::Done => {}
                exit => worst = exit,
            },
            Some(WorkerEvent::End) => {
                client.output.note("Worker stopped. Sessions keep running.");
                return Ok(Exit::Done);
            }
        }
    }
    Ok(if args.once { worst } else { Exit::Done })
}

struct Worker<'a> {
    client: &'a Client<'a>,
    printers: HashMap<RunId, RunPrinter<'a>>,
    changed: BTreeSet<RunId>,
    next_read: Instant,
    events: Receiver<WorkerEvent>,
    sender: Sender<WorkerEvent>,
}

impl<'a> Worker<'a> {
    fn open(client: &'a Client<'a>) -> Result<Self, Failure> {
        let (sender, events) = channel();
        watch_signals(sender.clone()).map_err(|source| Failure::System {
            doing: "listen for Ctrl+C",
            source,
        })?;
        watch_changes(client.app()?, sender.clone());
        Ok(Self {
            client,
            printers: HashMap::new(),
            changed: BTreeSet::new(),
            next_read: Instant::now(),
            events,
            sender,
        })
    }

    /// Waits for the next event. `None` when it is time to read the changed runs.
    fn next(&self) -> Option<WorkerEvent> {
        if self.changed.is_empty() {
            // The worker holds a sender itself, so the channel never closes.
            return self.events.recv().ok();
        }
        self.events
            .recv_timeout(self.next_read.saturating_duration_since(Instant::now()))
            .ok()
    }

    fn print_changed_runs(&mut self) -> Result<(), Failure> {
        self.next_read = Instant::now() + MIN_READ_INTERVAL;
        std::mem::take(&mut self.changed)
            .into_iter()
            .try_for_each(|run| self.print_new_events(run))
    }

    fn announce(&self) -> Result<(), Failure> {
        let pid = std::process::id();
        if self.client.output.json {
            return self
                .client
                .output
                .json(&json!({ "worker": { "pid": pid } }));
        }
        self.client.output.note(&format!(
            "Worker started (process {pid}). Press Ctrl+C to stop."
        ));
        Ok(())
    }

    /// Prints a run's new events, if this process executes it.
    fn print_new_events(&mut self, run: RunId) -> Result<(), Failure> {
        if let Some(printer) = self.printers.get_mut(&run) {
            return printer.catch_up();
        }
        if self.client.app()?.executes(run) {
            self.start_printing(run)
        } else {
            Ok(())
        }
    }

    /// Prints a run from where this process took it over, until it has nothing left to do.
    fn start_printing(&mut self, run: RunId) -> Result<(), Failure> {
        let view: RunView = self
            .client
            .ask("load the run", "run_get", &RunRef { run })?;
        let mut printer = RunPrinter::for_worker(self.client, &view)?;
        printer.catch_up()?;
        self.printers.insert(run, printer);
        watch_idle(Arc::clone(self.client.app()?), run, self.sender.clone());
        Ok(())
    }

    fn finish_run(&mut self, run: RunId) -> Result<Exit, Failure> {
        let Some(mut printer) = self.printers.remove(&run) else {
            return Ok(Exit::Done);
        };
        printer.catch_up()?;
        let exit = printer.finish()?;
        // The run may have been resumed in this process in the meantime.
        self.print_new_events(run)?;
        Ok(exit)
    }
}

fn watch_changes(app: &App, sender: Sender<WorkerEvent>) {
    let changes = app.changes();
    thread::spawn(move || {
        while let Some(change) = changes.recv() {
            let wake = match change {
                Change::Run { run, .. } => WorkerEvent::Changed(run),
                Change::All => WorkerEvent::AllChanged,
                _ => continue,
            };
            if sender.send(wake).is_err() {
                return;
            }
        }
    });
}

fn watch_idle(app: Arc<App>, run: RunId, sender: Sender<WorkerEvent>) {
    thread::spawn(move || {
        // An error is also part of the run's state, which is printed then.
        drop(app.wait_for_run(run));
        sender.send(WorkerEvent::Idle(run)).unwrap_or_default();
    });
}

fn watch_signals(sender: Sender<WorkerEvent>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for _ in &mut signals {
            if sender.send(WorkerEvent::End).is_err() {
                return;
            }
        }
    });
    Ok(())
}
