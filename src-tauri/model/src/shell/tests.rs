//! Positions in a command that keep a value as data, and those that do not.

use std::collections::BTreeMap;

use super::*;

/// Replaces each `{{…}}` in the lines below.
const VALUE: &str = "{{nodes.a.outputs.x}}";

fn places(line: &str) -> Vec<ValuePosition> {
    let line = line.replace("@@", VALUE);
    unsafe_values(&line, &BTreeMap::new(), LoopScope::Outside)
        .into_iter()
        .map(|found| found.place)
        .collect()
}

fn argument_places(words: &[&str]) -> Vec<ValuePosition> {
    let words: Vec<String> = words.iter().map(|word| word.replace("@@", VALUE)).collect();
    unsafe_arguments(&words, &BTreeMap::new(), LoopScope::Outside)
        .into_iter()
        .map(|found| found.place)
        .collect()
}

fn is_code(place: &ValuePosition) -> bool {
    matches!(place, ValuePosition::Code { .. })
}

#[test]
fn code_of_another_interpreter_is_found() {
    for line in [
        "sh -c \"echo @@\"",
        "sh -c 'echo @@'",
        "bash -ec 'echo @@'",
        "bash -euo pipefail -c \"echo @@\"",
        "/bin/sh -c -- @@",
        "eval echo @@",
        "eval \"x=@@\"",
        "ssh host 'echo @@'",
        "ssh -p 22 user@host echo @@",
        "python3 -c 'print(\"@@\")'",
        "python3 -Ic \"print('@@')\"",
        "python3 -W ignore -c 'print(\"@@\")'",
        "node -e 'console.log(\"@@\")'",
        "node --eval=@@",
        "node --import tsx -e \"f('@@')\"",
        "perl -lane 'print \"@@\"' file",
        "perl -I lib -e 'print \"@@\"'",
        "perl -e@@",
        "ruby -r json -e 'puts \"@@\"'",
        "php -r 'echo \"@@\";'",
        "awk '{print \"@@\"}' file",
        "awk -F: -v y=1 \"/@@/\"",
        "sed \"s/v/@@/\" file",
        "sed -n -e p -e \"s/v/@@/\"",
        "env A=b sh -c 'echo @@'",
        "sudo -u node -n bash -c 'echo @@'",
        "timeout -k 5 30 sh -c 'echo @@'",
        "nice -n 5 nohup sh -c 'echo @@' &",
        "find . -name '*.x' -exec sh -c 'echo @@' \\;",
        "xargs -0 sh -c 'echo @@' < list",
        "docker exec -it box sh -c 'echo @@'",
        "docker run --rm -e A=b image python -c 'print(\"@@\")'",
        "if true; then sh -c 'echo @@'; fi",
        "f() { sh -c 'echo @@'; }; f",
        "function f { sh -c 'echo @@'; }; f",
        "x=$(sh -c 'echo @@')",
        "( cd /tmp && sh -c 'echo @@' )",
        "case $1 in a) sh -c 'echo @@';; esac",
        "trap 'echo @@' EXIT",
        "su me -c 'echo @@'",
        "watch -n 1 echo @@",
        "env -S 'sh @@'",
        "x=@@; sh -c \"echo $x\"",
        "x=@@; eval \"$x\"",
        "sh -c \"$(printf %s @@)\"",
        "sh -c 'eval \"$1\"' _ @@",
        "for w in @@; do sh -c \"$w\"; done",
        "read x <<< @@; eval \"$x\"",
        "mapfile -t x <<< @@; eval \"${x[0]}\"",
        "printf -v x %s @@; eval \"$x\"",
        "set -- @@; eval \"$1\"",
        "f() { eval \"$1\"; }; f @@",
        "$SHELL -c \"echo @@\"",
        "timeout 5 \"$SHELL\" -lc \"echo @@\"",
        "docker run --entrypoint sh image -c 'echo @@'",
        "env --split-string='sh @@'",
        "gawk -i inplace '{print \"@@\"}' file",
        "sed -i '' \"s/v/@@/\" file",
        "command eval @@",
        "\\sh -c @@",
        "tmux new-session -d 'echo @@'",
        "rsync -e 'ssh @@' a b",
        "vim -c ':!@@' file",
    ] {
        let found = places(line);
        assert!(found.iter().any(is_code), "{line}: {found:?}");
    }
    for words in [
        &["sh", "-c", "echo @@"][..],
        &["bash", "-lc", "@@"],
        &["env", "A=b", "bash", "-c", "echo @@"],
        &["python3", "-c", "print('@@')"],
        &["node", "-e", "f('@@')"],
        &["perl", "-e", "print '@@'"],
        &["ssh", "host", "echo @@"],
        &["awk", "{print @@}"],
        &["docker", "exec", "box", "sh", "-c", "echo @@"],
        &["sh", "-c", "eval \"$1\"", "_", "@@"],
    ] {
        let found = argument_places(words);
        assert!(found.iter().any(is_code), "{words:?}: {found:?}");
    }
}

#[test]
fn input_that_is_run_is_found() {
    for line in [
        "sh <<EOF\necho @@\nEOF",
        "bash -s <<-EOF\n\techo @@\n\tEOF\n",
        "sudo bash -s arg <<EOF\necho @@\nEOF",
        "ssh host <<EOF\necho @@\nEOF",
        "ssh host sh <<EOF\necho @@\nEOF",
        "docker exec -i box sh <<EOF\necho @@\nEOF",
        "python3 <<EOF\nprint('@@')\nEOF",
        "python3 - <<EOF\nprint('@@')\nEOF",
        "echo @@ | sh",
        "echo \"rm @@\" | tee log | bash",
        "{ echo a; echo @@; } | sh",
        "( echo @@ ) | sh",
        "echo @@ | { sh; }",
        "echo @@ | while true; do sh; done",
        "bash <<< @@",
        "echo @@ | xargs sh -c",
        "echo @@ | xargs -I{} sh -c 'echo {}'",
        ". /dev/stdin <<EOF\n@@\nEOF",
        "sh -c 'echo \"$1\" | sh' _ @@",
        "sh < @@",
        "python3 /dev/stdin <<EOF\nprint('@@')\nEOF",
        "sed -f - file <<EOF\ns/a/@@/\nEOF",
        "exec <<EOF\n@@\nEOF\nsh",
        "if true; then sh; fi <<EOF\n@@\nEOF",
    ] {
        let found = places(line);
        assert!(
            found
                .iter()
                .any(|place| matches!(place, ValuePosition::Input { .. })),
            "{line}: {found:?}"
        );
    }
}

#[test]
fn unsafe_positions_are_named() {
    let option = |program: &str| ValuePosition::Option {
        program: program.to_owned(),
    };
    let variable = |name: &str| ValuePosition::Variable {
        name: name.to_owned(),
    };
    for (line, expected) in [
        ("echo $((@@ + 1))", ValuePosition::Arithmetic),
        ("((x = @@))", ValuePosition::Arithmetic),
        ("echo $[@@]", ValuePosition::Arithmetic),
        ("x=@@; echo $((x + 1))", ValuePosition::Arithmetic),
        ("let x=@@", ValuePosition::Arithmetic),
        ("f() { echo $(($1 + 1)); }; f @@", ValuePosition::Arithmetic),
        (
            "f() { echo $((${1} + 1)); }; f @@",
            ValuePosition::Arithmetic,
        ),
        ("x=$(echo @@); echo $((x + 1))", ValuePosition::Arithmetic),
        ("[[ @@ -gt 3 ]]", ValuePosition::Arithmetic),
        ("unset @@", ValuePosition::Arithmetic),
        ("a[@@]=1", ValuePosition::Arithmetic),
        ("unset a[@@]", ValuePosition::Arithmetic),
        (
            "for ((i = 0; i < @@; i++)); do :; done",
            ValuePosition::Arithmetic,
        ),
        ("cat <<'EOF'\n@@\nEOF", ValuePosition::HereDocument),
        ("cat <<\\EOF\n@@\nEOF", ValuePosition::HereDocument),
        ("cat <<@@\nx\n", ValuePosition::Delimiter),
        ("echo ${x:-@@}", ValuePosition::Expansion),
        ("echo `cat @@`", ValuePosition::Backquotes),
        ("echo $'@@'", ValuePosition::AnsiQuotes),
        ("echo \\@@", ValuePosition::Escaped),
        ("echo \"$@@\"", ValuePosition::Escaped),
        ("@@ --version", ValuePosition::Program),
        ("env @@ make", ValuePosition::Program),
        ("sudo -n @@", ValuePosition::Program),
        ("find . -exec @@ {} +", ValuePosition::Program),
        ("x=@@; $x", ValuePosition::Program),
        (". @@", ValuePosition::Program),
        ("python3 @@", option("python3")),
        ("sh @@", option("sh")),
        ("perl -e 'print 1' @@", option("perl")),
        ("ssh @@ uptime", option("ssh")),
        ("printf @@", option("printf")),
        ("PS4=@@ sh -x file", variable("PS4")),
        ("env LD_PRELOAD=@@ make", variable("LD_PRELOAD")),
        ("export BASH_ENV=@@", variable("BASH_ENV")),
        ("bash --rcfile <(echo @@) file", option("bash")),
        (
            "echo \"{{nodes.a.outputs.x | split}}\"",
            ValuePosition::Split,
        ),
    ] {
        assert_eq!(places(line), [expected], "{line}");
    }
    assert_eq!(argument_places(&["@@", "a"]), [ValuePosition::Program]);
    assert_eq!(
        argument_places(&["cat", "{{nodes.a.outputs.x | split}}"]),
        [ValuePosition::Split]
    );
    let env = BTreeMap::from([
        ("X".to_owned(), VALUE.to_owned()),
        ("BASH_ENV".to_owned(), VALUE.to_owned()),
    ]);
    let found = unsafe_values("bash -c \"$X\"", &env, LoopScope::Outside);
    assert_eq!(found.len(), 2, "{found:?}");
    let found = unsafe_arguments(
        &["sh".to_owned(), "-c".to_owned(), "eval $X".to_owned()],
        &env,
        LoopScope::Outside,
    );
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn ordinary_commands_are_accepted() {
    for line in [
        "echo \"v@@\"",
        "echo @@ '@@' \"@@\" a@@b",
        "git tag v@@ && git push origin \"v@@\"",
        "curl -d '{\"name\": \"@@\", \"list\": [1, 2]}' \"https://host/$(printf %s @@ | jq -sRr @uri)\"",
        "curl -H \"X: @@\" --data @- https://host <<EOF\n{\"a\": \"@@\"}\nEOF",
        "sh -c 'echo \"$1\"' _ @@",
        "python3 -c 'import sys; print(sys.argv[1])' @@",
        "python3 script.py --name @@ -c @@",
        "node -e 'f(process.argv[1])' -- @@",
        "sh script.sh @@",
        "sh -- @@",
        "./bin/@@ --fast",
        "ssh host uptime; echo @@",
        "ssh -- @@ uptime",
        "printf %s @@ | ssh host 'cat > file'",
        "awk -v x=@@ '{print x}' @@",
        "sed --sandbox \"s/v/@@/\" @@",
        "sed s/a/b/ @@",
        "x=@@; echo \"$x\"",
        "A=@@ B=1 make deploy",
        "env A=@@ make",
        "timeout 5 curl @@",
        "timeout @@ make",
        "nice -n @@ make",
        "sudo -u @@ make",
        "find @@ -name '@@' -exec grep -l @@ {} +",
        "docker exec box cat @@",
        "docker run -e A=@@ image:@@ cat",
        "xargs -n 1 grep @@ < list",
        "echo @@ | xargs grep x",
        "for f in @@ other; do cat \"$f\"; done",
        "case @@ in a*) echo one;; *) echo other;; esac",
        "if [ @@ = x ]; then echo yes; fi",
        "[ @@ -gt 3 ] && echo more",
        "[[ @@ == a* ]]",
        "cat > file <<EOF\n@@ $(date) @@\nEOF\necho @@",
        "cat <<'EOF'\nno value\nEOF\necho @@",
        "echo $((1 + 2)) @@",
        "echo @@ > @@ 2>&1",
        "printf '%s\\n' @@ | sort | uniq",
        "# sh -c @@\necho @@",
        "rm -- {{nodes.a.outputs.x | split}}",
        "echo \"$(basename @@)\"",
        "export A=@@",
        "echo \"it's @@\" 'a \"b\" @@'",
        "docker inspect --format '{{.Id}}' @@",
        "unknown-program --eval @@ -c @@",
        "echo ${#list[@]} \"${HOME}/@@\"",
        "sh -c \"echo {{loop.index}}\"",
        "f() { echo \"$1\"; }; f @@",
        "set -- @@; echo \"$1\"",
        "f() { cat \"$1\"; }; f @@; echo $((x / 1024))",
        "$CARGO run -- @@",
        "n=$(wc -l < @@); size=$(awk '{print $1}' \"@@/list\"); echo $((n / 2)) $((size + 1))",
        "sed -i '' s/a/b/ @@",
        "set -eu; cat @@; exec ./bin/x @@",
        "rsync -av @@ host:@@",
        "while read line; do echo \"$line\"; done <<EOF\n@@\nEOF",
    ] {
        assert_eq!(places(line), [], "{line}");
    }
    for words in [
        &["echo", "@@", "-@@"][..],
        &["sh", "-c", "echo \"$1\"", "_", "@@"],
        &["curl", "-d", "{\"a\": \"@@\"}", "@@"],
        &["git", "commit", "-m", "@@"],
        &["./@@"],
        &["python3", "-c", "print(1)", "@@"],
    ] {
        assert_eq!(argument_places(words), [], "{words:?}");
    }
}

#[test]
fn every_position_suggests_a_fix() {
    let sentence = |line: &str| places(line)[0].to_string();
    assert_eq!(
        sentence("bash -c 'echo @@'"),
        "into code for bash, where a value can run commands; pass it as an argument: sh -c 'echo \"$1\"' _ {{…}}"
    );
    assert!(
        sentence("python3 -c 'print(@@)'")
            .ends_with("python3 -c 'import sys; print(sys.argv[1])' {{…}}")
    );
    assert!(sentence("echo ${x:-@@}").starts_with("inside ${…}; set a variable first: x={{…}}"));
}

#[test]
fn values_of_loops_count_too() {
    let found = |line: &str, scope| unsafe_values(line, &BTreeMap::new(), scope).len();
    assert_eq!(
        found("sh -c 'echo {{loop.previous.outputs.x}}'", LoopScope::Body),
        1
    );
    assert_eq!(
        found(
            "sh -c 'echo {{loop.index}}' ; echo $(({{loop.index}} + 1))",
            LoopScope::Body
        ),
        0,
        "a number"
    );
    assert_eq!(
        found("echo {{loop.previous.outputs.x | split}}", LoopScope::Body),
        1,
        "it is not known yet"
    );
    assert_eq!(found("cat <<'E'\n{{loop.index}}\nE", LoopScope::Body), 1);
}
