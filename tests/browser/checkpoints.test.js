import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { showDrawer } from "./support/pages.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = (folder) => `baton: 1
title: Rewrite
cwd: ${folder}
nodes:
  - {id: first, title: First part, kind: command, command: echo first >> work.txt}
  - {id: ask, title: Go on, kind: user_input, dependsOn: [first], question: Go on?, inputType: confirm}
  - {id: second, title: Second part, kind: command, dependsOn: [ask], command: echo second >> work.txt}
`;

journey("a run is rolled back to a checkpoint with its files", async ({ page, folder }) => {
  await promisify(execFile)("git", ["init", "-q"], { cwd: folder });
  const work = () => readFile(path.join(folder, "work.txt"), "utf8");
  const blueprint = await Blueprint.importFile(page, folder, plan(folder));
  await blueprint.run();
  await blueprint.cardIn("Go on", "Waiting for you").waitFor();

  const dialog = await createCheckpoint(page, "before the second part");
  await dialog.getByRole("listitem").getByText("with files").waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.keyboard.press("Escape");

  await blueprint.card("Go on").click();
  await blueprint.inspector.getByRole("button", { name: "Yes", exact: true }).click();
  await blueprint.cardIn("Second part", "Done").waitFor();
  assert.equal(await work(), "first\nsecond\n");

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Open checkpoints" }).click();
  await dialog.getByRole("button", { name: "Roll back to before the second part" }).click();
  const form = dialog.getByRole("region", { name: "Roll back to before the second part" });
  await form.getByText("work.txt").waitFor();
  await form.getByRole("switch", { name: "Restore files too" }).click();
  await form.getByRole("button", { name: "Roll back with files" }).click();
  await blueprint.cardIn("Second part", "Pending").waitFor();
  await blueprint.cardIn("First part", "Done").waitFor();
  // The run is rolled back first, then its files.
  for (const until = Date.now() + 30_000; (await work()) !== "first\n"; await pause(20)) {
    assert.ok(Date.now() < until, `the file is still ${await work()}`);
  }
});

journey("a run is rolled back from a line of its history", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, plan(folder));
  await blueprint.run();
  await blueprint.cardIn("Go on", "Waiting for you").waitFor();
  const dialog = await createCheckpoint(page, "halfway");
  await dialog.getByRole("listitem").getByText("halfway").waitFor();
  await page.keyboard.press("Escape");
  await blueprint.card("Go on").click();
  await blueprint.inspector.getByRole("button", { name: "Yes", exact: true }).click();
  await blueprint.cardIn("Second part", "Done").waitFor();

  await showDrawer(page, true);
  await page.getByRole("tab", { name: "History" }).click();
  const history = page.getByRole("grid", { name: "Run history" });
  const own = history.getByRole("row").filter({ hasText: "halfway" });
  await own.getByRole("button", { name: "Roll back…", exact: true }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await takeScreenshots(page, "history-rollback");

  // By keyboard, from the newest line: the question names the checkpoint before it.
  await history.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("ContextMenu");
  await page.getByRole("menuitem", { name: /^Roll back to before this…/ }).press("Enter");
  const form = dialog.getByRole("region", { name: "Roll back to halfway" });
  await form.getByText("Nodes return to their state at “halfway”").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await blueprint.cardIn("Second part", "Done").waitFor();

  await own.getByRole("button", { name: "Roll back…", exact: true }).click();
  assert.deepEqual(await seriousFaults(page), []);
  await form.getByRole("button", { name: "Roll back", exact: true }).click();
  await blueprint.cardIn("Second part", "Pending").waitFor();
  await blueprint.cardIn("First part", "Done").waitFor();
});

/** Creates a checkpoint in the dialog of checkpoints, and returns the dialog, which stays open. */
async function createCheckpoint(page, name) {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Open checkpoints" }).click();
  const dialog = page.getByRole("dialog", { name: "Checkpoints" });
  await dialog.getByRole("textbox", { name: "Checkpoint name" }).fill(name);
  await dialog.getByRole("button", { name: "Create checkpoint" }).click();
  return dialog;
}
