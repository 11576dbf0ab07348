import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

/** @param {string} folder */
const plan = (folder) => `baton: 1
title: Sign in
description: Let people sign in.
cwd: ${folder}
nodes:
  - {id: form, title: Form, kind: command, command: cat src/form.txt}
`;

/**
 * A repository with one commit.
 *
 * @param {string} folder
 */
async function createRepository(folder) {
  const run = promisify(execFile);
  /** @param {string[]} words */
  const git = async (...words) => {
    const identity = ["-c", "user.name=Ann", "-c", "user.email=a@b"];
    await run("git", [...identity, ...words], { cwd: folder });
  };
  await git("init", "-q", "--initial-branch=main");
  await writeFile(path.join(folder, ".git/info/exclude"), "*.yaml\n");
  await mkdir(path.join(folder, "src"));
  await writeFile(path.join(folder, "src/form.txt"), "form\n");
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
  return git;
}

journey("what changed since the approval is shown before the next run", async (given) => {
  const { page, folder } = given;
  const git = await createRepository(folder);
  const blueprint = await Blueprint.importFile(page, folder, plan(folder));
  await blueprint.run();
  await blueprint.cardIn("Form", "Done").waitFor();

  const pill = page.getByRole("button", { name: "Approved", exact: true });
  await pill.click();
  const popover = page.getByRole("dialog", { name: "Approval" });
  await popover.getByText(/^Nothing changed since you approved version 1/).waitFor();
  await page.keyboard.press("Escape");
  await popover.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByRole("button", { name: "Latest run" }).click();
  await page.getByRole("menu").getByText(/^#2 /).waitFor();
  await page.keyboard.press("Escape");
  await blueprint.cardIn("Form", "Done").waitFor();

  await writeFile(path.join(folder, "src/form.txt"), "changed\n");
  await git("commit", "-q", "-a", "-m", "Change <b>the form</b>");
  await git("switch", "-q", "-c", "feature");
  await mkdir(path.join(folder, "many"));
  for (let number = 0; number < 1_000; number += 1)
    await writeFile(path.join(folder, `many/${number}.txt`), "x\n");

  await pill.focus();
  await page.keyboard.press("Enter");
  const section = popover.getByRole("region", { name: "Since the approval" });
  await section.getByText("Change <b>the form</b>").waitFor();
  await section.getByText("Branch switched from main to feature").waitFor();
  const files = section.getByText("1,001 files changed (1 in commits, 1,000 uncommitted)");
  await files.waitFor();
  assert.equal(await section.getByText("many/0.txt").isVisible(), false, "many files are folded");
  await files.click();
  const rows = section.getByRole("list", { name: "Changed files" }).getByRole("listitem");
  assert.equal(await rows.count(), 50);
  assert.match(await rows.first().innerText(), /src\/form\.txt\s+named in the blueprint/);
  await section.getByText("and 951 more").waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await takeScreenshots(page, "since-approval");
  await page.keyboard.press("Escape");

  const dialog = page.getByRole("dialog", { name: "Ready to run" });
  const shown = dialog.getByText("Branch switched from main to feature");
  await page.keyboard.press("Control+Enter");
  await shown.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await page.getByRole("link", { name: "Blueprints" }).first().press("Enter");
  const row = page.getByRole("row").filter({ hasText: "Sign in" });
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Run", exact: true }).click();
  await shown.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await row.getByRole("link", { name: "Sign in" }).click();

  await page.getByRole("button", { name: "Run all" }).click();
  await shown.waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await blueprint.cardIn("Form", "Done").waitFor();
});
