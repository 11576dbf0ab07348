import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = `
baton: 1
title: Nightly build
cwd: FOLDER
autonomy: 2
concurrency: 3
nodes:
  - { id: fetch, title: Fetch, kind: command, command: sleep 0.2 }
  - { id: compile, title: Compile, kind: command, command: "until [ -e tried ]; do sleep 0.1; done; sleep 0.4", dependsOn: [fetch] }
  - { id: lint, title: Lint, kind: command, command: "sleep 0.3; [ -e tried ] || { touch tried; exit 1; }", dependsOn: [fetch], maxRetries: 1 }
  - { id: ask, title: Choose a name, kind: user_input, question: What is it called?, dependsOn: [lint] }
  - { id: pack, title: Pack, kind: command, command: sleep 0.3, dependsOn: [compile, ask] }
`;

journey(
  "a person answers at the node, replays the run, and reads its times",
  async ({ page, folder }) => {
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
    await blueprint.run();
    await answer(blueprint);
    for (const title of ["Fetch", "Compile", "Lint", "Choose a name", "Pack"])
      await blueprint.cardIn(title, "Done").waitFor();
    await replayRun(blueprint);
    await readTimes(blueprint);
    await reorder(blueprint);
  },
);

/** @param {Blueprint} blueprint */
async function answer(blueprint) {
  const { page } = blueprint;
  await blueprint.cardIn("Choose a name", "Waiting for you").waitFor();
  await blueprint.select("Choose a name");
  await page.keyboard.press("a");
  const question = page.getByRole("dialog", { name: "Question from Choose a name" });
  await question.getByText("What is it called?").waitFor();
  await takeScreenshots(page, "running-answer");
  await question.getByRole("textbox").fill("Baton");
  await question.getByRole("button", { name: "Answer" }).click();
  await question.waitFor({ state: "detached" });
}

/** @param {Blueprint} blueprint */
async function replayRun(blueprint) {
  const { page } = blueprint;
  await page.keyboard.press("Escape");
  await page.keyboard.press("h");
  const slider = page.getByRole("slider", { name: "Replay position" });
  await slider.focus();
  await page.keyboard.press("Home");
  await blueprint.cardIn("Fetch", "Pending").waitFor();
  await blueprint.cardIn("Pack", "Pending").waitFor();

  // Event by event until the question: earlier nodes are done, later ones are not.
  const asked = blueprint.cardIn("Choose a name", "Waiting for you");
  for (let step = 0; step < 60 && (await asked.count()) === 0; step += 1) {
    const before = await slider.getAttribute("aria-valuenow");
    await page.keyboard.press("ArrowRight");
    // Wait until each press is rendered, or a slow page would skip the question.
    await page.waitForFunction(isDrawnAfter, before);
  }
  await blueprint.cardIn("Lint", "Done").waitFor();
  await blueprint.cardIn("Pack", "Pending").waitFor();
  assert.match(await slider.getAttribute("aria-valuetext"), /after the start, \d of 5 finished/);
  await takeScreenshots(page, "running-past");
  assert.deepEqual(await seriousFaults(page), []);

  // The past cannot be changed: the key has no effect.
  await blueprint.card("Pack").click();
  await page.keyboard.press("F2");
  assert.equal(await page.getByRole("textbox", { name: "Node title" }).count(), 0);
  await page.getByRole("complementary", { name: "Run at this moment" }).waitFor();

  await slider.focus();
  await page.keyboard.press("End");
  await blueprint.cardIn("Pack", "Done").waitFor();
  await page
    .getByRole("region", { name: "Replay" })
    .getByRole("button", { name: /^Back to now/ })
    .click();
  await slider.waitFor({ state: "detached" });
  await blueprint.cardIn("Pack", "Done").waitFor();
}

/**
 * Runs in the page: whether the timeline has left the event `before`, with the graph rendered.
 *
 * @param {string} before
 */
async function isDrawnAfter(before) {
  const slider = document.querySelector("[role=slider][aria-label='Replay position']");
  if (slider === null || slider.getAttribute("aria-valuenow") === before) return false;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  return true;
}

/** @param {Blueprint} blueprint */
async function readTimes({ page }) {
  await page.getByRole("radio", { name: "Times" }).click();
  const rows = page.getByRole("listbox", { name: "Node times" }).getByRole("option");
  await rows.nth(4).waitFor();
  const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
  const lint = labels.find((label) => label?.startsWith("Lint,")) ?? "";
  assert.match(lint, /Attempt 1: Failed.*Until the next attempt.*Attempt 2: Done/s);
  const ask = labels.find((label) => label?.startsWith("Choose a name,")) ?? "";
  assert.match(ask, /of it waiting for you/);
  assert.ok(labels[0]?.startsWith("Fetch,"), "the node that started first is listed first");

  // Compile and the first attempt of Lint start together, and Compile takes longer.
  await page.getByText(/^Peak parallelism [23] \(limit 3, possible 2\)/).waitFor();
  await page.keyboard.press("Shift+C");
  await page.getByRole("option", { name: /^Pack, .*on the critical path/ }).waitFor();
  await takeScreenshots(page, "running-times");
  assert.deepEqual(await seriousFaults(page), []);

  // All three views share the selection.
  await page.getByRole("option", { name: /^Compile,/ }).click();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("radio", { name: "List" }).click();
  assert.equal(await page.locator("[role=option][aria-selected=true]").count(), 1);
}

/** @param {Blueprint} blueprint */
async function reorder(blueprint) {
  const { page } = blueprint;
  const titles = () =>
    page
      .getByRole("listbox", { name: "Blueprint nodes" })
      .getByRole("option")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")?.split(",")[0]));
  const before = await titles();
  const pack = page.getByRole("option", { name: /^Pack,/ });
  await pack.click();
  await page.keyboard.press("Alt+ArrowUp");
  await page.waitForFunction(() =>
    document.querySelectorAll("[role=option]")[3]?.getAttribute("aria-label")?.startsWith("Pack"),
  );
  await page.getByRole("button", { name: /^Undo: Reorder 1 node|^Undo Reorder 1 node/ }).click();
  assert.deepEqual(await titles(), before);

  await pack.hover();
  const handle = await pack.locator("[title^=Drag]").boundingBox();
  const first = await page.getByRole("option", { name: /^Fetch,/ }).boundingBox();
  assert.ok(handle && first);
  await page.mouse.move(handle.x + 5, handle.y + 5);
  await page.mouse.down();
  await page.mouse.move(handle.x + 5, first.y + 2, { steps: 6 });
  await page.mouse.up();
  assert.equal((await titles())[0], "Pack");
  await blueprint.waitUntilSaved();
  await takeScreenshots(page, "running-list");
  assert.deepEqual(await seriousFaults(page), []);

  // The order belongs to the plan, not to this window.
  await page.reload();
  await page.getByRole("option", { name: /^Fetch,/ }).waitFor();
  assert.equal((await titles())[0], "Pack");
}
