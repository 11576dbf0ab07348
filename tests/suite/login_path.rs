//! Tests programs that are only in the login shell's `PATH`, when Baton was started without it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use baton_tests::TestEnvironment;
use baton_tests::shell::Shell;

const PLAN: &str = "
baton: 1
title: Found
nodes:
  - {id: work, agent: tester, prompt: Work.}
";

const AGENT: &str = "#!/bin/sh
cat > /dev/null
echo worked >> ledger
echo '**What was done:**'
echo 'A line was added to `ledger`.'
";

/// Creates a home whose login shell adds a folder to `PATH`, with an agent in it.
fn home_with_tools(home: &Path) {
    let tools = home.join("tools");
    fs::create_dir_all(&tools).expect("enough disk space");
    let agent = tools.join("tester");
    fs::write(&agent, AGENT).expect("enough disk space");
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).expect("the file is executable");
    fs::write(
        home.join(".bash_profile"),
        "export PATH=\"$PATH:$HOME/tools\"\n",
    )
    .expect("enough disk space");
}

#[test]
fn baton_finds_an_agent_on_the_login_shells_path() {
    let env = TestEnvironment::new();
    let home = env.work_dir.path().join("home");
    home_with_tools(&home);
    let input = serde_json::json!({ "id": "tester", "command": ["tester"] });
    let _: serde_json::Value = env.call("agent_save", input).expect("a name and a command");
    let shell = Shell::new(&env);
    let file = shell.plan_file("found.yaml", PLAN);
    let run = |login: bool| {
        let mut baton = shell.baton(&["run", &file, "--yes"]);
        baton
            .env("HOME", &home)
            .env("PATH", "/usr/bin:/bin")
            .env_remove("SHELL");
        if login {
            baton.env("SHELL", "/bin/bash");
        }
        baton.output().expect("baton starts")
    };
    let without = run(false);
    assert!(
        !without.status.success(),
        "the folder isn't in any PATH: {without:?}"
    );
    let with = run(true);
    assert!(
        with.status.success(),
        "the folder is in the login shell's PATH: {with:?}"
    );
    assert_eq!(env.read("ledger"), "worked\n");
}
