import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { planOf, titleOf } from "./support/layeredGraph.js";
import { baton } from "./support/server.js";

const size = 10_000;
/** A small part of 10,000 cards, but more than fit in a view of 1,440 pixels at 100%. */
const maxCards = 400;

journey("a plan of 10,000 nodes is drawn, and every node is reachable", async (world) => {
  const { page } = world;
  await importPlan(world, planOf(size));
  await page.getByRole("link", { name: titleOf(size) }).click();
  const blueprint = new Blueprint(page);

  await checkZoomedOut(blueprint);
  await checkNearby(blueprint);
  await checkKeyboard(blueprint);
});

/**
 * Zoomed out, only the node under the pointer is an element; it can be clicked, dragged and
 * box-selected.
 */
async function checkZoomedOut(blueprint) {
  const { page } = blueprint;
  await waitUntilDrawn(page);
  assert.equal(await cards(page).count(), 0);
  const pane = await page.locator(".react-flow__pane").boundingBox();
  const middle = { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 };

  const first = await moveToNode(page, middle);
  await page.mouse.down();
  await page.mouse.up();
  await blueprint.inspector.getByRole("heading", { name: first, exact: true }).waitFor();

  await page.mouse.wheel(60, 40);
  const second = await moveToNode(page, { x: middle.x + 30, y: middle.y + 30 });
  assert.notEqual(second, first, "the view moved under the pointer");

  await page.mouse.down();
  await page.mouse.move(middle.x + 45, middle.y + 60, { steps: 6 });
  await page.mouse.up();
  await page.getByRole("button", { name: /^Undo:? Move/ }).waitFor();
  await blueprint.waitUntilSaved();
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Nothing to undo" }).waitFor();

  await page.keyboard.press("1");
  await page.mouse.move(pane.x + 200, pane.y + 20);
  await page.mouse.down();
  await page.mouse.move(middle.x, middle.y, { steps: 5 });
  await page.mouse.up();
  await page.getByText(/^[\d,]{3,5} nodes selected$/).waitFor();
  await page.mouse.click(pane.x + 200, pane.y + 20);
  await page.getByText(/nodes selected/).waitFor({ state: "detached" });
  await checkEdgeZoomedOut(blueprint, pane);
}

/** An edge that is only drawn has a label on hover, is selected by a click, and its menu works. */
async function checkEdgeZoomedOut(blueprint, pane) {
  const { page } = blueprint;
  const label = await moveToEdge(page, { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 });
  const [child, parent] = label.split(" depends on ");
  await page.mouse.down();
  await page.mouse.up();
  const heading = blueprint.inspector.getByRole("heading", {
    name: new RegExp(`^${parent}.*${child}$`),
  });
  await heading.waitFor();
  await page.mouse.down({ button: "right" });
  await page.mouse.up({ button: "right" });
  await page.getByRole("menuitem", { name: /^Delete edge/ }).click();
  await heading.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Undo/, disabled: false }).first().click();
  await page.getByRole("button", { name: "Nothing to undo" }).waitFor();
}

/** A node found by name is a card among its neighbors, with its edges, and can be dragged. */
async function checkNearby(blueprint) {
  const { page } = blueprint;
  const find = page.getByRole("searchbox", { name: "Find a node" });
  await find.fill("Node 7321 does");
  await find.press("Enter");
  const card = blueprint.card("Node 7321 does something");
  await card.waitFor();
  await blueprint.card("Node 7322 does something").waitFor();
  await blueprint
    .edge("Node 7321 does something depends on Node 7221 does something")
    .waitFor({ state: "attached" });
  assert.ok((await cards(page).count()) < maxCards);

  const before = await card.boundingBox();
  const grip = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 40, grip.y + 30, { steps: 8 });
  await page.mouse.up();
  const after = await card.boundingBox();
  assert.ok(after.x - before.x > 20 && after.y - before.y > 10, "the card followed the pointer");
  await blueprint.waitUntilSaved();
}

/** Arrow keys move far beyond the initial view, and each step has the focus. */
async function checkKeyboard(blueprint) {
  const { page } = blueprint;
  await blueprint.select("Node 7322 does something");
  for (const at of [7422, 7522, 7622, 7722, 7822, 7922, 8022]) {
    await page.keyboard.press("ArrowRight");
    const title = `Node ${at} does something`;
    await blueprint.inspector.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.waitForFunction(
      (label) => document.activeElement?.getAttribute("aria-label")?.startsWith(label),
      title,
    );
  }
  assert.ok((await cards(page).count()) < maxCards, "cards out of view are removed");

  await page.keyboard.press("1");
  await waitUntilDrawn(page);
  const map = page.getByRole("img", { name: "Minimap" });
  await map.waitFor();
  await page.keyboard.press("m");
  await map.waitFor({ state: "detached" });
}

function cards(page) {
  return page.locator(".react-flow__node:visible");
}

function waitUntilDrawn(page) {
  return page.locator("canvas[data-drawn]").waitFor({ timeout: 60_000 });
}

/**
 * Moves the pointer to an edge near a point, between two columns of nodes, and returns its label.
 */
async function moveToEdge(page, { x, y }) {
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.move(x + step, y + (step % 7));
    const edge = page.locator(".react-flow__edge:hover");
    if ((await edge.count()) === 1) return await edge.getAttribute("aria-label");
  }
  throw new Error("no edge near this point");
}

/** Moves the pointer to a node at or near a point, and returns its title. */
async function moveToNode(page, { x, y }) {
  for (let step = 0; step < 12; step += 1) {
    await page.mouse.move(x + step, y + step);
    const [title] = await page.locator(".react-flow__node:hover").allTextContents();
    const found = /Node \d+ does something/.exec(title ?? "");
    if (found) return found[0];
  }
  throw new Error("no node near this point");
}

/** Imports a plan with the shell; the open page shows it. */
async function importPlan({ server, folder }, plan) {
  const file = path.join(folder, "plan.json");
  await writeFile(file, JSON.stringify(plan));
  await promisify(execFile)(baton, ["plan", "import", file], { env: server.environment });
}

journey("a very wide plan opens at its start, and can be zoomed to fit", async (world) => {
  const { page } = world;
  await importPlan(world, chainOf(1_500));
  await page.getByRole("link", { name: "A chain" }).click();
  const blueprint = new Blueprint(page);
  await blueprint.card("Link 0").waitFor();
  await blueprint.card("Link 1").waitFor();
  assert.ok((await cards(page).count()) < maxCards);

  await page.keyboard.press("1");
  await waitUntilDrawn(page);
  await page.getByRole("button", { name: /^0\.\d%$/ }).waitFor();
  await collapseAndExpandAll(blueprint);
});

/**
 * A group of all nodes is collapsed to one card and expanded: nodes don't become elements on the
 * way.
 */
async function collapseAndExpandAll({ page }) {
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+g");
  const title = page.getByRole("textbox", { name: "Group title" });
  await title.fill("All of it");
  await title.press("Enter");
  await title.waitFor({ state: "detached" });
  await page.keyboard.press("Alt+g");
  await cards(page).filter({ hasText: "All of it" }).waitFor();
  await page.evaluate(() => {
    window.made = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) window.made += addedNodes.length;
    }).observe(document.querySelector(".react-flow__nodes"), { childList: true });
  });
  await page.keyboard.press("Shift+Alt+g");
  await waitUntilDrawn(page);
  assert.ok((await page.evaluate(() => window.made)) < maxCards);
}

/** Returns a chain of nodes without positions. */
function chainOf(size) {
  const link = (at) => ({ id: `n${at}`, title: `Link ${at}`, kind: "command", command: "true" });
  const nodes = Array.from({ length: size }, (_, at) =>
    at === 0 ? link(at) : { ...link(at), dependsOn: [`n${at - 1}`] },
  );
  return { baton: 1, title: "A chain", nodes };
}
