//! What the indexer takes for news. The watch tells everything in the order in which it happened, so a file that is
//! put in its place last marks the end of what came before it.

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

/// A home, and an indexer that goes on when the test says so.
struct Bench {
    home: TempDir,
    inner: Arc<Inner>,
    woken: Receiver<Wake>,
    watch: Watch,
    databases: Databases,
    teller: Teller,
    connection: Connection,
    marks: u32,
}

impl Bench {
    /// With a database of opencode's that nobody has open.
    fn new(tell: impl Fn(Vec<String>) + Send + 'static) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        for folder in [".local/share/opencode", ".claude/projects/-p", "data"] {
            fs::create_dir_all(home.path().join(folder)).expect("room");
        }
        let library = Library::of(
            &home.path().join("data"),
            Homes::found(home.path(), |_| None),
        );
        let inner = Arc::clone(&library.inner);
        let (wake, woken) = channel();
        let mut watch = Watch::new(wake).expect("a watcher");
        write(&database(&home), TABLES, 7200);
        watch.extend(&inner.homes);
        let teller = Teller::new(Box::new(tell), Beside::of(inner.index.path()));
        let connection = inner.index.writer().expect("an index");
        Self {
            home,
            inner,
            woken,
            watch,
            databases: Databases::default(),
            teller,
            connection,
            marks: 0,
        }
    }

    fn pass(&mut self, news: &News) {
        round(
            &self.inner,
            &self.connection,
            news,
            &mut self.databases,
            &self.teller,
        )
        .expect("a round");
    }

    fn pass_over_all(&mut self) {
        self.pass(&News {
            all: true,
            paths: BTreeSet::new(),
            ends: false,
        });
    }

    /// All that is news by now.
    fn news(&mut self) -> News {
        self.marks += 1;
        let name = format!("{}.jsonl", self.marks);
        let (made, mark) = (
            self.home.path().join("data").join(&name),
            self.home.path().join(".claude/projects/-p"),
        );
        let mark = mark.join(name);
        fs::write(&made, "{}\n").expect("room");
        fs::rename(made, &mark).expect("the same disk");
        let mut news = News {
            all: false,
            paths: BTreeSet::new(),
            ends: false,
        };
        while !news.paths.contains(&mark) {
            let heard = gather(
                &self.inner,
                &self.woken,
                &mut self.watch,
                &self.databases,
                &self.teller,
            );
            news.all |= heard.all;
            news.paths.extend(heard.paths);
        }
        news.paths.remove(&mark);
        news
    }
}

fn database(home: &TempDir) -> PathBuf {
    home.path().join(".local/share/opencode/opencode.db")
}

/// Writes and closes, as if that had been some time ago.
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
fn reading_a_database_that_nobody_has_open_is_no_news_although_it_touches_the_files_beside_it() {
    let mut bench = Bench::new(|_| {});
    let database = database(&bench.home);
    bench.pass_over_all();
    assert!(
        database.with_extension("db-shm").exists(),
        "the reading touched it"
    );
    let news = bench.news();
    assert!(!news.all && news.paths.is_empty(), "{:?}", news.paths);

    write(
        &database,
        "UPDATE session SET title = 'Plums', time_updated = 2",
        3600,
    );
    let news = bench.news();
    assert_eq!(
        news.paths,
        BTreeSet::from([database]),
        "somebody else wrote"
    );
    bench.pass(&news);
    let news = bench.news();
    assert!(!news.all && news.paths.is_empty(), "{:?}", news.paths);
}

#[test]
fn what_is_written_while_a_database_is_read_is_news() {
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
        "it was written during the round"
    );
    assert_eq!(bench.news().paths, BTreeSet::from([database]));
}

#[test]
fn what_lies_beside_the_histories_is_no_news() {
    let mut bench = Bench::new(|_| {});
    for folder in ["", ".claude", ".local/share"] {
        fs::write(bench.home.path().join(folder).join("settings"), "x").expect("room");
    }
    let news = bench.news();
    assert!(!news.all && news.paths.is_empty(), "{:?}", news.paths);
}
