//! Files of a session that ran in a folder with links, FIFOs and unusual names.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::Arc;

use baton_agents::Stream;
use baton_keeper::{Launch, STDERR, STDOUT, Stdin};
use baton_store::{Actor, ActorChannel, SessionRow};
use nix::sys::stat::Mode;
use serde_json::{Value, json};

use super::*;
use crate::raw_output::open_raw_output;
use crate::sessions::tests::{begin_plan, plan};
use crate::{Code, Role, call};

/// A session in the folder `work`. Beside it are the plan's folder and a secret.
struct Scene {
    _folder: tempfile::TempDir,
    top: PathBuf,
    app: Arc<App>,
    session: SessionRow,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        for inner in ["data", "work/src", "plan"] {
            fs::create_dir_all(top.join(inner)).expect("create folder");
        }
        let keeper = std::env::current_exe().expect("current exe");
        let app = App::open_with_keeper(top.join("data"), Role::Cli, keeper).expect("opens");
        let mut new_plan = plan(1);
        new_plan.cwd = Some(top.join("plan").display().to_string());
        let run = begin_plan(&app, new_plan);
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
        let scene = Self {
            _folder: folder,
            top,
            app,
            session,
        };
        fs::create_dir_all(scene.session_folder()).expect("create folder");
        launch.write(&scene.session_folder()).expect("written");
        scene
    }

    fn session_folder(&self) -> PathBuf {
        self.app.store.data_dir().join(&self.session.folder)
    }

    fn write(&self, path: &str, content: &str) {
        fs::write(self.top.join(path), content).expect("write file");
    }

    fn show(&self, path: &str, line: Option<u32>) -> Result<Value, ApiError> {
        let input = json!({ "session": self.session.id, "path": path, "line": line });
        call(&self.app, "session_file", input)
    }

    fn open(&self, target: Value) -> Result<Value, ApiError> {
        self.open_as(&self.app, target)
    }

    fn open_as(&self, app: &App, target: Value) -> Result<Value, ApiError> {
        let input = json!({ "session": self.session.id, "target": target });
        call(app, "session_file_open", input)
    }

    /// Chooses an editor that writes its arguments to the file `opened`.
    fn choose_editor(&self) {
        let script = self.top.join("editor");
        let log = self.top.join("opened");
        let text = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n", log.display());
        fs::write(&script, text).expect("write file");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
        let argv = [&script.display().to_string(), "{line}:{column}", "{path}"];
        self.save_editor(json!({ "kind": "custom", "argv": argv }))
            .expect("a valid setting");
    }

    fn save_editor(&self, editor: Value) -> Result<Value, ApiError> {
        let mut settings = call(&self.app, "settings_get", Value::Null).expect("stored");
        settings["editor"] = editor;
        call(&self.app, "settings_save", settings)
    }

    fn opened(&self) -> Vec<String> {
        let text = fs::read_to_string(self.top.join("opened")).expect("the editor ran");
        text.lines().map(str::to_owned).collect()
    }
}

#[test]
fn file_is_shown_around_a_line() {
    let scene = Scene::new();
    let name = "work/src/a 'b' \"c\" $(touch x).rs";
    scene.write(name, "one\ntwo\n");
    scene.write("plan/notes.md", "notes");
    let shown = scene
        .show("src/a 'b' \"c\" $(touch x).rs", Some(2))
        .expect("readable");
    assert_eq!(
        shown,
        json!({
            "path": scene.top.join(name).display().to_string(),
            "relativePath": "src/a 'b' \"c\" $(touch x).rs",
            "bytes": 8,
            "content": { "kind": "text", "text": "one\ntwo\n", "firstLine": 1, "totalLines": 2, "truncated": false },
        })
    );
    let notes = scene.top.join("plan/notes.md").display().to_string();
    assert_eq!(
        scene.show(&notes, None).expect("readable")["relativePath"],
        "notes.md"
    );
    assert!(!scene.top.join("x").exists());
}

#[test]
fn other_files_are_refused() {
    let scene = Scene::new();
    scene.write("secret", "secret");
    symlink(scene.top.join("secret"), scene.top.join("work/link")).expect("link");
    symlink(&scene.top, scene.top.join("work/up")).expect("link");
    nix::unistd::mkfifo(&scene.top.join("work/fifo"), Mode::S_IRWXU).expect("FIFO");
    let baton_file = scene.session_folder().join("launch.json");
    for (path, code) in [
        ("link", Code::Refused),
        ("up/secret", Code::Refused),
        ("../secret", Code::Refused),
        (&baton_file.display().to_string(), Code::Refused),
        ("fifo", Code::Refused),
        ("src", Code::Refused),
        ("gone.rs", Code::NotFound),
        ("", Code::BadInput),
    ] {
        let target = json!({ "kind": "file", "path": path });
        for error in [scene.show(path, None), scene.open(target)] {
            let error = error.expect_err(path);
            assert_eq!(error.code, code, "{path}: {error}");
        }
    }
    let error = scene.show("gone.rs", None).expect_err("missing");
    assert_eq!(error.message, "The file 'gone.rs' doesn't exist.");
    assert!(error.fix.is_some());
}

#[test]
fn editor_gets_the_absolute_path_as_one_argument() {
    let scene = Scene::new();
    scene.choose_editor();
    scene.write("work/-rf; $(touch x)", "text");
    let opened =
        scene.open(json!({ "kind": "file", "path": "-rf; $(touch x)", "line": 42, "column": 7 }));
    let program = scene.top.join("editor").display().to_string();
    assert_eq!(opened, Ok(json!({ "program": program })));
    let path = scene.top.join("work/-rf; $(touch x)").display().to_string();
    assert_eq!(scene.opened(), ["42:7".to_owned(), path]);
    fs::write(scene.session_folder().join(STDERR), "output").expect("write file");
    scene
        .open(json!({ "kind": "output", "stream": "stderr" }))
        .expect("opens");
    let path = scene.session_folder().join(STDERR).display().to_string();
    assert_eq!(scene.opened(), ["1:1".to_owned(), path]);
}

#[test]
fn read_only_view_is_left_to_the_caller() {
    let scene = Scene::new();
    scene.write("work/file", "text");
    scene.save_editor(json!({ "kind": "view" })).expect("valid");
    let target = json!({ "kind": "file", "path": "file" });
    assert_eq!(scene.open(target.clone()), Ok(json!({ "program": null })));
    let missing = json!({ "kind": "custom", "argv": ["/no/such/program", "{path}"] });
    scene.save_editor(missing).expect("valid");
    let error = scene.open(target).expect_err("no such program");
    assert_eq!(error.code, Code::Refused);
    assert!(
        error.full_message().contains("Settings → Editor"),
        "{error}"
    );
}

#[test]
fn directories_open_in_the_editor_as_one_argument() {
    let scene = Scene::new();
    scene.choose_editor();
    let run = scene
        .app
        .store
        .runs()
        .get(scene.session.run)
        .expect("stored");
    let node = json!({ "kind": "node", "run": run.id, "node": scene.session.node });
    let plan = json!({ "kind": "plan", "plan": run.plan });
    let open = |place: &Value| {
        let input = json!({ "place": place, "program": "editor" });
        call(&scene.app, "directory_open", input)
    };
    for (place, folder) in [(&node, "work"), (&plan, "plan")] {
        let path = scene.top.join(folder).display().to_string();
        assert_eq!(open(place).expect("opens")["directory"], json!(path));
        assert_eq!(scene.opened(), ["1:1", &path]);
    }
    scene
        .save_editor(json!({ "kind": "view" }))
        .expect("a valid setting");
    let error = open(&node).expect_err("a directory can't be viewed");
    assert_eq!(error.code, Code::Refused);
    assert!(error.fix.is_some());
}

#[test]
fn only_people_open_files() {
    let scene = Scene::new();
    scene.choose_editor();
    scene.write("work/file", "text");
    let target = json!({ "kind": "file", "path": "file" });
    let id = scene.session.id;
    for actor in [Actor::Session(id), Actor::Agent("codex".to_owned())] {
        let app = scene.app.acting_as(actor.clone());
        let error = scene.open_as(&app, target.clone()).expect_err("an agent");
        assert_eq!(error.code, Code::Forbidden, "{actor}");
    }
    assert!(!scene.top.join("opened").exists());
    let person = scene.app.acting_as(Actor::Person(ActorChannel::Window));
    scene.open_as(&person, target).expect("a person");
    assert!(scene.top.join("opened").exists());
}

#[test]
fn invalid_editor_is_not_saved() {
    let scene = Scene::new();
    for (argv, message) in [
        (json!([]), "no program"),
        (json!(["gvim"]), "which file"),
        (json!(["gvim", "{file}"]), "{file}"),
    ] {
        let error = scene
            .save_editor(json!({ "kind": "custom", "argv": argv }))
            .expect_err("invalid");
        assert_eq!(error.code, Code::BadInput);
        assert!(error.message.contains(message), "{error}");
        assert!(error.fix.is_some());
    }
    let settings = call(&scene.app, "settings_get", Value::Null).expect("stored");
    assert_eq!(settings["editor"], json!({ "kind": "automatic" }));
    scene
        .save_editor(json!({ "kind": "known", "editor": "zed" }))
        .expect("valid");
    let mut older = call(&scene.app, "settings_get", Value::Null).expect("stored");
    assert_eq!(older["editor"], json!({ "kind": "known", "editor": "zed" }));
    older.as_object_mut().expect("object").remove("editor");
    call(&scene.app, "settings_save", older).expect("an older client");
    let settings = call(&scene.app, "settings_get", Value::Null).expect("stored");
    assert_eq!(settings["editor"]["editor"], "zed", "left as it was");
}

#[test]
fn output_is_opened_without_following_links() {
    use std::io::Read as _;

    let scene = Scene::new();
    let id = scene.session.id;
    let error = open_raw_output(&scene.app, id, Stream::Stdout).expect_err("none yet");
    assert_eq!(error.code, Code::NotFound);
    fs::write(scene.session_folder().join(STDOUT), "one\n").expect("write file");
    let mut output = open_raw_output(&scene.app, id, Stream::Stdout).expect("readable");
    let mut text = String::new();
    output.file.read_to_string(&mut text).expect("readable");
    assert_eq!((text.as_str(), output.bytes), ("one\n", 4));
    scene.write("secret", "secret");
    symlink(
        scene.top.join("secret"),
        scene.session_folder().join(STDERR),
    )
    .expect("link");
    let error = open_raw_output(&scene.app, id, Stream::Stderr).expect_err("a link");
    assert_eq!(error.code, Code::Unavailable);
    let target = json!({ "kind": "output", "stream": "stderr" });
    assert!(scene.open(target).is_err());
    let revoked = scene.app.acting_as(Actor::Program("nobody's".to_owned()));
    let error = open_raw_output(&revoked, id, Stream::Stdout).expect_err("no right");
    assert_eq!(error.code, Code::Forbidden);
}
