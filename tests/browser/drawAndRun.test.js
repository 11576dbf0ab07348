import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey(
  "a person draws a blueprint, runs it, and reads what happened",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.create(page, { title: "Release notes", directory: folder });
    await draw(blueprint);
    await rejectCycle(blueprint);
    await undoAndRedo(blueprint);
    await page.getByRole("button", { name: "Approve blueprint" }).click();
    await page.getByText("Approved", { exact: true }).waitFor();

    await blueprint.run();
    await blueprint.cardIn("Collect", "Running").waitFor();
    await blueprint.cardIn("Draft", "Pending").waitFor();
    await writeFile(path.join(folder, "go"), "");
    for (const title of ["Collect", "Draft", "Check"]) {
      await blueprint.cardIn(title, "Done").waitFor();
    }

    // The second node takes the number from the first one's output, so the file shows whether it
    // was passed on.
    assert.equal(await readFile(path.join(folder, "notes"), "utf8"), "12 commits\n");
    await readHandoff(blueprint);
    await readList(blueprint);
    await readTimeline(blueprint);
  },
);

/** @param {Blueprint} blueprint */
async function draw(blueprint) {
  await blueprint.place("command", "Collect", { x: 420, y: 300 });
  await blueprint.place("command", "Draft", { x: 760, y: 220 });
  await blueprint.place("command", "Check", { x: 760, y: 400 });
  await blueprint.connect("Collect", "Draft");
  await blueprint.connect("Draft", "Check");
  await blueprint.write(
    "Collect",
    "Command",
    'until [ -e go ]; do sleep 0.1; done; echo counting; echo commits=12 >> "$BATON_OUTPUT"',
  );
  await blueprint.write(
    "Draft",
    "Command",
    'echo "{{nodes.collect.outputs.commits}} commits" > notes',
  );
  await blueprint.write("Check", "Command", "grep -q commits notes");
}

/** @param {Blueprint} blueprint */
async function rejectCycle(blueprint) {
  const { page } = blueprint;
  await blueprint.holdEdge("Check", "Collect");
  await page.getByText("would create a cycle: Check → Collect → Draft → Check").waitFor();
  await page.mouse.up();

  await page.getByText("would create a cycle", { exact: false }).waitFor({ state: "detached" });
  assert.equal(await page.locator(".react-flow__edge").count(), 2);
}

/** @param {Blueprint} blueprint */
async function undoAndRedo(blueprint) {
  const { page } = blueprint;
  const check = blueprint.card("Check");
  await blueprint.select("Check");
  await page.keyboard.press("Delete");
  await check.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo Delete 1 node" }).click();
  await check.waitFor();
  assert.equal(await page.locator(".react-flow__edge").count(), 2, "its edge is restored, too");

  await page.keyboard.press("Control+Shift+Z");
  await check.waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  await check.waitFor();
  await blueprint.waitUntilSaved();
}

/** @param {Blueprint} blueprint */
async function readHandoff(blueprint) {
  const { inspector } = blueprint;
  await blueprint.select("Draft");
  await inspector.getByRole("tab", { name: "Handoff" }).click();
  await inspector.getByText("Received: about").waitFor();
  await inspector.getByRole("listitem").filter({ hasText: "Collect" }).getByText("12").waitFor();
}

/** @param {Blueprint} blueprint */
async function readList({ page }) {
  await page.getByRole("radio", { name: "List" }).click();
  for (const title of ["Collect", "Draft", "Check"]) {
    await page.getByRole("option", { name: `${title}, command, Done` }).waitFor();
  }
}

/** @param {Blueprint} blueprint */
async function readTimeline({ page, inspector }) {
  await page.getByRole("option", { name: "Collect, command, Done" }).click();
  await inspector.getByRole("tab", { name: /^Attempts/ }).click();
  await inspector.getByRole("link", { name: "Open timeline" }).click();
  await page.getByRole("heading", { name: "Collect" }).waitFor();
  await page.getByText("counting", { exact: true }).waitFor();
}
