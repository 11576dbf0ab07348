import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

/** In the place of GitHub: keeps what it is asked to open. */
const gh = `#!/bin/sh
here=$(dirname "$0")
case "$1 $2" in
  "auth token") echo secret;;
  "pr list") echo '[]';;
  "pr create") printf '%s\\n' "$@" > "$here/arguments"; cat > "$here/description"
    echo https://github.com/acme/app/pull/7;;
esac
`;

const search = process.env.PATH;
/** @type {string} */
let fake;

before(async () => {
  fake = await mkdtemp(path.join(tmpdir(), "baton-gh-"));
  process.env.PATH = `${fake}${path.delimiter}${search}`;
});
after(async () => {
  process.env.PATH = search;
  await rm(fake, { recursive: true, force: true });
});

/** @param {string} folder */
const plan = (folder) => `baton: 1
title: Sign in
description: Let people sign in.
cwd: ${folder}
isolation: worktree
nodes:
  - {id: form, title: Form, kind: command, command: 'echo form > form.txt && echo "Added a form." > $BATON_SUMMARY'}
`;

/**
 * A repository with a bare one as its remote, which has the address of one on GitHub.
 *
 * @param {string} folder
 */
async function createRepository(folder) {
  const run = promisify(execFile);
  const git = async (...words) => {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@b"];
    return (await run("git", [...identity, ...words], { cwd: folder })).stdout.trimEnd();
  };
  const bare = `${folder}-remote.git`;
  await git("init", "-q", "--bare", bare);
  await git("init", "-q", "--initial-branch=main");
  await writeFile(path.join(folder, ".git/info/exclude"), "*.yaml\n");
  await writeFile(path.join(folder, "first.txt"), "first\n");
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
  const address = "https://github.com/acme/app";
  await git("config", `url.${bare}.insteadOf`, address);
  await git("remote", "add", "origin", address);
  await git("push", "-q", "origin", "main");
  return { git, bare };
}

/** @param {import("playwright-core").Page} page */
async function openDialog(page) {
  await page.getByRole("button", { name: "Review" }).click();
  const changes = page.getByRole("dialog", { name: "Changes from this run" });
  await changes.getByRole("button", { name: "Open pull request…" }).click();
  const dialog = page.getByRole("dialog", { name: "Open pull request" });
  await dialog.getByRole("textbox", { name: "Title" }).waitFor();
  return dialog;
}

journey(
  "without gh, a branch with the work is made; with gh, a pull request is opened from it",
  async ({ page, folder }) => {
    const { git, bare } = await createRepository(folder);
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    await blueprint.run();
    await blueprint.cardIn("Form", "Done").waitFor();

    const without = await openDialog(page);
    await without.getByText(/gh isn't (installed|signed in)/).waitFor();
    await takeScreenshots(page, "pull-request-without-program");
    await without.getByRole("button", { name: "Create branch" }).click();
    await without.getByText("push --set-upstream 'origin' 'baton/sign-in-1'").waitFor();
    await without.getByRole("button", { name: "Copy the command" }).waitFor();
    await takeScreenshots(page, "pull-request-branch");
    assert.deepEqual(await seriousFaults(page), []);
    await without.getByRole("button", { name: "Done" }).click();
    assert.equal(await git("show", "baton/sign-in-1:form.txt"), "form");
    assert.equal(await git("--git-dir", bare, "branch", "--format=%(refname:short)"), "main");

    await writeFile(path.join(fake, "gh"), gh);
    await chmod(path.join(fake, "gh"), 0o755);
    const dialog = await openDialog(page);
    await dialog.getByText("opens the pull request with gh").waitFor();
    await dialog.getByText("Exists, with this work.").waitFor();
    const files = dialog.getByRole("list", { name: "Files in the pull request" });
    await files.getByText("form.txt").waitFor();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Add a form");
    await dialog.getByRole("switch", { name: "Draft" }).click();
    await takeScreenshots(page, "pull-request");
    assert.deepEqual(await seriousFaults(page), []);
    await dialog.getByRole("button", { name: "Open pull request" }).click();
    const link = dialog.getByRole("link", { name: "https://github.com/acme/app/pull/7" });
    await link.waitFor();
    await takeScreenshots(page, "pull-request-opened");
    assert.deepEqual(await seriousFaults(page), []);

    const asked = await readFile(path.join(fake, "arguments"), "utf8");
    for (const part of ["--title\nAdd a form\n", "--base\nmain\n", "--draft\n"]) {
      assert.ok(asked.includes(part), `${part}: ${asked}`);
    }
    const description = await readFile(path.join(fake, "description"), "utf8");
    assert.match(description, /Let people sign in\.[\s\S]*Added a form\./);
    assert.equal(await git("--git-dir", bare, "show", "baton/sign-in-1:form.txt"), "form");
    assert.equal(await git("status", "--porcelain"), "", "the directory doesn't change");

    await dialog.getByRole("button", { name: "Done" }).click();
    const again = await openDialog(page);
    await again.getByRole("link", { name: "https://github.com/acme/app/pull/7" }).waitFor();
    await again.getByRole("button", { name: "Update pull request" }).waitFor();
  },
);
