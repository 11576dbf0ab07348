//! Tests of what is kept of servers. That they are asked for real is tested with real programs, in the suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_tools::Transport;
use tempfile::TempDir;

use super::*;
use crate::Role;

struct House {
    app: Arc<App>,
    _place: TempDir,
}

impl House {
    /// A Baton whose programs are not there: nothing runs.
    fn new() -> Self {
        let place = TempDir::new().expect("room for data");
        let keeper = place.path().join("keeper");
        std::fs::write(&keeper, "").expect("room for a file");
        let app = App::open_with_keeper(place.path().join("data"), Role::Cli, keeper)
            .expect("an empty folder opens");
        Self { app, _place: place }
    }

    fn save(&self, server: McpServer) -> Result<Vec<McpServer>, ApiError> {
        save_server(&self.app, server)
    }
}

impl Drop for House {
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
fn a_server_is_kept_replaced_and_forgotten_and_runs_know_it_at_once() {
    let house = House::new();
    house
        .save(stdio("notes", "old"))
        .expect("a name and a program");
    house
        .save(stdio(" files ", "files"))
        .expect("blanks around a name are nothing");
    let kept = house
        .save(stdio("notes", "new"))
        .expect("it may be replaced");
    assert_eq!(
        names(&kept),
        ["files", "notes"],
        "one of a name, in the order of names"
    );
    assert_eq!(kept[1], stdio("notes", "new"));
    assert_eq!(
        servers(&house.app, Nothing {}).expect("the store can be read"),
        kept
    );
    assert_eq!(
        house.app.engine.tools().servers(),
        kept,
        "no restart is needed"
    );

    let left = delete_server(
        &house.app,
        ServerRef {
            name: "notes".to_owned(),
        },
    )
    .expect("it is there");
    assert_eq!(names(&left), ["files"]);
    assert_eq!(names(&house.app.engine.tools().servers()), ["files"]);
    let again = delete_server(
        &house.app,
        ServerRef {
            name: "notes".to_owned(),
        },
    )
    .expect_err("it is gone");
    assert_eq!(again.code, Code::NotFound);
}

#[test]
fn a_name_that_no_call_could_say_is_refused() {
    let house = House::new();
    for name in ["", "  ", "a/b", "a\nb"] {
        let refused = house
            .save(stdio(name, "program"))
            .expect_err("no call can name it");
        assert_eq!(refused.code, Code::BadInput, "{name:?}");
    }
    assert!(
        servers(&house.app, Nothing {})
            .expect("the store can be read")
            .is_empty(),
        "nothing was kept"
    );
}

#[test]
fn baton_lists_its_own_tools_without_asking_anybody() {
    let house = House::new();
    let tools = list(&house.app, Nothing {}).expect("they are built in");
    assert!(
        tools
            .iter()
            .any(|tool| tool.name == "shell" && tool.guarded)
    );
    assert!(
        of_servers(&house.app, Nothing {})
            .expect("there is nobody to ask")
            .is_empty()
    );
}
