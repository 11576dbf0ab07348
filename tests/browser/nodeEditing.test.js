import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = `baton: 1
title: Acts
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 400, y: 0}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [build], position: {x: 800, y: 0}}
  - {id: spare, title: Spare, kind: command, command: "true", position: {x: 400, y: 300}}
  - {id: remark, title: Remark, kind: note, text: "# Remember\\n- **this**", position: {x: 0, y: 300}, color: teal}
groups:
  - {title: Making, color: purple, nodes: [build]}
`;

journey(
  "nodes are inserted into edges, replaced, deleted with reconnection and grouped",
  async (journey) => {
    const { page, folder } = journey;
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("Fetch").waitFor();

    await dropOnEdge(blueprint);
    await deleteAndReconnect(blueprint);
    await groupNodes(blueprint);
    await collapseGroup(blueprint);
    await editNote(blueprint);
    await findNodes(blueprint);
    assert.deepEqual(await seriousFaults(page), []);
    await blueprint.waitUntilSaved();
  },
);

/**
 * A node is dropped on an edge, which is highlighted first.
 *
 * @param {Blueprint} blueprint
 */
async function dropOnEdge(blueprint) {
  const { page } = blueprint;
  const between = await middleOf(blueprint.edge("Build depends on Fetch"));
  await hold(page, await middleOf(blueprint.card("Spare")), between);
  await page.locator(".plan-edge-target").waitFor();
  await takeScreenshots(page, "acts-drop-on-edge");
  await page.mouse.up();
  await blueprint.edge("Spare depends on Fetch").waitFor({ state: "attached" });
  await blueprint.edge("Build depends on Spare").waitFor({ state: "attached" });
  await undo(page);
  await blueprint.edge("Build depends on Fetch").waitFor({ state: "attached" });
}

/**
 * Ctrl+Delete removes a node and connects its neighbors.
 *
 * @param {Blueprint} blueprint
 */
async function deleteAndReconnect(blueprint) {
  const { page } = blueprint;
  await blueprint.select("Build");
  await page.keyboard.press("Control+Delete");
  await blueprint.edge("Ship depends on Fetch").waitFor({ state: "attached" });
  await undo(page);
  await blueprint.select("Build");
  await page.keyboard.press("r");
  await page.getByPlaceholder("Replace with").fill("condition");
  await page.keyboard.press("Enter");
  await blueprint.page.locator('.react-flow__node[aria-label^="Build, condition"]').waitFor();
  await undo(page);
  await blueprint.page.locator('.react-flow__node[aria-label^="Build, command"]').waitFor();
}

/**
 * Groups are created with keys, named, extended by a drop, and moved by their header.
 *
 * @param {Blueprint} blueprint
 */
async function groupNodes(blueprint) {
  const { page } = blueprint;
  const head = (title, count) =>
    page.getByRole("button", { name: `Group ${title}, ${count}`, exact: true });
  await blueprint.card("Fetch").click();
  await page.keyboard.press("Control+g");
  const title = page.getByRole("textbox", { name: "Group title" });
  await title.fill("Sources");
  await title.press("Enter");
  await head("Sources", "1 node").waitFor();

  const inside = await middleOf(blueprint.card("Build"));
  await hold(page, await middleOf(blueprint.card("Spare")), { x: inside.x, y: inside.y + 30 });
  await page.locator(".group-frame-target").waitFor();
  await page.mouse.up();
  await head("Making", "2 nodes").waitFor();

  const before = await middleOf(blueprint.card("Spare"));
  const from = await middleOf(head("Making", "2 nodes"));
  await hold(page, from, { x: from.x + 60, y: from.y + 120 });
  await page.mouse.up();
  const after = await middleOf(blueprint.card("Spare"));
  assert.ok(after.y - before.y > 100, `members move with their frame: ${before.y} to ${after.y}`);
  await takeScreenshots(page, "acts-groups");
}

/**
 * A collapsed group is a card with the edges of its members.
 *
 * @param {Blueprint} blueprint
 */
async function collapseGroup(blueprint) {
  const { page } = blueprint;
  await page.getByRole("button", { name: "Group Making, 2 nodes" }).click();
  await page.keyboard.press("Alt+g");
  const card = page.locator('.react-flow__node[aria-label="Group Making, collapsed, 2 nodes"]');
  await card.waitFor();
  assert.equal(await blueprint.card("Build").count(), 0);
  await blueprint.edge("Ship depends on Making").waitFor({ state: "attached" });
  await takeScreenshots(page, "acts-collapsed");
  await page.reload();
  await card.waitFor();
  await card.dblclick();
  await blueprint.card("Build").waitFor();
}

/**
 * A note is edited by a double click and resized.
 *
 * @param {Blueprint} blueprint
 */
async function editNote(blueprint) {
  const { page } = blueprint;
  const note = page.locator(".note-paper");
  await note.getByRole("heading", { name: "Remember" }).dblclick();
  const text = page.getByRole("textbox", { name: "Note text (Markdown)" });
  await text.fill("## Later\n<b>not bold</b>");
  await text.press("Control+Enter");
  await note.getByRole("heading", { name: "Later" }).waitFor();
  assert.equal(await note.locator("b").count(), 0, "HTML stays text");
  const before = await note.boundingBox();
  const grip = await middleOf(note.locator("[data-grip]"));
  await hold(page, grip, { x: grip.x + 80, y: grip.y + 40 });
  await page.mouse.up();
  const after = await note.boundingBox();
  assert.ok((after?.width ?? 0) > (before?.width ?? 0) + 60, "the note is larger");
  await takeScreenshots(page, "acts-note");
}

/**
 * The search counts and marks the matches, and moves between them.
 *
 * @param {Blueprint} blueprint
 */
async function findNodes(blueprint) {
  const { page } = blueprint;
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("command");
  await page.getByRole("status").filter({ hasText: /^4$/ }).waitFor();
  await page.locator(".card-found").nth(3).waitFor();
  await page.keyboard.press("F3");
  await page.getByRole("status").filter({ hasText: "1/4" }).waitFor();
  await page.keyboard.press("F3");
  await page.getByRole("status").filter({ hasText: "2/4" }).waitFor();
  await takeScreenshots(page, "acts-found");
  await page.keyboard.press("Escape");
}

async function undo(page) {
  await page
    .locator(".react-flow__pane")
    .focus()
    .catch(() => undefined);
  await page.keyboard.press("Control+z");
}

async function hold(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 2 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

async function middleOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("the element to drag is not rendered");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
