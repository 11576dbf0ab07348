//! Which file events the indexer treats as changes. The watcher reports events in order, so a
//! file that is moved into place last marks the end of the earlier ones.

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;
use crate::Library;

const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT, directory TEXT, version TEXT, parent_id TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
    INSERT INTO session VALUES ('ses_1', 'Pears', '/p', '1.18.33', NULL, 1000, 1);";

/// A home directory, and an indexer that the test drives step by step.
struct Bench {
    home: TempDir,
    inner: Arc<Inner>,
    woken: Receiver<Wake>,
    watch: RootWatcher,
    databases: DatabaseSnapshots,
    notifier: ChangeNotifier,
    connection: Connection,
    marks: u32,
}

impl Bench {
    /// With an opencode database that no process has open.
    fn new(on_change: impl Fn(Vec<String>) + Send + 'static) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        for folder in [".local/share/opencode", ".claude/projects/-p", "data"] {
            fs::create_dir_all(home.path().join(folder)).expect("room");
        }
        let library = Library::new(
            &home.path().join("data"),
            HistoryLocations::discover(home.path(), |_| None),
        );
        let inner = Arc::clone(&library.inner);
        let (wake, woken) = channel();
        let mut watch = RootWatcher::new(wake).expect("a watcher");
        write(&database(&home), TABLES, 7200);
        watch.watch_roots(&inner.locations);
        let notifier =
            ChangeNotifier::new(Box::new(on_change), IndexFiles::new(inner.index.path()));
        let connection = inner.index.writer().expect("an index");
        Self {
            home,
            inner,
            woken,
            watch,
            databases: DatabaseSnapshots::default(),
            notifier,
            connection,
            marks: 0,
        }
    }

    fn pass(&mut self, changes: &PendingChanges) {
        update_index(
            &self.inner,
            &self.connection,
            changes,
            &mut self.databases,
            &self.notifier,
        )
        .expect("a round");
    }

    fn pass_over_all(&mut self) {
        self.pass(&PendingChanges {
            all: true,
            paths: BTreeSet::new(),
            ends: false,
        });
    }

    /// All changes so far.
    fn changes(&mut self) -> PendingChanges {
        self.marks += 1;
        let name = format!("{}.jsonl", self.marks);
        let (made, mark) = (
            self.home.path().join("data").join(&name),
            self.home.path().join(".claude/projects/-p"),
        );
        let mark = mark.join(name);
        fs::write(&made, "{}\n").expect("room");
        fs::rename(made, &mark).expect("the same disk");
        let mut changes = PendingChanges {
            all: false,
            paths: BTreeSet::new(),
            ends: false,
        };
        while !changes.paths.contains(&mark) {
            let more = collect_changes(
                &self.inner,
                &self.woken,
                &mut self.watch,
                &self.databases,
                &self.notifier,
            );
            changes.all |= more.all;
            changes.paths.extend(more.paths);
        }
        changes.paths.remove(&mark);
        changes
    }
}

fn database(home: &TempDir) -> PathBuf {
    home.path().join(".local/share/opencode/opencode.db")
}

/// Writes and closes, with a modification time in the past.
fn write(database: &Path, statements: &str, seconds_ago: u64) {
    let connection = Connection::open(database).expect("a database");
    connection.execute_batch(statements).expect("room");
    connection.close().expect("no statement is open");
    let file = File::options()
        .write(true)
        .open(database)
        .expect("it is there");
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds_ago))
        .expect("it is ours");
}

#[test]
fn own_database_reads_are_not_changes() {
    let mut bench = Bench::new(|_| {});
    let database = database(&bench.home);
    bench.pass_over_all();
    assert!(
        database.with_extension("db-shm").exists(),
        "the read changed the file"
    );
    let changes = bench.changes();
    assert!(
        !changes.all && changes.paths.is_empty(),
        "{:?}",
        changes.paths
    );

    write(
        &database,
        "UPDATE session SET title = 'Plums', time_updated = 2",
        3600,
    );
    let changes = bench.changes();
    assert_eq!(
        changes.paths,
        BTreeSet::from([database]),
        "another process wrote"
    );
    bench.pass(&changes);
    let changes = bench.changes();
    assert!(
        !changes.all && changes.paths.is_empty(),
        "{:?}",
        changes.paths
    );
}

#[test]
fn writes_during_read_are_changes() {
    let path = Arc::<std::sync::Mutex<Option<PathBuf>>>::default();
    let written = Arc::clone(&path);
    let mut bench = Bench::new(move |_| {
        let database = written.lock().expect("one thread").take();
        database.iter().for_each(|it| {
            write(
                it,
                "UPDATE session SET title = 'Plums', time_updated = 2",
                3600,
            )
        });
    });
    let database = database(&bench.home);
    *path.lock().expect("one thread") = Some(database.clone());
    bench.pass_over_all();
    assert!(
        path.lock().expect("one thread").is_none(),
        "it was written during the pass"
    );
    assert_eq!(bench.changes().paths, BTreeSet::from([database]));
}

#[test]
fn files_outside_histories_are_not_changes() {
    let mut bench = Bench::new(|_| {});
    for folder in ["", ".claude", ".local/share"] {
        fs::write(bench.home.path().join(folder).join("settings"), "x").expect("room");
    }
    let changes = bench.changes();
    assert!(
        !changes.all && changes.paths.is_empty(),
        "{:?}",
        changes.paths
    );
}
