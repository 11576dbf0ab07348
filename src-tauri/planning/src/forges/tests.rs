//! Tests of addresses, and of the programs with small scripts in their place.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::*;

fn repository() -> ForgeRepository {
    ForgeRepository::from_address("https://github.com/acme/app.git").expect("an address")
}

fn request(draft: bool) -> PullRequest {
    PullRequest {
        branch: "baton/x-1".to_owned(),
        base: "main".to_owned(),
        title: "$(touch evil) `x`".to_owned(),
        description: "One\n\n; two".to_owned(),
        draft,
    }
}

/// Installs a script and returns an environment whose `PATH` has only its folder and the shell.
fn install(folder: &Path, name: &str, script: &str) -> BTreeMap<String, String> {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("enough disk space");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("an own file");
    let path = format!("{}:/usr/bin:/bin", folder.display());
    BTreeMap::from([
        ("PATH".to_owned(), path),
        ("FOLDER".to_owned(), folder.display().to_string()),
    ])
}

#[test]
fn addresses_of_remotes() {
    for (address, expected) in [
        (
            "https://github.com/acme/app.git",
            Some("github.com/acme/app"),
        ),
        (
            "https://user:token@GitHub.com/acme/app/",
            Some("github.com/acme/app"),
        ),
        ("git@github.com:acme/app.git", Some("github.com/acme/app")),
        (
            "ssh://git@gitlab.example.org:2222/a/b/c.git",
            Some("gitlab.example.org/a/b/c"),
        ),
        (
            "ssh://git@ssh.github.com:443/acme/app.git",
            Some("github.com/acme/app"),
        ),
        ("http://127.0.0.1:8080/acme/app", Some("127.0.0.1/acme/app")),
        ("/srv/git/app.git", None),
        ("file:///srv/git/app.git", None),
        ("ext::sh -c evil", None),
        ("https://github.com/app", None),
        ("https://github.com/--repo/app", None),
        ("https://-host/acme/app", None),
        ("git@host:a b/app", None),
        ("", None),
    ] {
        let found = ForgeRepository::from_address(address).map(|found| found.full_name());
        assert_eq!(found.as_deref(), expected, "{address}");
    }
}

#[test]
fn links_lead_to_the_host_of_the_repository() {
    for (text, expected) in [
        ("https://github.com/acme/app/pull/1", true),
        ("http://github.com:8080/acme/app/pull/1", true),
        ("https://github.com.evil.org/acme", false),
        ("https://evil.org/github.com/", false),
        ("javascript:alert(1)", false),
        ("https://github.com/", false),
        ("https://github.com/a\u{202e}b", false),
    ] {
        assert_eq!(repository().is_link(text), expected, "{text}");
    }
}

#[test]
fn program_is_chosen_by_host_and_sign_in() {
    let folder = tempfile::tempdir().expect("temp dir");
    let signed_in = "test \"$*\" = \"auth token --hostname github.com\" && echo secret";
    let environment = install(folder.path(), "gh", signed_in);
    let tool = |address: &str, environment: &BTreeMap<String, String>| {
        let repository = ForgeRepository::from_address(address).expect("an address");
        find_tool(&repository, environment)
    };
    let ForgeTool::Ready(ready) = tool("https://github.com/acme/app", &environment) else {
        panic!("signed in");
    };
    assert_eq!(ready.forge, Forge::GitHub);
    let gitlab = "https://gitlab.com/acme/app";
    assert_eq!(
        tool(gitlab, &environment),
        ForgeTool::Missing(Forge::GitLab)
    );
    assert_eq!(
        tool("https://git.acme.org/a/b", &environment),
        ForgeTool::Unknown
    );
    // `glab config get` succeeds without a token.
    let environment = install(folder.path(), "glab", "exit 0");
    assert_eq!(
        tool(gitlab, &environment),
        ForgeTool::SignedOut(Forge::GitLab)
    );
    let signed_in = "test \"$*\" = \"config get token --host git.acme.org\" && echo secret";
    let environment = install(folder.path(), "glab", signed_in);
    let ForgeTool::Ready(ready) = tool("https://git.acme.org/a/b", &environment) else {
        panic!("one of them knows the host");
    };
    assert_eq!(ready.forge, Forge::GitLab);
}

#[test]
fn arguments_are_passed_as_they_are() {
    let folder = tempfile::tempdir().expect("temp dir");
    let script = "test \"$1\" = auth && echo secret && exit; printf '%s\\n' \"$@\" > \"$FOLDER/arguments\"; \
                  cat > \"$FOLDER/input\"; echo Creating >&2; echo https://github.com/acme/app/pull/7";
    let environment = install(folder.path(), "gh", script);
    let ForgeTool::Ready(tool) = find_tool(&repository(), &environment) else {
        panic!("signed in");
    };
    let url = tool.open(&repository(), &request(true)).expect("opens");
    assert_eq!(url, "https://github.com/acme/app/pull/7");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    assert_eq!(
        read("arguments").lines().collect::<Vec<_>>(),
        request(true)
            .opening_call(Forge::GitHub, &repository())
            .arguments
    );
    assert_eq!(read("input"), "One\n\n; two");
}

#[test]
fn merge_requests_are_opened_through_the_api() {
    let folder = tempfile::tempdir().expect("temp dir");
    let script = "test \"$1\" = config && echo secret && exit; printf '%s\\n' \"$@\" > \"$FOLDER/arguments\"; \
                  cat > \"$FOLDER/input\"; echo '{\"iid\":7,\"web_url\":\"https://gitlab.com/a/b/c/-/merge_requests/7\"}'";
    let environment = install(folder.path(), "glab", script);
    let repository = ForgeRepository::from_address("git@gitlab.com:a/b/c.git").expect("an address");
    let ForgeTool::Ready(tool) = find_tool(&repository, &environment) else {
        panic!("signed in");
    };
    let url = tool.open(&repository, &request(true)).expect("opens");
    assert_eq!(url, "https://gitlab.com/a/b/c/-/merge_requests/7");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    assert_eq!(
        read("arguments").lines().collect::<Vec<_>>(),
        [
            "api",
            "projects/a%2Fb%2Fc/merge_requests",
            "--hostname",
            "gitlab.com",
            "--method",
            "POST",
            "--header",
            "Content-Type: application/json",
            "--input",
            "-",
        ]
    );
    let sent: serde_json::Value = serde_json::from_str(&read("input")).expect("JSON");
    assert_eq!(
        sent,
        serde_json::json!({
            "source_branch": "baton/x-1",
            "target_branch": "main",
            "title": "Draft: $(touch evil) `x`",
            "description": "One\n\n; two",
        })
    );
    tool.find_open(&repository, &request(false)).expect("lists");
    assert_eq!(
        read("arguments").lines().nth(1),
        Some(
            "projects/a%2Fb%2Fc/merge_requests?state=opened&source_branch=baton%2Fx-1&target_branch=main"
        )
    );
}

#[test]
fn tokens_are_not_sent_to_other_hosts() {
    let all = [
        "GH_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        "GITLAB_TOKEN",
        "HOME",
    ];
    let mut environment: BTreeMap<String, String> = all
        .iter()
        .map(|name| ((*name).to_owned(), "x".to_owned()))
        .collect();
    environment.insert("GH_HOST".to_owned(), "github.acme.org".to_owned());
    environment.insert("GITLAB_HOST".to_owned(), "https://git.acme.org/".to_owned());
    for (host, kept) in [
        ("github.com", vec!["GH_TOKEN", "HOME"]),
        ("gitlab.com", vec!["GITLAB_TOKEN", "HOME"]),
        ("github.acme.org", vec!["GITHUB_ENTERPRISE_TOKEN", "HOME"]),
        ("git.acme.org", vec!["GITLAB_TOKEN", "HOME"]),
        ("gitlab.evil.org", vec!["HOME"]),
    ] {
        let left = without_foreign_tokens(host, &environment);
        let left: Vec<&str> = all
            .into_iter()
            .filter(|name| left.contains_key(*name))
            .collect();
        assert_eq!(left, kept, "{host}");
    }
}

#[test]
fn failures_say_what_the_program_printed() {
    let folder = tempfile::tempdir().expect("temp dir");
    let refuse =
        "test \"$1\" = auth && echo secret && exit; printf 'no\\033[31m permission' >&2; exit 1";
    let environment = install(folder.path(), "gh", refuse);
    let ForgeTool::Ready(tool) = find_tool(&repository(), &environment) else {
        panic!("signed in");
    };
    let error = tool
        .open(&repository(), &request(false))
        .expect_err("refused");
    assert_eq!(
        error.to_string(),
        "`gh pr create` failed: no[31m permission"
    );
    install(folder.path(), "gh", "echo done");
    let error = tool
        .open(&repository(), &request(false))
        .expect_err("no address");
    assert!(matches!(error, ForgeError::NoAddress { .. }), "{error}");
    let listed = |entries: &str| {
        install(folder.path(), "gh", &format!("echo '[{entries}]'"));
        tool.find_open(&repository(), &request(false))
            .expect("lists")
    };
    let fork = r#"{"url":"https://github.com/acme/app/pull/2","isCrossRepository":true}"#;
    let own = r#"{"url":"https://github.com/acme/app/pull/3","isCrossRepository":false}"#;
    assert_eq!(
        listed(&format!("{fork},{own}")).as_deref(),
        Some("https://github.com/acme/app/pull/3")
    );
    assert_eq!(listed(fork), None);
    assert_eq!(listed(""), None);
}
