import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

/** How long the focus may take to arrive, in milliseconds. */
const timeoutMs = 15_000;

journey("a blueprint is drawn and run without a pointer", async ({ page, folder }) => {
  const { keyboard } = page;
  await page.getByRole("link", { name: "New blueprint" }).focus();
  await keyboard.press("Enter");
  await page.getByLabel("Title").waitFor();
  await keyboard.type("By keys");
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await keyboard.type(folder);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Add the first node" }).waitFor();
  const blueprint = new Blueprint(page);

  for (const [title, command] of [
    ["One", "echo one"],
    ["Two", "echo two"],
  ]) {
    await addByKeys(blueprint, "n", title);
    await keyboard.press("Enter");
    await focusByTab(page, /^Command$/);
    await keyboard.type(command);
    await blueprint.waitUntilSaved();
    await keyboard.press("Escape");
    await focusByTab(page, new RegExp(`^${title},`));
  }
  await keyboard.press("ArrowLeft");
  await keyboard.press("c");
  await page.getByText("the node you select with the arrow keys").waitFor();
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await page.locator(".react-flow__edge").waitFor({ state: "attached" });
  await blueprint.waitUntilSaved();

  await keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Ready to run" }).waitFor();
  await page.getByRole("button", { name: "Approve and run" }).focus();
  await keyboard.press("Enter");
  await blueprint.cardIn("Two", "Done").waitFor();
  await blueprint.cardIn("Two", "Done").focus();
  await blueprint.inspector.getByRole("tab", { name: "Task" }).focus();
  await keyboard.press("ArrowLeft");
  await page.getByRole("link", { name: "Open timeline" }).focus();
  await keyboard.press("Enter");
  await page.getByText("two", { exact: true }).waitFor();
});

journey(
  "a chain is drawn by keys, and every new card is in view",
  async ({ page, server, folder }) => {
    const blueprint = await Blueprint.create(page, { title: "A chain", directory: folder });
    const titles = ["One", "Two", "Three", "Four", "Five", "Six"];
    for (const [at, title] of titles.entries()) {
      await addByKeys(blueprint, at === 0 ? "n" : "Shift+N", title);
      await page.waitForFunction(isInCanvas, await blueprint.card(title).getAttribute("data-id"));
    }
    await blueprint.waitUntilSaved();
    const { edges } = JSON.parse(await storedPlan(page, server));
    assert.equal(edges.length, titles.length - 1);
    await walkQuickly(blueprint);
    await renameZoomedOut(blueprint);
    await undoLastNode(blueprint);
  },
);

/**
 * Arrow keys move the view along and never zoom, so that a key pressed before the view has arrived
 * doesn't keep a zoom that was only passed through.
 *
 * @param {Blueprint} blueprint
 */
async function walkQuickly({ page, inspector }) {
  const zooms = await page.locator(".react-flow__viewport").evaluateHandle((viewport) => {
    const seen = new Set();
    const look = () => seen.add(/scale\(.*\)/.exec(viewport.style.transform)?.[0]);
    new MutationObserver(look).observe(viewport, { attributeFilter: ["style"] });
    return seen;
  });
  for (const [key, end] of [
    ["ArrowLeft", "One"],
    ["ArrowRight", "Six"],
  ]) {
    for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press(key);
    await inspector.getByRole("heading", { name: end, exact: true }).waitFor();
    const id = await page.locator(".react-flow__node.selected").getAttribute("data-id");
    await page.waitForFunction(isInCanvas, id);
  }
  assert.deepEqual(await zooms.evaluate((seen) => [...seen]), ["scale(1)"]);
}

/**
 * Where only the titles are shown, they are large, and so is the field.
 *
 * @param {Blueprint} blueprint
 */
async function renameZoomedOut({ page }) {
  await page.keyboard.press("1");
  await page.locator("[data-lod=title]").waitFor();
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "Node title" });
  const size = await field.evaluate((input) => {
    const scale = input.getBoundingClientRect().width / input.offsetWidth;
    return Number.parseFloat(getComputedStyle(input).fontSize) * scale;
  });
  assert.ok(size > 9, `a title is edited in ${size} px`);
  await page.keyboard.press("Escape");
}

/**
 * Undo selects what was selected before, so that the next key acts on it.
 *
 * @param {Blueprint} blueprint
 */
async function undoLastNode(blueprint) {
  const { page } = blueprint;
  await page.keyboard.press("Control+Z");
  await page.keyboard.press("Control+Z");
  await blueprint.card("Six").waitFor({ state: "detached" });
  await blueprint.inspector.getByRole("heading", { name: "Five", exact: true }).waitFor();
  await focusByTab(page, /^Five,/);
  await page.keyboard.press("F2");
  await page.keyboard.type("Fifth");
  await page.keyboard.press("Enter");
  await blueprint.card("Fifth").waitFor();
}

/**
 * Adds a command node without the pointer.
 *
 * @param {Blueprint} blueprint
 * @param {"n" | "Shift+N"} key beside the selected node, or after it
 * @param {string} title
 */
async function addByKeys(blueprint, key, title) {
  const { page } = blueprint;
  await page.keyboard.press(key);
  await page.getByPlaceholder("Add a node").waitFor();
  await page.keyboard.type("shell");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Node title" }).waitFor();
  await page.keyboard.type(title);
  await page.keyboard.press("Enter");
  await blueprint.card(title).waitFor();
}

/**
 * In the page: whether the whole card of a node is inside the canvas.
 *
 * @param {string} id
 */
function isInCanvas(id) {
  const card = document.querySelector(`.react-flow__node[data-id="${id}"]`);
  const [inner, outer] = [card, document.querySelector(".react-flow")].map((element) =>
    element?.getBoundingClientRect(),
  );
  return (
    inner &&
    outer &&
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

/** Returns the name of the focused element, or "nothing" for the page as a whole. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: at, body } = document;
    return at === body ? "nothing" : (at?.getAttribute("aria-label") ?? at?.textContent ?? "");
  });

/**
 * Waits until the focused element's name matches.
 *
 * @param {import("playwright-core").Page} page
 * @param {RegExp} name
 */
async function focusByTab(page, name) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const now = await focused(page);
    if (name.test(now)) return;
    assert.ok(Date.now() < end, `the focus is on ${now}, and not on ${name}`);
    await page.waitForTimeout(30);
  }
}

const fork = (folder) => `baton: 1
title: Fork
cwd: ${folder}
nodes:
  - {id: ask, title: Ask, kind: user_input, question: Which way?, inputType: text}
  - {id: check, title: Check, kind: condition, condition: "true", dependsOn: [ask]}
  - {id: left, title: Left, kind: command, command: exit 7}
  - {id: right, title: Right, kind: command, command: "true"}
  - {id: end, title: End, kind: command, command: "true"}
`;

journey("a plan is edited and run with the keyboard, and the focus is never lost", async (each) => {
  const { page, folder } = each;
  const { keyboard } = page;
  const blueprint = await Blueprint.importFile(page, folder, fork(folder));
  const edges = page.locator(".react-flow__edge");
  const edge = async (label) => blueprint.edge(label).waitFor({ state: "attached" });
  const command = async (words) => {
    await keyboard.press("Control+K");
    await page.getByRole("combobox", { name: "Commands" }).waitFor();
    await keyboard.type(words);
    await page.locator("[role=option][aria-selected=true]").filter({ hasText: words }).waitFor();
    await keyboard.press("Enter");
  };

  // Move from the page into the graph and along it, and draw branches to nodes found by search.
  await blueprint.card("Ask").waitFor();
  await keyboard.press("ArrowRight");
  await focusByTab(page, /^Ask,/);
  await keyboard.press("ArrowRight");
  await focusByTab(page, /^Check, condition/);
  for (const title of ["Left", "Right"]) {
    await keyboard.press("Control+F");
    await keyboard.type("Check");
    await keyboard.press("Enter");
    await keyboard.press("Escape");
    await blueprint.inspector.getByRole("heading", { name: "Check", exact: true }).waitFor();
    await focusByTab(page, /^Check,/);
    await keyboard.press("c");
    await page.getByText("the node you select with the arrow keys").waitFor();
    await keyboard.press("Control+F");
    await keyboard.type(title);
    await keyboard.press("Enter");
    await keyboard.press("Escape");
    await focusByTab(page, new RegExp(`^${title},`));
    await keyboard.press("Enter");
    await page.getByText("the node you select with the arrow keys").waitFor({ state: "detached" });
  }
  await edge("true: Check goes to Left");
  await edge("false: Check goes to Right");

  // Select an edge at its node, reconnect it, and insert a node.
  await keyboard.press("e");
  await page.getByRole("status").filter({ hasText: "Edge 1 of 1, from Check to Right" }).waitFor();
  await keyboard.press("Alt+r");
  await page.getByText("Move the edge from").waitFor();
  await keyboard.press("Control+F");
  await keyboard.type("End");
  await keyboard.press("Enter");
  await keyboard.press("Escape");
  await focusByTab(page, /^End,/);
  await keyboard.press("Enter");
  await edge("false: Check goes to End");
  await keyboard.press("e");
  await keyboard.press("i");
  await page.getByRole("combobox", { name: "Add a node" }).waitFor();
  await keyboard.type("shell");
  await keyboard.press("Enter");
  await focusByTab(page, /^Node title$/);
  await keyboard.type("Between");
  await keyboard.press("Enter");
  await focusByTab(page, /^Between, command/);
  await edge("false: Check goes to Between");
  await keyboard.press("Control+Delete");
  await edge("false: Check goes to End");
  assert.notEqual(await focused(page), "nothing", "a neighbor has the focus after Delete");

  // Move a node, enter the inspector and return, select several with X, and group them.
  await keyboard.press("Control+F");
  await keyboard.type("Left");
  await keyboard.press("Enter");
  await keyboard.press("Escape");
  await focusByTab(page, /^Left,/);
  const stood = await blueprint.card("Left").boundingBox();
  await keyboard.press("Shift+Alt+ArrowDown");
  await page.waitForFunction(
    (y) => document.querySelector('[aria-label^="Left,"]').getBoundingClientRect().y > y,
    stood?.y ?? 0,
  );
  await keyboard.press("Enter");
  await focusByTab(page, /^Command$/);
  await keyboard.press("Escape");
  await focusByTab(page, /^Left,/);
  await keyboard.press("Control+ArrowLeft");
  await focusByTab(page, /^(?!Left)/);
  await keyboard.press("x");
  await page.getByText("2 nodes selected").waitFor();
  await keyboard.press("Control+G");
  await focusByTab(page, /^Group title$/);
  await keyboard.type("Both");
  await keyboard.press("Enter");
  await page.locator(".group-frame").filter({ hasText: "Both" }).waitFor();
  await focusByTab(page, /^(?!nothing)/);
  const drawn = await edges.count();
  await command("Show the list");
  await focusByTab(page, /, (command|condition|question)/);
  await command("Show the graph");
  await edges.nth(drawn - 1).waitFor({ state: "attached" });

  // Run: answer the question, see a failure, and replay the run.
  await blueprint.waitUntilSaved();
  await keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Approve and run" }).focus();
  await keyboard.press("Enter");
  await blueprint.cardIn("Ask", "Waiting").waitFor();
  await keyboard.press("Control+F");
  await keyboard.type("Ask");
  await keyboard.press("Enter");
  await keyboard.press("Escape");
  await focusByTab(page, /^Ask,/);
  await keyboard.press("a");
  await page.getByRole("dialog", { name: "Question from Ask" }).waitFor();
  await keyboard.type("left");
  await keyboard.press("Enter");
  await blueprint.cardIn("Left", "Failed").waitFor();
  await focusByTab(page, /^Ask,/);
  await keyboard.press("h");
  await focusByTab(page, /^Replay position$/);
  await keyboard.press("Home");
  await keyboard.press("Escape");
  await focusByTab(page, /^Ask,/);
  await command("Go to Inbox");
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  // A new page starts with the focus on its main element.
  await page.waitForFunction(() => document.activeElement?.matches("main"));
});
