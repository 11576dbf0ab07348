import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = `baton: 1
title: Pointer
cwd: FOLDER
autonomy: 2
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 400, y: 0}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [build], position: {x: 800, y: 0}}
  - {id: spare, title: Spare, kind: command, command: "true", position: {x: 400, y: 300}}
groups:
  - {title: Making, color: purple, nodes: [build]}
`;

journey(
  "a pointer action with modifier keys is one step and can be undone exactly",
  async ({ page, server, folder }) => {
    const { keyboard } = page;
    const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
    await blueprint.card("Fetch").waitFor();
    const stored = () => storedPlan(page, server);
    const first = await stored();
    const edge = () => middleOf(blueprint.edge("Build depends on Fetch"));

    // Alt drags a copy, and the node stays.
    await keyboard.down("Alt");
    await drag(page, await middleOf(blueprint.card("Spare")), { x: 20, y: 110 });
    await keyboard.up("Alt");
    await page.locator(".react-flow__node").nth(4).waitFor();
    await assertUndone(blueprint, stored, first);

    // Ctrl only moves the node, without a drop target.
    const on = await edge();
    const from = await middleOf(blueprint.card("Spare"));
    await hold(page, from, { x: on.x - from.x, y: on.y - from.y });
    await page.locator(".plan-edge-target").waitFor();
    await keyboard.down("Control");
    await page.mouse.move(on.x + 2, on.y, { steps: 2 });
    await page.locator(".plan-edge-target").waitFor({ state: "detached" });
    await page.mouse.up();
    await keyboard.up("Control");
    await page.getByRole("button", { name: "Undo Move 1 node" }).waitFor();
    assert.equal(await page.locator(".react-flow__edge").count(), 2);
    await assertUndone(blueprint, stored, first);

    // Near a neighbor the node snaps, and lines show the alignment.
    const ship = await middleOf(blueprint.card("Ship"));
    const spare = await middleOf(blueprint.card("Spare"));
    await hold(page, spare, { x: ship.x + 3 - spare.x, y: 20 });
    await page.locator(".helper-line").first().waitFor({ state: "attached" });
    await takeScreenshots(page, "pointer-helper-lines");
    // Alt, pressed during the drag, frees the node from them.
    await keyboard.down("Alt");
    await page.mouse.move(ship.x + 4, spare.y + 20, { steps: 2 });
    await page.locator(".helper-line").first().waitFor({ state: "detached" });
    await keyboard.up("Alt");
    await page.mouse.move(ship.x + 3, spare.y + 20, { steps: 2 });
    await page.locator(".helper-line").first().waitFor({ state: "attached" });
    await page.mouse.up();
    await page.locator(".helper-line").first().waitFor({ state: "detached" });
    const lined = await middleOf(blueprint.card("Spare"));
    assert.ok(Math.abs(lined.x - ship.x) < 1, `${lined.x} is aligned with ${ship.x}`);
    await assertUndone(blueprint, stored, first);

    // A click selects one of several selected nodes.
    await blueprint.card("Fetch").click();
    await keyboard.press("Control+a");
    await page.locator(".react-flow__node.selected").nth(3).waitFor();
    await blueprint.select("Ship");
    assert.equal(await page.locator(".react-flow__node.selected").count(), 1);

    // Each menu is about the element under the pointer.
    const at = await edge();
    for (const [open, line] of [
      [() => blueprint.card("Build").click({ button: "right" }), "Rename"],
      [
        () => page.getByRole("button", { name: /^Group Making/ }).click({ button: "right" }),
        "Rename group",
      ],
      [
        () => page.mouse.click(at.x, at.y, { button: "right" }),
        "Soft: pass the handoff without waiting",
      ],
      [() => page.mouse.click(at.x, at.y + 400, { button: "right" }), "Tidy layout"],
    ]) {
      await open();
      await page.getByRole("menu").getByText(line).waitFor();
      await keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
    }

    // The menu key opens the menu of the selected edge.
    await blueprint.select("Ship");
    await keyboard.press("e");
    await page.locator(".plan-edge-selected").waitFor({ state: "attached" });
    await keyboard.press("ContextMenu");
    const menu = page.getByRole("menu");
    for (const line of ["Insert node", "Delete edge"]) await menu.getByText(line).waitFor();
    await keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  },
);

journey(
  "an edge is dropped on any part of a card, and stays in view while its node is chosen",
  async ({ page, server, folder }) => {
    const { keyboard, mouse } = page;
    const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
    await blueprint.card("Fetch").waitFor();
    const stored = () => storedPlan(page, server);
    const first = await stored();
    const start = async () => await middleOf(blueprint.card("Spare").locator(".card-handle-plain"));
    const ship = await blueprint.card("Ship").boundingBox();
    assert.ok(ship);
    // The kind icon, the title and the lower right corner.
    for (const [across, down] of [
      [0.12, 0.5],
      [0.5, 0.35],
      [0.97, 0.93],
    ]) {
      const from = await start();
      const to = { x: ship.x + across * ship.width, y: ship.y + down * ship.height };
      await drag(page, from, { x: to.x - from.x, y: to.y - from.y });
      await blueprint.edge("Ship depends on Spare").waitFor({ state: "attached" });
      assert.equal(await page.getByPlaceholder("Add a node").count(), 0);
      await assertUndone(blueprint, stored, first);
    }

    const from = await start();
    await drag(page, from, { x: 150, y: 60 });
    await page.getByPlaceholder("Add a node").waitFor();
    const loose = await page.locator(".loose-edge path").boundingBox();
    assert.ok(loose);
    assert.ok(Math.abs(loose.x - from.x) < 12, `it begins at the node: ${loose.x}, ${from.x}`);
    assert.ok(Math.abs(loose.x + loose.width - from.x - 150) < 3, "it ends at the pointer");
    await takeScreenshots(page, "pointer-loose-edge");
    await keyboard.press("Escape");
    await page.locator(".loose-edge").waitFor({ state: "detached" });
    await mouse.move(from.x, from.y + 200);
    assert.equal(await stored(), first);
  },
);

journey(
  "a node inserted into an edge is between its ends, and what follows makes room in one step",
  async ({ page, server, folder }) => {
    const { keyboard } = page;
    const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
    await blueprint.card("Fetch").waitFor();
    const stored = () => storedPlan(page, server);
    const first = await stored();
    const edge = () => middleOf(blueprint.edge("Build depends on Fetch"));

    const on = await edge();
    const from = await middleOf(blueprint.card("Spare"));
    await drag(page, from, { x: on.x - from.x, y: on.y - from.y });
    await blueprint.edge("Build depends on Spare").waitFor({ state: "attached" });
    await assertInARow(blueprint, ["Fetch", "Spare", "Build", "Ship"]);
    await assertUndone(blueprint, stored, first);

    const at = await edge();
    await page.mouse.click(at.x, at.y, { button: "right" });
    await page.getByRole("menuitem", { name: /^Insert node/ }).click();
    await page.getByPlaceholder("Add a node").fill("command");
    await keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Node title" }).fill("Check");
    await keyboard.press("Enter");
    await blueprint.edge("Build depends on Check").waitFor({ state: "attached" });
    await assertInARow(blueprint, ["Fetch", "Check", "Build", "Ship"]);
    await takeScreenshots(page, "pointer-inserted");
    await keyboard.press("Control+z");
    await assertUndone(blueprint, stored, first);
  },
);

journey("a replay offers no actions that would change anything", async ({ page, folder }) => {
  const { keyboard } = page;
  const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
  await blueprint.run();
  await blueprint.cardIn("Ship", "Done").waitFor();
  await blueprint.select("Build");
  await page.locator(".plan-edge-insert").first().waitFor({ state: "attached" });
  await keyboard.press("h");
  await page.getByRole("slider", { name: "Replay position" }).waitFor();
  await page.locator(".plan-edge-insert").first().waitFor({ state: "detached" });

  await keyboard.press("1");
  await blueprint.card("Build").dblclick();
  await blueprint.card("Build").click({ button: "right" });
  const menu = page.getByRole("menu");
  await menu.getByText("Copy", { exact: true }).waitFor();
  for (const change of ["Rename", "Duplicate", "Delete"])
    assert.equal(await menu.getByText(change, { exact: true }).count(), 0, change);
  assert.equal(await page.getByRole("textbox", { name: "Node title" }).count(), 0);
  await keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
});

/** A single undo restores the exact plan. */
async function assertUndone(blueprint, stored, first) {
  await blueprint.waitUntilSaved();
  assert.notEqual(await stored(), first, "the action changed the plan");
  await blueprint.page.keyboard.press("Control+z");
  await blueprint.waitUntilSaved();
  assert.equal(await stored(), first);
}

/**
 * The cards follow each other from left to right, with space between them.
 *
 * @param {Blueprint} blueprint
 * @param {string[]} titles
 */
async function assertInARow(blueprint, titles) {
  let before = -Infinity;
  for (const title of titles) {
    const box = await blueprint.card(title).boundingBox();
    assert.ok(box);
    assert.ok(box.x > before, `${title} begins at ${box.x}, after ${before}`);
    before = box.x + box.width;
  }
}

async function drag(page, from, by) {
  await hold(page, from, by);
  await page.mouse.up();
}

async function hold(page, from, by) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 2 });
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 8 });
}

async function middleOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("the element to drag is not rendered");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
