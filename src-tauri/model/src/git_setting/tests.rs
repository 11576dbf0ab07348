use super::*;

/// Each key of git, git-lfs and git's own commands by which a repository can name a program, with a
/// value that does and one that doesn't.
#[test]
fn program_keys_are_distinguished_from_others() {
    let table: &[(&str, &str, Option<&str>)] = &[
        ("core.hookspath", ".husky/_", None),
        ("core.attributesfile", "/tmp/attributes", None),
        ("core.fsmonitor", "/tmp/evil", Some("true")),
        ("core.sshcommand", "ssh -i key", Some("")),
        ("core.gitproxy", "proxy for example.org", Some("")),
        ("core.editor", "vi", Some("")),
        ("core.pager", "less", Some("")),
        ("core.askpass", "/tmp/evil", Some("")),
        ("core.alternaterefscommand", "/tmp/evil", Some("")),
        ("core.virtualfilesystem", "/tmp/evil", Some("")),
        ("sequence.editor", "vi", Some("")),
        ("filter.x.clean", "/tmp/evil", Some("")),
        ("filter.a.b=c.smudge", "/tmp/evil", Some("")),
        ("filter.x.process", "/tmp/evil", Some("")),
        (
            "filter.lfs.clean",
            "git-lfs clean -- %f; evil",
            Some("git-lfs clean -- %f"),
        ),
        (
            "filter.lfs.smudge",
            "./git-lfs smudge -- %f",
            Some("git-lfs smudge --skip -- %f"),
        ),
        (
            "filter.lfs.process",
            "/tmp/git-lfs filter-process",
            Some("git-lfs filter-process"),
        ),
        ("filter.other.process", "git-lfs filter-process", Some("")),
        ("lfs.extension.x.clean", "evil", Some("")),
        ("lfs.extension.x.smudge", "evil", Some("")),
        ("lfs.customtransfer.x.path", "evil", Some("")),
        ("lfs.standalonetransferagent", "evil", Some("")),
        (
            "lfs.https://example.org.standalonetransferagent",
            "evil",
            Some(""),
        ),
        ("merge.x.driver", "evil %A", Some("")),
        ("diff.x.command", "evil", Some("")),
        ("diff.x.textconv", "evil", Some("")),
        ("diff.external", "evil", Some("")),
        ("alias.st", "!sh -c evil", Some("status --short")),
        (
            "alias.co",
            "-c core.fsmonitor=/tmp/evil checkout",
            Some("checkout"),
        ),
        ("alias.rb", "rebase --exec=evil main", Some("rebase main")),
        (
            "alias.sm",
            "submodule foreach evil",
            Some("submodule status"),
        ),
        ("alias.fe", "fetch ext::evil", Some("fetch origin")),
        ("include.path", "../evil", None),
        ("includeif.gitdir:~/work/.path", "evil", None),
        ("credential.helper", "!evil", Some("")),
        ("credential.https://example.org.helper", "store", Some("")),
        ("gpg.program", "evil", Some("")),
        ("gpg.ssh.program", "evil", Some("")),
        ("gpg.ssh.defaultkeycommand", "evil", Some("")),
        ("remote.origin.uploadpack", "evil", Some("")),
        ("remote.origin.receivepack", "evil", Some("")),
        ("remote.origin.vcs", "evil", Some("")),
        (
            "remote.origin.url",
            "ext::sh -c evil",
            Some("git@example.org:a/b.git"),
        ),
        ("remote.origin.pushurl", "fd::17", Some("ssh://[::1]/a.git")),
        (
            "url.ext::sh -c evil .insteadof",
            "https://example.org/",
            None,
        ),
        (
            "url.ext::sh -c evil .pushinsteadof",
            "https://example.org/",
            None,
        ),
        ("protocol.allow", "always", Some("never")),
        ("protocol.ext.allow", "user", Some("never")),
        ("uploadpack.packobjectshook", "evil", Some("")),
        ("gc.recentobjectshook", "evil", Some("")),
        ("pager.log", "evil", Some("true")),
        ("difftool.x.cmd", "evil", Some("")),
        ("difftool.x.path", "evil", Some("")),
        ("mergetool.x.cmd", "evil", Some("")),
        ("mergetool.vimdiff.path", "evil", Some("")),
        ("browser.x.cmd", "evil", Some("")),
        ("browser.firefox.path", "evil", Some("")),
        ("man.x.cmd", "evil", Some("")),
        ("man.woman.path", "evil", Some("")),
        ("guitool.x.cmd", "evil", Some("")),
        ("interactive.difffilter", "evil", Some("")),
        ("submodule.x.update", "!evil", Some("rebase")),
        ("hook.x.command", "evil", Some("")),
        ("trailer.x.cmd", "evil", Some("")),
        ("trailer.x.command", "evil", Some("")),
        ("tar.x.command", "evil", Some("")),
        ("sendemail.smtpserver", "/tmp/evil", Some("")),
        ("sendemail.work.sendmailcmd", "evil", Some("")),
        ("sendemail.tocmd", "evil", Some("")),
        ("sendemail.cccmd", "evil", Some("")),
        ("sendemail.headercmd", "evil", Some("")),
        ("imap.tunnel", "evil", Some("")),
        ("instaweb.httpd", "evil", Some("")),
        ("instaweb.modulepath", "/tmp/modules", None),
        ("init.templatedir", "/tmp/template", None),
        ("svn.authorsprog", "evil", Some("")),
    ];
    for (key, program, harmless) in table {
        assert!(runs_program(key, program), "{key} = {program}");
        if let Some(harmless) = harmless {
            assert!(!runs_program(key, harmless), "{key} = {harmless}");
        }
    }
}

#[test]
fn settings_of_common_git_commands_run_nothing() {
    for (key, value) in [
        ("branch.main.remote", "origin"),
        ("branch.main.merge", "refs/heads/main"),
        ("branch.main.rebase", "true"),
        ("remote.origin.url", "https://example.org/a.git"),
        ("remote.origin.url", "git@github.com:a/b.git"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
        ("url.git@github.com:.insteadof", "https://github.com/"),
        ("user.name", "Somebody"),
        ("core.bare", "false"),
        ("core.worktree", "../../elsewhere"),
        ("core.sparsecheckout", "true"),
        ("core.excludesfile", "/tmp/ignored"),
        ("extensions.worktreeconfig", "true"),
        ("filter.lfs.required", "true"),
        ("diff.x.xfuncname", "^fn"),
        ("merge.tool", "vimdiff"),
        ("submodule.x.url", "https://example.org/a.git"),
        ("submodule.x.active", "true"),
        ("lfs.https://example.org/info/lfs.access", "basic"),
        ("protocol.version", "2"),
        ("protocol.file.allow", "always"),
        ("commit.gpgsign", "true"),
        ("alias.lg", "log --graph --oneline"),
        ("nothing", "evil"),
    ] {
        assert!(!runs_program(key, value), "{key} = {value}");
    }
}

fn settings(pairs: &[(&str, &str)]) -> Vec<Setting> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn change(key: &str, before: &[&str], after: &[&str]) -> SettingChange {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    SettingChange {
        key: key.to_owned(),
        before: owned(before),
        after: owned(after),
    }
}

#[test]
fn changed_keys_are_listed_with_all_values() {
    let before = settings(&[
        ("core.pager", "less"),
        ("credential.helper", ""),
        ("credential.helper", "mine"),
        ("include.path", "a"),
        ("user.name", "A"),
        ("alias.st", "status"),
    ]);
    let after = settings(&[
        ("alias.st", "!evil"),
        ("credential.helper", ""),
        ("credential.helper", "mine"),
        ("credential.helper", "!evil"),
        ("core.pager", "less"),
        ("user.name", "B"),
        ("branch.main.remote", "origin"),
    ]);
    let expected = [
        change("alias.st", &["status"], &["!evil"]),
        change("credential.helper", &["", "mine"], &["", "mine", "!evil"]),
        change("include.path", &["a"], &[]),
    ];
    assert_eq!(changed_program_settings(&before, &after), expected);
    assert_eq!(changed_program_settings(&before, &before), []);
}

#[test]
fn the_order_of_values_counts() {
    let (one, other) = (
        settings(&[("core.pager", "a"), ("core.pager", "b")]),
        settings(&[("core.pager", "b"), ("core.pager", "a")]),
    );
    assert_eq!(
        changed_program_settings(&one, &other),
        [change("core.pager", &["a", "b"], &["b", "a"])]
    );
}

#[test]
fn attributes_that_choose_a_program_are_found() {
    let text = "# * filter=no\n*.psd filter=lfs diff=lfs merge=lfs -text\n  *.c filter=evil\n[attr]x diff=evil\n*.md merge=union\n*.txt text\nfilter=name\n";
    assert_eq!(
        attribute_lines_with_drivers(text),
        ["*.c filter=evil", "[attr]x diff=evil"]
    );
}
