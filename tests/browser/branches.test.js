import assert from "node:assert/strict";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey(
  "a person draws a condition, and the branch that is not taken is skipped",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.create(page, { title: "Fork", directory: folder });
    await draw(blueprint);
    await rejectCycle(blueprint);
    await deleteAndUndo(blueprint);

    await blueprint.run();
    await blueprint.cardIn("Publish", "Done").waitFor();
    await blueprint.cardIn("Put off", "Skipped").waitFor();
    await blueprint.cardIn("Tell everybody", "Done").waitFor();
    const label = await blueprint.cardIn("Put off", "Skipped").getAttribute("aria-label");
    assert.equal(label, "Put off, command, Skipped, Not taken: Enough chose another branch");

    await blueprint.select("Enough");
    await blueprint.inspector.getByText("Took the true branch").waitFor();
  },
);

/** @param {Blueprint} blueprint */
async function draw(blueprint) {
  await blueprint.place("command", "Count", { x: 260, y: 300 });
  await blueprint.place("condition", "Enough", { x: 520, y: 300 });
  await blueprint.place("command", "Publish", { x: 820, y: 200 });
  await blueprint.place("command", "Put off", { x: 820, y: 420 });
  await blueprint.place("command", "Tell everybody", { x: 820, y: 620 });
  await blueprint.connect("Count", "Enough");
  await blueprint.branch("Enough", "true", "Publish");
  await blueprint.branch("Enough", "false", "Put off");
  await blueprint.connect("Publish", "Tell everybody");
  await blueprint.connect("Put off", "Tell everybody");
  await blueprint.write("Count", "Command", 'echo n=12 >> "$BATON_OUTPUT"');
  await blueprint.write("Publish", "Command", "true");
  await blueprint.write("Put off", "Command", "false");
  await blueprint.write("Tell everybody", "Command", "true");
  await blueprint.write("Enough", "Condition", "nodes.count.outputs.n > 3");
}

/**
 * A branch that would create a cycle is refused with a message while it is drawn.
 *
 * @param {Blueprint} blueprint
 */
async function rejectCycle(blueprint) {
  const { page } = blueprint;
  await blueprint.holdBranch("Enough", "true", "Count");
  await page.getByText("would create a cycle: Enough → Count → Enough").waitFor();
  await page.mouse.up();
  await blueprint.edge("true: Enough goes to Publish").waitFor();
}

/**
 * A branch is an edge like any other: it can be selected, deleted and restored.
 *
 * @param {Blueprint} blueprint
 */
async function deleteAndUndo(blueprint) {
  const { page } = blueprint;
  const branch = blueprint.edge("false: Enough goes to Put off");
  await branch.getByText("false").click();
  await page.keyboard.press("Delete");
  await branch.waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  await branch.waitFor();
  await blueprint.waitUntilSaved();
}
