import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const plan = `baton: 1
title: Canvas acts
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 400, y: 0}}
  - {id: ask, title: Ask, kind: condition, condition: "true", trueStep: ship, dependsOn: [fetch], position: {x: 400, y: 200}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [build], position: {x: 800, y: 0}}
`;

journey(
  "a plan is laid out downward in one step, with nodes that are pinned or disabled",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("Ship").waitFor();
    await refitToWindow(blueprint);
    await keepInPlace(blueprint);
    await layOutDownward(blueprint);
    await disableNode(blueprint);
    assert.deepEqual(await seriousFaults(page), []);
    await blueprint.waitUntilSaved();
    await page.reload();
    await blueprint.card("Ship").waitFor();
    await waitUntil("reads downwards after a reload", () => isBelow(blueprint, "Build", "Fetch"));
  },
);

/**
 * The plan is fitted to the window until the view is moved.
 *
 * @param {Blueprint} blueprint
 */
async function refitToWindow({ page }) {
  const zoom = async () =>
    Number.parseInt(await page.locator("[data-zoom-actual]").innerText(), 10);
  const before = await zoom();
  await page.setViewportSize({ width: 1_600, height: 900 });
  await waitUntil("fits the larger window", async () => (await zoom()) > before);
  await page.setViewportSize({ width: 1_280, height: 800 });
  await waitUntil("fits the smaller window", async () => (await zoom()) === before);
  const card = page.locator(".react-flow__node").first();
  const left = async () => (await card.boundingBox())?.x ?? 0;
  const there = await left();
  await page.mouse.move(500, 700);
  await page.mouse.wheel(-40, 0);
  await waitUntil("has moved", async () => (await left()) !== there);
  const moved = await left();
  await page.setViewportSize({ width: 1_400, height: 800 });
  await waitUntil("keeps its middle", async () => Math.abs((await left()) - moved - 60) < 2);
  assert.equal(await zoom(), before, "a chosen view is not fitted");
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.keyboard.press("1");
}

/**
 * The anchor on a card is set with the menu and removed with the key.
 *
 * @param {Blueprint} blueprint
 */
async function keepInPlace(blueprint) {
  const { page } = blueprint;
  await blueprint.select("Fetch");
  await blueprint.card("Build").click({ modifiers: ["Shift"] });
  await blueprint.card("Build").click({ button: "right" });
  await page.getByRole("menuitem", { name: "More" }).click();
  await page.getByRole("menuitem", { name: /^Keep in place when tidying/ }).click();
  const anchors = page.getByTitle("Stays in place when tidying");
  await anchors.nth(1).waitFor();
  await takeScreenshots(page, "canvas-acts-kept");
  await page.keyboard.press("Shift+Alt+K");
  await anchors.first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await anchors.nth(1).waitFor();
  await page.keyboard.press("Control+z");
  await anchors.first().waitFor({ state: "detached" });
}

/**
 * Every edge leaves at the bottom and arrives at the top, and arrow keys follow the edges.
 *
 * @param {Blueprint} blueprint
 */
async function layOutDownward(blueprint) {
  const { page } = blueprint;
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Commands" }).waitFor();
  await page.keyboard.type("lay out from top");
  await page
    .getByRole("option")
    .first()
    .filter({ hasText: "Lay out from top to bottom" })
    .waitFor();
  await page.keyboard.press("Enter");
  await waitUntil(
    "is laid out downwards",
    async () =>
      (await isBelow(blueprint, "Build", "Fetch")) && (await isBelow(blueprint, "Ship", "Build")),
  );
  await blueprint.card("Build").locator(".react-flow__handle-top").waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await waitUntil("has no selection", async () => (await selectedCount(page)) === 0);
  await blueprint.select("Fetch");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await waitUntil("has walked down to a child of a child", async () =>
    /\bselected\b/.test((await blueprint.card("Ship").getAttribute("class")) ?? ""),
  );
  await takeScreenshots(page, "canvas-acts-downwards");
  await page.keyboard.press("Shift+ArrowUp");
  await waitUntil("has everything above selected", async () => (await selectedCount(page)) === 4);
  // A duplicate of the selected node is placed below it.
  await blueprint.select("Ship");
  await page.keyboard.press("Control+d");
  await waitUntil(
    "has a copy",
    async () => (await page.locator(".react-flow__node").count()) === 5,
  );
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await waitUntil("is back in one step", async () => !(await isBelow(blueprint, "Build", "Fetch")));
  await page.keyboard.press("Control+Shift+Z");
  await waitUntil("is downwards again", () => isBelow(blueprint, "Build", "Fetch"));
}

/** @param {Blueprint} blueprint */
async function disableNode(blueprint) {
  const { page } = blueprint;
  await blueprint.select("Build");
  await page.keyboard.press("d");
  await blueprint.card("Build").getByText("Disabled, ").waitFor();
  await takeScreenshots(page, "canvas-acts-disabled");
  await page.getByRole("radio", { name: "List" }).click();
  await page
    .getByRole("option", { name: /^Build, command, disabled/ })
    .getByText("Disabled")
    .waitFor();
  await takeScreenshots(page, "canvas-acts-disabled-list");
  await page.getByRole("radio", { name: "Graph" }).click();
  await blueprint.card("Build").waitFor();
}

const pinPlan = `baton: 1
title: Pins
nodes:
  - {id: first, title: First, kind: command, command: "echo one", position: {x: 0, y: 0}}
  - {id: second, title: Second, kind: command, command: "echo two", dependsOn: [first], position: {x: 400, y: 0}}
  - {id: third, title: Third, kind: command, command: "echo three", dependsOn: [second], position: {x: 800, y: 0}}
`;

journey(
  "a handoff is pinned with a key, marked, and unpinned from the menu",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, `${pinPlan}cwd: ${folder}\n`);
    await blueprint.select("Second");
    await page.keyboard.press("p");
    await page.getByText("No run is shown, so there is no handoff yet").first().waitFor();
    await blueprint.run();
    await blueprint.cardIn("Third", "Done").waitFor();

    await blueprint.card("Third").click();
    await page.keyboard.press("p");
    await blueprint.edge("Third depends on Second, handoff pinned").waitFor({ state: "attached" });
    await page.getByTitle("Receives 1 pinned handoff").waitFor();
    await takeScreenshots(page, "canvas-acts-pinned");

    await blueprint.card("First").click();
    await page.keyboard.press("p");
    await page.getByText("There are no handoffs to pin").first().waitFor();

    await blueprint.card("Third").click({ button: "right" });
    await page.getByRole("menuitem", { name: /^Unpin the handoff/ }).click();
    await blueprint.edge("Third depends on Second").waitFor({ state: "attached" });
    await page.getByTitle("Receives 1 pinned handoff").waitFor({ state: "detached" });
    assert.deepEqual(await seriousFaults(page), []);
  },
);

journey(
  "a lasso selects the nodes inside, adds with Shift and is canceled with Escape",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("Ship").waitFor();
    const selected = () => selectedCount(page);
    const around = async (title, key) => {
      const box = await blueprint.card(title).boundingBox();
      assert.ok(box);
      const [left, top, right, bottom] = [
        box.x - 9,
        box.y - 9,
        box.x + box.width + 9,
        box.y + box.height + 9,
      ];
      if (key) await page.keyboard.down(key);
      await page.mouse.move(left, top);
      await page.mouse.down();
      await page.mouse.move(right, top, { steps: 4 });
      await page.mouse.move(right, bottom, { steps: 4 });
      await page.mouse.move(left, bottom, { steps: 4 });
      return async () => {
        await page.mouse.up();
        if (key) await page.keyboard.up(key);
      };
    };

    await (await around("Fetch", "Alt"))();
    await waitUntil("selects by Alt", async () => (await selected()) === 1);
    await page.keyboard.press("Shift+L");
    await page.getByRole("button", { name: "Select with a lasso", pressed: true }).waitFor();
    const drop = await around("Build", "Shift");
    await page.locator(".lasso-line path").waitFor({ state: "attached" });
    await waitUntil("selects while it is drawn", async () => (await selected()) === 2);
    await takeScreenshots(page, "canvas-acts-lasso");
    await drop();
    assert.equal(await selected(), 2, "Shift adds");

    const given = await around("Ship");
    await waitUntil("shows what it would select", async () => (await selected()) === 1);
    await page.keyboard.press("Escape");
    await waitUntil("is as before", async () => (await selected()) === 2);
    await given();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Select with a lasso", pressed: false }).waitFor();
    assert.equal(await selected(), 2, "Escape only deactivates the tool");
    await page.keyboard.press("?");
    await page
      .getByText("Select with a lasso; Shift adds to the selection, Escape cancels")
      .waitFor();
  },
);

const branchPlan = `baton: 1
title: Branch
nodes:
  - {id: ask, title: Ask, kind: condition, condition: "true", trueStep: ship, position: {x: 0, y: 0}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [ask], position: {x: 400, y: 0}}
`;

journey(
  "a condition and the child that depends on it have one edge, which is deleted as one",
  async ({ page, server, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, branchPlan);
    const first = await storedPlan(page, server);
    assert.equal(JSON.parse(first).edges.length, 1, "the plan has both");
    await blueprint.edge("true: Ask goes to Ship").waitFor({ state: "attached" });
    assert.equal(await page.locator(".react-flow__edge").count(), 1);

    await blueprint.select("Ask");
    await page.keyboard.press("e");
    await page.locator(".plan-edge-selected").waitFor({ state: "attached" });
    await page.keyboard.press("ContextMenu");
    await page.getByRole("menuitem", { name: /^Delete edge/ }).click();
    await page.locator(".react-flow__edge").waitFor({ state: "detached" });
    await blueprint.waitUntilSaved();
    assert.deepEqual(JSON.parse(await storedPlan(page, server)).edges, []);
    await page.keyboard.press("Control+z");
    await blueprint.waitUntilSaved();
    assert.equal(await storedPlan(page, server), first);
  },
);

journey("focus and selection look different in every theme", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, branchPlan);
  await blueprint.select("Ask");
  await page.keyboard.press("Shift+ArrowRight");
  await waitUntil("has both selected", async () => (await selectedCount(page)) === 2);
  for (const theme of ["light", "dark", "contrast"]) {
    await page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted;
    }, theme);
    const looks = await page.evaluate(() =>
      [":focus-visible", ":not(:focus-visible)"].map((state) => {
        const card = document.querySelector(`.react-flow__node.selected${state} > *`);
        if (card === null) return undefined;
        const { outlineColor, outlineOffset, outlineWidth, boxShadow } = getComputedStyle(card);
        return { outlineColor, outlineOffset, outlineWidth, isRinged: boxShadow !== "none" };
      }),
    );
    const [focused, selected] = looks;
    assert.ok(focused && selected, `${theme}: ${JSON.stringify(looks)}`);
    assert.notEqual(focused.outlineColor, selected.outlineColor, theme);
    assert.notEqual(focused.outlineOffset, selected.outlineOffset, theme);
    assert.equal(selected.outlineWidth, "2px", theme);
    assert.ok(focused.isRinged, `${theme}: the selection stays visible within the focus ring`);
  }
});

const rows = Array.from(
  { length: 80 },
  (_, at) =>
    `  - {id: r${at}, title: Row ${at}, kind: command, command: "true", position: {x: 0, y: ${at * 100}}}`,
);

journey(
  "a row that is dragged to the end of the list scrolls it, and lands where it is dropped",
  async ({ page, folder }) => {
    await Blueprint.importFile(page, folder, `baton: 1\ntitle: Rows\nnodes:\n${rows.join("\n")}\n`);
    await page.getByRole("radio", { name: "List" }).click();
    const row = (at) => page.getByRole("option", { name: new RegExp(`^Row ${at},`) });
    await row(0).hover();
    const grip = await row(0).locator("[title^='Drag, or press']").boundingBox();
    assert.ok(grip);
    await page.mouse.move(grip.x + 5, grip.y + 5);
    await page.mouse.down();
    await page.mouse.move(grip.x + 5, 400, { steps: 4 });
    await page.mouse.move(grip.x + 5, page.viewportSize().height - 8, { steps: 4 });
    await row(79).waitFor();
    await waitUntil("is scrolled to its end", async () => {
      const last = await row(79).boundingBox();
      return last !== null && last.y + last.height <= page.viewportSize().height;
    });
    await page.mouse.up();
    await waitUntil("has the row at its end", async () => {
      const [moved, last] = await Promise.all([row(0).boundingBox(), row(79).boundingBox()]);
      return moved !== null && last !== null && moved.y > last.y;
    });
  },
);

/** @param {import("playwright-core").Page} page */
function selectedCount(page) {
  return page.locator(".react-flow__node.selected").count();
}

async function isBelow(blueprint, child, parent) {
  const [lower, upper] = await Promise.all(
    [child, parent].map((title) => blueprint.card(title).boundingBox()),
  );
  return lower !== null && upper !== null && lower.y >= upper.y + upper.height;
}

/** Waits for a condition that no locator can express. */
async function waitUntil(words, holds) {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `the plan ${words}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}
