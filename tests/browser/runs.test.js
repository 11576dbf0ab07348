import assert from "node:assert/strict";
import path from "node:path";
import { addressOf, callOperation } from "./support/api.js";
import { seriousFaults } from "./support/axe.js";
import { journey } from "./support/journey.js";
import { startAgain } from "./support/pages.js";

/**
 * Creates an approved blueprint with one command and runs it, one run after another.
 *
 * @param {import("./support/server.js").Server} server
 * @param {{ folder: string, title: string, command: string, runs: number }} wish
 */
async function createRuns(server, { folder, title, command, runs }) {
  const text = JSON.stringify({
    ...{ baton: 1, title, cwd: folder },
    nodes: [{ id: "work", title: "Work", kind: "command", command }],
  });
  const imported = await callOperation(server, "plan_import", {
    fileName: path.join(folder, "plan.json"),
    text,
    cwd: null,
  });
  const { plan: content, revision } = imported.plan;
  const plan = content.id;
  await callOperation(server, "plan_approve", { plan, revision, anyway: false });
  const ids = [];
  for (let at = 0; at < runs; at += 1) {
    const { summary } = await callOperation(server, "run_start", {
      plan,
      goal: { want: "all" },
      limit: null,
    });
    ids.push(summary.id);
    await settled(server, summary.id);
  }
  return { plan, runs: ids };
}

/** Waits until a run ends or needs a person. The journey's time limit ends the wait. */
async function settled(server, run) {
  for (;;) {
    const { summary } = await callOperation(server, "run_get", { run });
    if (summary.state.state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

journey("runs are found, filtered, compared and deleted", async ({ page, server, folder }) => {
  const good = await createRuns(server, { folder, title: "Build", command: "true", runs: 3 });
  await createRuns(server, { folder, title: "Deploy", command: "exit 3", runs: 1 });

  await page.keyboard.press("g");
  await page.getByText("Go to Runs").waitFor();
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  await page.getByText("4 runs", { exact: true }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);

  await page.getByRole("button", { name: "Needs attention" }).click();
  await page.getByText("1 match", { exact: true }).waitFor();
  await page.getByRole("link", { name: "1 failed" }).click();
  await page.getByRole("complementary", { name: "Inspector" }).getByText("Work").first().waitFor();

  await page.goBack();
  await page.getByText("1 match", { exact: true }).waitFor();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByText("4 runs", { exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("build");
  await page.getByText("3 matches", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("2 runs selected").waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByRole("table", { name: "Totals" }).waitFor();
  await page.getByRole("table", { name: "Nodes" }).getByText("Work", { exact: true }).waitFor();
  await page.getByRole("switch", { name: "Only differences" }).click();
  await page.getByRole("heading", { name: "No differences" }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);

  await page.goto(addressOf(server, `/runs?plan=${good.plan}`));
  await page.getByText("3 matches", { exact: true }).waitFor();
  await page.getByRole("grid", { name: "Runs" }).focus();
  await page.keyboard.press("Control+A");
  await page.getByText("3 runs selected").waitFor();
  await page.keyboard.press("Delete");
  const question = page.getByRole("alertdialog", { name: "Delete 3 runs?" });
  await question.getByRole("button", { name: "Delete 3 runs" }).click();
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  assert.equal(await countRuns(server, good.plan), 3, "nothing is deleted yet");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("3 matches", { exact: true }).waitFor();

  await page.getByRole("grid", { name: "Runs" }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete 3 runs" }).click();
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  const toast = page.getByRole("listitem").filter({ hasText: "Deleting 3 runs" });
  await Promise.all([
    page.waitForResponse((response) => response.url().includes("runs_delete")),
    toast.getByRole("button", { name: "Dismiss" }).click(),
  ]);
  assert.equal(await countRuns(server, good.plan), 0);
});

/** Counts the runs of a blueprint. */
async function countRuns(server, plan) {
  const { total } = await callOperation(server, "runs_page", {
    ...{ plan, states: [], startedBy: null, search: "", since: null, until: null },
    ...{ sort: "newest", after: null, limit: 10 },
  });
  return total;
}

journey("a saved view survives a server restart", async ({ page, server, folder }) => {
  await createRuns(server, { folder, title: "Build", command: "true", runs: 1 });
  await page.goto(addressOf(server, "/runs?sort=longest"));
  await page.getByText("1 run", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save these filters as a view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Slowest");
  const saved = page.waitForResponse(/app_state_save/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Slowest", pressed: true }).waitFor();
  await saved;

  await server.kill();
  await startAgain(page, server);
  await page.getByRole("link", { name: "Runs" }).click();
  await page.getByRole("button", { name: "Slowest" }).click();
  await page.waitForURL(/sort=longest/);
});

journey(
  "an archived blueprint leaves the list and comes back",
  async ({ page, server, folder }) => {
    await createRuns(server, { folder, title: "Build", command: "true", runs: 1 });
    await createRuns(server, { folder, title: "Deploy", command: "true", runs: 1 });
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    const build = page.getByRole("row").filter({ hasText: "Build" });
    await build.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await build.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Archived/ }).click();
    await build.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Unarchive" }).click();
    await build.waitFor({ state: "detached" });
  },
);
