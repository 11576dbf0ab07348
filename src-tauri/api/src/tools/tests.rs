//! Tests of storing tool servers. Connecting to them is tested in the suite, with real programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_tools::Transport;
use tempfile::TempDir;

use super::*;
use crate::Role;

struct TestEnvironment {
    app: Arc<App>,
    _place: TempDir,
}

impl TestEnvironment {
    /// A Baton without its other programs: nothing can run.
    fn new() -> Self {
        let place = TempDir::new().expect("temp dir");
        let keeper = place.path().join("keeper");
        std::fs::write(&keeper, "").expect("write file");
        let app =
            App::open_with_keeper(place.path().join("data"), Role::Cli, keeper).expect("opens");
        Self { app, _place: place }
    }

    fn save(&self, server: McpServer) -> Result<Vec<McpServer>, ApiError> {
        save_server(&self.app, server)
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn stdio(name: &str, command: &str) -> McpServer {
    let transport = Transport::Stdio {
        command: command.to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
    };
    McpServer {
        name: name.to_owned(),
        transport,
        trusted: Vec::new(),
    }
}

fn names(servers: &[McpServer]) -> Vec<&str> {
    servers.iter().map(|server| server.name.as_str()).collect()
}

#[test]
fn server_is_saved_replaced_and_deleted_for_running_runs() {
    let env = TestEnvironment::new();
    env.save(stdio("notes", "old")).expect("valid server");
    env.save(stdio(" files ", "files"))
        .expect("name is trimmed");
    let kept = env.save(stdio("notes", "new")).expect("replaced");
    assert_eq!(
        names(&kept),
        ["files", "notes"],
        "one per name, sorted by name"
    );
    assert_eq!(kept[1], stdio("notes", "new"));
    assert_eq!(
        servers(&env.app, Nothing {}).expect("store is readable"),
        kept
    );
    assert_eq!(
        env.app.engine.tools().servers(),
        kept,
        "no restart is needed"
    );

    let left = delete_server(
        &env.app,
        ServerRef {
            name: "notes".to_owned(),
        },
    )
    .expect("exists");
    assert_eq!(names(&left), ["files"]);
    assert_eq!(names(&env.app.engine.tools().servers()), ["files"]);
    let again = delete_server(
        &env.app,
        ServerRef {
            name: "notes".to_owned(),
        },
    )
    .expect_err("already deleted");
    assert_eq!(again.code, Code::NotFound);
}

#[test]
fn unusable_server_name_is_refused() {
    let env = TestEnvironment::new();
    for name in ["", "  ", "a/b", "a\nb"] {
        let refused = env
            .save(stdio(name, "program"))
            .expect_err("the name is invalid");
        assert_eq!(refused.code, Code::BadInput, "{name:?}");
    }
    assert!(
        servers(&env.app, Nothing {})
            .expect("store is readable")
            .is_empty(),
        "nothing was saved"
    );
}

#[test]
fn own_tools_are_listed_without_servers() {
    let env = TestEnvironment::new();
    let tools = list(&env.app, Nothing {}).expect("built in");
    assert!(
        tools
            .iter()
            .any(|tool| tool.name == "shell" && tool.guarded)
    );
    assert!(
        list_server_tools(&env.app, Nothing {})
            .expect("no servers")
            .is_empty()
    );
}
