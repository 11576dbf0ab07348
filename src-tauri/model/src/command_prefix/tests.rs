use proptest::prelude::*;

use super::*;

fn prefix(words: &str) -> CommandPrefix {
    CommandPrefix::parse(words).unwrap_or_else(|fault| panic!("{fault}"))
}

fn covers(words: &[&str], line: &str) -> bool {
    all_match_prefixes(
        &words.iter().map(|words| prefix(words)).collect::<Vec<_>>(),
        line,
    )
}

#[test]
fn commands_with_the_prefix_are_covered() {
    for line in [
        "git push",
        " git  push ",
        "git push origin main",
        "git push --force",
        "git push --receive-pack='sh -c x'",
        "git push 'a; b' \"c && d\"",
        "git 'push' origin",
        "g\"it\" push",
        "git push 2>&1",
        "git push >/dev/null 2>&1",
        "git push;",
        "git push && git push --tags",
        "git push\ngit push --tags\n",
        "bash -lc 'git push origin main'",
        "/bin/bash -lc 'git push && git push --tags'",
        "sh -c 'git push'",
        "git push *.x ~/y HEAD^",
        "git push -m 'cost: $5 `x` $(y)'",
    ] {
        assert!(covers(&["git push"], line), "{line:?}");
    }
    assert!(covers(&["git push", "tail"], "git push 2>&1 | tail -n 3"));
    assert!(covers(&["npm run test"], "npm run test -- --watch=false"));
    assert!(!covers(&[], "git push"));
}

#[test]
fn uncovered_commands_ask_again() {
    for line in [
        "git",
        "git pushx",
        "git pus",
        "gitpush",
        "git-push",
        "Git push",
        "git  'push '",
        "git 'push origin'",
        "git -c core.pager=x push",
        "/usr/bin/git push",
        "./git push",
        "git push && rm -rf ~",
        "git push; x",
        "git push;x",
        "git push || x",
        "git push | sh",
        "git push |& sh",
        "git push & x",
        "git push &",
        "git push\nx",
        "git push\r\nx",
        "x; git push",
        "git push $(rm)",
        "git push `rm`",
        "git push \"$(rm)\"",
        "git push \"`rm`\"",
        "git push <(rm)",
        "git push >(rm)",
        "git push =(rm)",
        "git push $X",
        "git push ${X}",
        "git push ${X@P}",
        "git push \"$X\"",
        "git push $((a[$(x)]))",
        "git push > ~/.bashrc",
        "git push >> x",
        "git push >| x",
        "git push &> x",
        "git push 2> x",
        "git push >& x",
        "git push > /dev/nullx",
        "git push > \"/dev/null\"x",
        "git push < x",
        "git push <<E\nx\nE",
        "git push <<< x",
        "VAR=x git push",
        "PATH=. git push",
        "GIT_SSH_COMMAND=x git push",
        "git {push,x}",
        "{ git push; }",
        "(git push)",
        "git pu*",
        "git pu[s]h",
        "git p?sh",
        "$git push",
        "git $'push'",
        "git $'\\x70ush'",
        "git push $'a'",
        "git push $\"a\"",
        "git push # x",
        "# git push",
        "git push \\\nx",
        "git \\\npush",
        "git push \\",
        "git push 'x",
        "git push \"x",
        "git push 'x\\' ; rm",
        "! git push",
        "git push !!",
        "time git push",
        "if git push; then x; fi",
        "while git push; do x; done",
        "git() { x; }; git push",
        "function git { x; }; git push",
        "alias git=x; git push",
        "env git push",
        "sudo git push",
        "timeout 5 git push",
        "xargs git push",
        "exec git push",
        "eval git push",
        "command git push",
        "nohup git push",
        "find . -exec git push",
        "bash -lc 'git push; x'",
        "bash -lc 'git push' ; x",
        "bash -lc 'bash -lc \"git push\"'",
        "bash -lc git push",
        "bash -ic 'git push'",
        "./bash -lc 'git push'",
        "bash -lc 'git push' x",
        "bash -lc \"git push $X\"",
        "bash git push",
        "git push\u{0}; x",
        "git push\u{b}x",
        "git\u{a0}push",
        "git push; ;",
        "git push &&",
        "",
    ] {
        assert!(!covers(&["git push"], line), "{line:?}");
    }
}

#[test]
fn programs_that_run_any_program_are_refused() {
    for words in [
        "sudo",
        "sudo apt",
        "env",
        "env git",
        "bash",
        "sh -c",
        "bash -lc",
        "zsh",
        "dash",
        "fish",
        "python",
        "python3",
        "python3.12 -c",
        "python -m pytest",
        "python -",
        "node",
        "node -e",
        "node --eval",
        "perl",
        "perl -e",
        "ruby -e",
        "php -r",
        "ssh",
        "ssh host",
        "xargs",
        "xargs rm",
        "npx",
        "npx tsc",
        "eval",
        "exec",
        "docker",
        "docker run",
        "docker exec",
        "docker run alpine",
        "docker compose",
        "docker compose run",
        "docker compose exec",
        "docker --host x",
        "docker container run",
        "find",
        "find .",
        "timeout",
        "timeout 5",
        "nice",
        "nohup git",
        "time git",
        "watch ls",
        "parallel",
        "awk",
        "awk -f",
        "sed",
        "sed -n",
        "vim",
        "tmux",
        "screen",
        "busybox",
        "su",
        "su root",
        "chroot",
        "strace",
        "kubectl exec",
        "kubectl",
        "uv run",
        "uvx",
        "poetry run",
        "nix run",
        "git",
        "git -c",
        "git -C",
        "git config",
        "git bisect",
        "git submodule",
        "git --exec-path=x",
        "gh",
        "gh alias",
        "cargo",
        "cargo --config",
        "cargo install",
        "go run",
        "npm",
        "npm exec",
        "npm x",
        "npm run",
        "npm run -s",
        "npm --prefix",
        "pnpm dlx",
        "yarn",
        "yarn node",
        "bun x",
        "bun run",
        "bun -e",
        "deno run",
        "deno eval",
        "rm",
        "rm -rf",
        "cp",
        "mv",
        "tee",
        "dd",
        "ln",
        "tar",
        "curl",
        "wget",
        "rsync",
        "scp",
        "cd",
        "export",
        "set",
        "source",
        ".",
        "alias",
        "trap",
        "test",
        "[",
        "[[",
        "printf",
        "read",
        "unset",
        "hash",
        "enable",
        "command",
        "builtin",
        "/usr/bin/env",
        "/bin/sh -c",
        "/usr/bin/sudo ls",
        "./env x",
        "make",
        "crontab",
        "psql",
        "sqlite3",
        "tsx",
        "bunx",
        "pip",
        "if",
        "while",
        "for",
        "function",
    ] {
        assert!(
            matches!(
                CommandPrefix::parse(words),
                Err(PrefixError::TooBroad(_) | PrefixError::Shape(_))
            ),
            "{words}"
        );
    }
    for words in [
        "ls",
        "cat",
        "git push",
        "git status",
        "git stash pop",
        "cargo test",
        "cargo nextest run",
        "npm test",
        "npm run test",
        "npm install",
        "yarn test",
        "bun test",
        "pytest",
        "tsc",
        "make test",
        "go test",
        "docker ps",
        "docker compose logs",
        "kubectl get",
        "gh pr list",
        "python manage.py",
        "python3 ./x.py",
        "node scripts/build.js",
        "bash ./build.sh",
        "sh build.sh",
        "./build.sh",
        "echo",
        "pwd",
        "grep",
        "rg",
        "head",
        "tail",
        "wc",
        "jq",
        "mkdir",
        "touch",
        "pip list",
        "uv pip list",
        "deno test",
        "terraform plan",
    ] {
        assert_eq!(CommandPrefix::parse(words).map(|_| ()), Ok(()), "{words}");
    }
}

#[test]
fn prefixes_consist_of_plain_words() {
    for words in [
        "",
        " ",
        "git  push",
        " git push",
        "git push ",
        "git push origin main",
        "git push;",
        "a=b git",
        "git 'push'",
        "git pu*",
        "$x",
        "git $x",
        "git push\n",
        "git\tpush",
        "-x",
        "+x",
        "%1",
        "=ls",
        "git =x",
        "~/x",
        "é",
        "a\u{202e}b",
    ] {
        assert_eq!(
            CommandPrefix::parse(words),
            Err(PrefixError::Shape(words.to_owned())),
            "{words:?}"
        );
    }
    assert!(CommandPrefix::parse(&"a".repeat(MAX_WORD_LENGTH + 1)).is_err());
}

#[test]
fn offered_choices_cover_the_line() {
    for (line, expected) in [
        (
            "git push origin main",
            &[&["git push"][..], &["git push origin"]][..],
        ),
        ("git push -u origin", &[&["git push"]]),
        ("ls", &[&["ls"]]),
        ("npm run test -- x", &[&["npm run test"]]),
        ("bash -lc 'git status --short'", &[&["git status"]]),
        ("cargo test 2>&1 | tail -5", &[&["cargo test", "tail"]]),
        ("git add a && git add b", &[&["git add"]]),
        ("git commit -m 'a b'", &[&["git commit"]]),
        ("cd x && cargo test", &[]),
        ("sudo ls", &[]),
        ("python -c x", &[]),
        (
            "python manage.py test",
            &[&["python manage.py"], &["python manage.py test"]],
        ),
        ("git push > x", &[]),
        ("echo $HOME", &[]),
        ("rm -rf x", &[]),
        ("a; b; c; d; e", &[]),
        ("git push [secret]", &[]),
    ] {
        let choices = prefix_choices(line);
        assert_eq!(choices, expected, "{line}");
        for choice in &choices {
            let words: Vec<&str> = choice.iter().map(String::as_str).collect();
            assert!(covers(&words, line), "{line}: {choice:?}");
        }
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[ -~]{0,6}",
        3 => prop::sample::select(vec![
            "git push", "git", "push", " ", "'", "\"", "\\", ";", "&&", "|", "\n", "$(", ")", "`", ">", "2>&1", "/dev/null", "#", "{", "}",
            "<<E", "E", "bash -lc '", "sh -c \"", "--x", "*", "=", "!", "\t", "$'", "\\'",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn covered_commands_cannot_be_extended(rest in pieces(), separator in prop::sample::select(vec!["; ", ";", " && ", "&&", " || ", " | ", "|", "\n", "\n\n", " & ", "&"])) {
        let prefixes = [prefix("git push")];
        let line = format!("git push {rest}");
        // An open quote or backslash turns the rest into data, and then the line itself is not
        // covered.
        if all_match_prefixes(&prefixes, &line) {
            let longer = format!("{line}{separator}x y");
            prop_assert!(!all_match_prefixes(&prefixes, &longer), "{longer:?}");
            let before = format!("x y{separator}{line}");
            prop_assert!(!all_match_prefixes(&prefixes, &before), "{before:?}");
            let wrapped = format!("bash -lc '{}'", line.replace('\'', r"'\''"));
            prop_assert!(!all_match_prefixes(&prefixes, &format!("{wrapped}{separator}x")), "{wrapped:?}");
        }
    }
}
