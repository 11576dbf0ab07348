//! Who may use terminals, and what they are opened on.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use baton_keeper::{Launch, Stdin};
use baton_model::{AccessLevel, NodeId, RunId};
use baton_store::TokenRow;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::call;
use crate::sessions::tests::{begin_plan, plan};

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A window or server with a run, whose node worked in the folder `work`.
struct Scene {
    _folder: tempfile::TempDir,
    _opened: Arc<App>,
    top: PathBuf,
    app: Arc<App>,
    run: RunId,
    plan: baton_model::PlanId,
    node: NodeId,
}

impl Scene {
    fn new(role: Role) -> Self {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        for inner in ["data", "work", "plan"] {
            fs::create_dir_all(top.join(inner)).expect("create folder");
        }
        let keeper = std::env::current_exe().expect("current exe");
        // A window or server would take the run over, and execute its node elsewhere.
        let opened = App::open_with_keeper(top.join("data"), Role::Cli, keeper).expect("opens");
        let context = opened.context().acting_as(Actor::PERSON);
        let app = Arc::new(App::assemble(context, opened.subscribers.clone(), role));
        let mut content = plan(1);
        content.cwd = Some(top.join("plan").display().to_string());
        let run = begin_plan(&app, content);
        let listed = app.store.sessions().list(Some(run), 1).expect("stored");
        let session = listed.rows.into_iter().next().expect("one session");
        let launch = Launch {
            argv: vec!["true".to_owned()],
            cwd: top.join("work"),
            env: Default::default(),
            mark: "mark".to_owned(),
            stdin: Stdin::Null,
            first_input: Vec::new(),
            timeout_ms: None,
            grace_ms: 0,
            sandbox: None,
        };
        let session_folder = app.store.data_dir().join(&session.folder);
        fs::create_dir_all(&session_folder).expect("create folder");
        launch.write(&session_folder).expect("written");
        let plan = app.store.runs().get(run).expect("stored").plan;
        Self {
            _folder: folder,
            _opened: opened,
            top,
            app,
            run,
            plan,
            node: session.node,
        }
    }

    fn of_node(&self) -> Value {
        json!({ "kind": "node", "run": self.run, "node": self.node })
    }

    fn of_plan(&self) -> Value {
        json!({ "kind": "plan", "plan": self.plan })
    }

    fn window(&self) -> App {
        self.acting(Actor::Person(ActorChannel::Window))
    }

    fn acting(&self, actor: Actor) -> App {
        self.app.acting_as(actor)
    }

    /// A program with a token of this access level.
    fn program(&self, surface: AccessLevel) -> App {
        let row = TokenRow {
            name: surface.as_str().to_owned(),
            surface,
            created_at: self.app.now(),
            used_at: None,
        };
        let tokens = self.app.store.access_tokens();
        tokens
            .add(&row, surface.as_str().as_bytes())
            .expect("unused name");
        self.acting(Actor::Program(row.name))
    }

    fn turn_on(&self, app: &App) -> Result<Value, ApiError> {
        let mut settings = call(app, "settings_get", Value::Null).expect("stored");
        settings["terminalOverHttp"] = json!(true);
        call(app, "settings_save", settings)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn open(app: &App, place: &Value) -> Result<Value, ApiError> {
    let input = json!({ "place": place, "columns": 80, "rows": 24 });
    call(app, "terminal_open", input)
}

/// Opens a terminal with a shell that reads no settings of whoever runs the tests.
fn opened(app: &App, place: &Value) -> Value {
    let input = json!({ "place": place, "columns": 80, "rows": 24 });
    let input = serde_json::from_value(input).expect("an input");
    let home = app.store.data_dir().display().to_string();
    let environment = [
        ("SHELL", "/bin/sh"),
        ("PATH", "/usr/bin:/bin"),
        ("HOME", &home),
        ("BATON_SESSION_TOKEN", "secret"),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let view = open_in_environment(app, &input, &environment.into()).expect("opens");
    serde_json::to_value(view).expect("JSON")
}

fn enter(app: &App, terminal: &Value, sequence: u64, text: &str) -> Result<Value, ApiError> {
    let base64 = STANDARD.encode(text);
    let writer = Uuid::nil();
    let input =
        json!({ "terminal": terminal, "writer": writer, "sequence": sequence, "base64": base64 });
    call(app, "terminal_input", input)
}

/// Reads, whenever there is a change, until `text` was printed.
fn read_until(app: &App, changes: &crate::Changes, terminal: &Value, text: &str) -> String {
    let begun = Instant::now();
    let (mut after, mut printed) = (0, String::new());
    while !printed.contains(text) {
        assert!(begun.elapsed() < PATIENCE, "no '{text}' in {printed:?}");
        let input = json!({ "terminal": terminal, "after": after });
        let part = call(app, "terminal_output", input).expect("readable");
        let bytes = STANDARD
            .decode(part["base64"].as_str().expect("text"))
            .expect("base64");
        after = part["from"].as_u64().expect("a position") + bytes.len() as u64;
        printed.push_str(&String::from_utf8_lossy(&bytes));
        if bytes.is_empty() {
            let _ = changes.recv_timeout(PATIENCE);
        }
    }
    printed
}

#[test]
fn window_has_terminals_in_the_directories_of_plan_and_node() {
    let scene = Scene::new(Role::Window);
    let app = scene.window();
    let changes = scene.app.changes();
    let of_node = opened(&app, &scene.of_node());
    assert_eq!(
        of_node["directory"],
        json!(scene.top.join("work").display().to_string())
    );
    assert_eq!(of_node["plan"], json!(scene.plan));
    assert_eq!(of_node["end"], Value::Null);
    let again = opened(&app, &scene.of_node());
    assert_eq!(again["id"], of_node["id"]);
    let of_plan = opened(&app, &scene.of_plan());
    assert_ne!(of_plan["id"], of_node["id"]);

    enter(&app, &of_node["id"], 1, "pwd > pla''ce; echo do''ne\r").expect("typed");
    read_until(&app, &changes, &of_node["id"], "done");
    let place = fs::read_to_string(scene.top.join("work/place")).expect("written there");
    assert_eq!(
        place.trim_end(),
        scene.top.join("work").display().to_string()
    );

    let listed = call(&app, "terminals_list", Value::Null).expect("listed");
    assert_eq!(listed["terminals"].as_array().map(Vec::len), Some(2));
    call(&app, "terminal_close", json!({ "terminal": of_plan["id"] })).expect("open");
    let gone = enter(&app, &of_plan["id"], 1, "x").expect_err("closed");
    assert_eq!(gone.code, Code::NotFound);
    let listed = call(&app, "terminals_list", Value::Null).expect("listed");
    assert_eq!(listed["terminals"][0]["id"], of_node["id"]);
    scene.app.shut_down();
    assert!(scene.app.terminals.list().is_empty(), "they end with Baton");
}

#[test]
fn terminal_has_no_variables_of_baton() {
    let scene = Scene::new(Role::Window);
    let app = scene.window();
    let changes = scene.app.changes();
    let terminal = opened(&app, &scene.of_plan());
    let id = &terminal["id"];
    enter(
        &app,
        id,
        1,
        "env | grep ^BATON_ | grep -v ^BATON_DATA_DIR=; echo en''d\r",
    )
    .expect("typed");
    let printed = read_until(&app, &changes, id, "end\r\n");
    assert!(!printed.contains("\nBATON_"), "{printed}");
}

#[test]
fn terminals_are_off_over_http_until_a_person_turns_them_on() {
    let scene = Scene::new(Role::Server);
    let browser = scene.acting(Actor::Person(ActorChannel::Browser));
    let [read, write, decide] = AccessLevel::ALL.map(|surface| scene.program(surface));
    for app in [&browser, &decide] {
        let error = open(app, &scene.of_node()).expect_err("off");
        assert_eq!(error.code, Code::Forbidden);
        assert!(error.fix.is_some_and(|fix| fix.contains("Settings")));
        let listed = call(app, "terminals_list", Value::Null).expect("says why");
        assert_eq!(
            listed,
            json!({ "access": "off_over_http", "terminals": [] })
        );
    }
    let error = scene.turn_on(&decide).expect_err("a program");
    assert_eq!(error.code, Code::Forbidden);
    scene.turn_on(&browser).expect("a person");
    for app in [&read, &write] {
        let error = open(app, &scene.of_node()).expect_err("the token is too weak");
        assert_eq!(error.code, Code::Forbidden);
    }
    let opened = opened(&browser, &scene.of_node());
    let same = open(&decide, &scene.of_node()).expect("on");
    assert_eq!(same["id"], opened["id"]);
    assert_eq!(
        enter(&decide, &opened["id"], 5, "true\r").expect("typed"),
        json!({ "written": true })
    );
    assert_eq!(
        enter(&decide, &opened["id"], 5, "true\r").expect("seen"),
        json!({ "written": false })
    );
    // Turning it off ends the access, also to what is open.
    let mut settings = call(&browser, "settings_get", Value::Null).expect("stored");
    settings["terminalOverHttp"] = json!(false);
    call(&browser, "settings_save", settings).expect("stored");
    let error = enter(&decide, &opened["id"], 6, "true\r").expect_err("off again");
    assert_eq!(error.code, Code::Forbidden);
}

#[test]
fn agents_and_commands_have_no_terminals() {
    let scene = Scene::new(Role::Server);
    let browser = scene.acting(Actor::Person(ActorChannel::Browser));
    scene.turn_on(&browser).expect("a person");
    let terminal = opened(&browser, &scene.of_node());
    let session = scene.app.store.sessions().list(Some(scene.run), 1);
    let session = session.expect("stored").rows.remove(0).id;
    for actor in [Actor::Session(session), Actor::Agent("codex".to_owned())] {
        let app = scene.acting(actor);
        let error = open(&app, &scene.of_node()).expect_err("an agent");
        assert_eq!(error.code, Code::Forbidden);
        let error = enter(&app, &terminal["id"], 1, "true\r").expect_err("an agent");
        assert_eq!(error.code, Code::Forbidden, "never held for a person");
        let input = json!({ "place": scene.of_node(), "program": "editor" });
        let error = call(&app, "directory_open", input).expect_err("an agent");
        assert_eq!(error.code, Code::Forbidden);
    }
    let command = Scene::new(Role::Cli);
    let error = open(&command.app, &command.of_node()).expect_err("a command");
    assert_eq!(error.code, Code::Refused);
    assert!(error.fix.is_some());
}

#[test]
fn places_without_a_directory_are_errors_with_a_fix() {
    let scene = Scene::new(Role::Window);
    let app = scene.window();
    fs::remove_dir(scene.top.join("work")).expect("removed");
    fs::remove_dir(scene.top.join("plan")).expect("removed");
    let mut without = plan(0);
    without.cwd = None;
    let copy = call(&app, "plan_save_copy", json!({ "plan": without })).expect("saved");
    let without = json!({ "kind": "plan", "plan": copy["plan"]["id"] });
    for (place, code) in [
        (scene.of_node(), Code::NotFound),
        (scene.of_plan(), Code::NotFound),
        (without, Code::Refused),
    ] {
        let error = open(&app, &place).expect_err("no directory");
        assert_eq!(error.code, code, "{error}");
        assert!(error.fix.is_some(), "{error}");
    }
}
