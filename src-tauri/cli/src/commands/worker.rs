//! `baton worker`.

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

/// Execute runs without a window, until Ctrl+C: those that were left, now and whenever one is left.
///
/// Runs of a window that is closed, of a shell that is killed, and of an executor that has been silent for too long go
/// on here. Their sessions live on throughout, and finished nodes are not run again. Any number of workers may serve
/// one data directory: each run is executed by one of them. When a worker ends, its sessions live on.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// End as soon as nothing is left to do; the exit codes are those of `baton run`.
    #[arg(long)]
    once: bool,
}

/// The least time between two looks: a run of many short nodes changes a thousand times in a second.
const MIN_LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// What a worker wakes for.
enum WorkerEvent {
    /// A run has changed.
    Changed(RunId),
    /// More has changed than is known.
    AllChanged,
    /// This process has nothing more to do for a run.
    Idle(RunId),
    /// The process shall end.
    End,
}

/// Executes what is left by others, until somebody ends it.
pub(crate) fn worker(client: &Client<'_>, args: &WorkerArgs) -> Result<Exit, Failure> {
    let mut worker = Worker::open(client)?;
    worker.announce()?;
    // One that was short may be over by now.
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
                client.output.note("the worker has ended; sessions live on");
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
    next_look: Instant,
    events: Receiver<WorkerEvent>,
    sender: Sender<WorkerEvent>,
}

impl<'a> Worker<'a> {
    fn open(client: &'a Client<'a>) -> Result<Self, Failure> {
        let (sender, events) = channel();
        watch_signals(sender.clone()).map_err(|source| Failure::System {
            doing: "listen to Ctrl+C",
            source,
        })?;
        watch_changes(client.app()?, sender.clone());
        Ok(Self {
            client,
            printers: HashMap::new(),
            changed: BTreeSet::new(),
            next_look: Instant::now(),
            events,
            sender,
        })
    }

    /// What it wakes for next; `None` when it is time to look at what has changed.
    fn next(&self) -> Option<WorkerEvent> {
        if self.changed.is_empty() {
            // The worker holds a sender itself, so the channel never closes.
            return self.events.recv().ok();
        }
        self.events
            .recv_timeout(self.next_look.saturating_duration_since(Instant::now()))
            .ok()
    }

    fn print_changed_runs(&mut self) -> Result<(), Failure> {
        self.next_look = Instant::now() + MIN_LOOK_INTERVAL;
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
        let hint = "it goes on with runs that others leave; Ctrl+C ends it";
        self.client
            .output
            .note(&format!("This worker is process {pid}; {hint}"));
        Ok(())
    }

    /// Tells what is new of a run, if this process executes it.
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

    /// Tells a run from where this process took it up, until it comes to rest.
    fn start_printing(&mut self, run: RunId) -> Result<(), Failure> {
        let view: RunView = self
            .client
            .ask("look at the run", "run_get", &RunRef { run })?;
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
        // Somebody may have taken it up again here meanwhile.
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
        // Why the work ended is in the run's state, which is told then.
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
