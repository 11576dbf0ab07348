import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Gestures
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 400, y: 0}}
  - {id: spare, title: Spare, kind: command, command: "true", position: {x: 400, y: 200}}
  - {id: remark, title: Remark, kind: note, text: "Remember", position: {x: 0, y: 200}}
`;

journey(
  "Escape cancels a drag, and other keys are ignored during it",
  async ({ page, server, folder }) => {
    const { keyboard, mouse } = page;
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.select("Spare");
    const first = await storedPlan(page, server);
    const nothing = page.getByRole("button", {
      name: "Nothing to undo",
      exact: true,
    });

    // A node returns to its place, wherever the pointer moves before the button is released.
    const at = await middleOf(blueprint.card("Spare"));
    await hold(page, at, { x: at.x + 80, y: at.y + 90 });
    await waitUntil(
      "has moved",
      async () => (await middleOf(blueprint.card("Spare"))).x > at.x + 40,
    );
    assert.notEqual(await shadowOf(blueprint.card("Spare")), "none", "a dragged card is lifted");
    await keyboard.press("Delete");
    await keyboard.press("d");
    await keyboard.press("Escape");
    await waitUntil(
      "is back",
      async () => Math.abs((await middleOf(blueprint.card("Spare"))).x - at.x) < 1,
    );
    await mouse.move(at.x + 120, at.y + 120, { steps: 3 });
    await mouse.up();
    await nothing.waitFor();

    // A canceled new edge isn't created, even above a card, and a canceled move leaves the edge in
    // place.
    const target = await middleOf(blueprint.card("Spare").locator(".card-handle-target"));
    for (const to of [target, { x: target.x, y: target.y + 150 }]) {
      await hold(page, await middleOf(blueprint.card("Fetch").locator(".card-handle").last()), to);
      await page.locator("[data-connecting]").waitFor();
      await keyboard.press("Escape");
      await page.locator("[data-connecting]").waitFor({ state: "detached" });
      await mouse.up();
    }
    const build = await blueprint.card("Build").boundingBox();
    assert.ok(build);
    await hold(
      page,
      { x: build.x - 9, y: build.y + build.height / 2 },
      { x: build.x - 60, y: build.y + 300 },
    );
    await page.locator("[data-connecting]").waitFor();
    await keyboard.press("Escape");
    await mouse.up();
    await nothing.waitFor();
    assert.equal(await page.getByPlaceholder("Add a node").count(), 0);

    // A canceled box restores the selection; with Shift or Ctrl a box adds to it.
    const selected = () => page.locator(".react-flow__node.selected").count();
    const around = async (title) => {
      const box = await blueprint.card(title).boundingBox();
      assert.ok(box);
      await hold(page, { x: box.x - 15, y: box.y - 15 }, { x: box.x + 20, y: box.y + 20 });
    };
    await blueprint.select("Spare");
    await around("Remark");
    await waitUntil("selects", async () =>
      /selected/.test((await blueprint.card("Remark").getAttribute("class")) ?? ""),
    );
    await keyboard.press("Escape");
    await waitUntil("is as before", async () =>
      /selected/.test((await blueprint.card("Spare").getAttribute("class")) ?? ""),
    );
    await mouse.up();
    assert.equal(await selected(), 1);
    for (const [key, title, count] of [
      ["Shift", "Build", 2],
      ["Control", "Fetch", 3],
    ]) {
      await keyboard.down(key);
      await around(title);
      await mouse.up();
      await keyboard.up(key);
      await waitUntil(`adds with ${key}`, async () => (await selected()) === count);
    }

    // With Space the view pans, even from a card.
    const view = () =>
      page.locator(".react-flow__viewport").evaluate(({ style }) => style.transform);
    const before = await view();
    await mouse.move(at.x, at.y);
    await keyboard.down("Space");
    await blueprint.card("Spare").and(page.locator(":not(.draggable)")).waitFor();
    await hold(page, at, { x: at.x + 50, y: at.y + 40 });
    await mouse.up();
    await keyboard.up("Space");
    await waitUntil("has panned", async () => (await view()) !== before);
    await nothing.waitFor();
    assert.equal(await storedPlan(page, server), first);
  },
);

journey(
  "a note keeps its text, a dropped file adds its nodes, and the focus stays on the card",
  async ({ page, folder }) => {
    const { keyboard } = page;
    const blueprint = await Blueprint.importFile(page, folder, plan);
    const focused = (title) =>
      page.locator(`.react-flow__node[aria-label^="${title}, "]:focus`).waitFor();
    await blueprint.card("Remark").dblclick();
    await page.getByRole("textbox", { name: "Note text (Markdown)" }).fill("Long thought");
    await keyboard.press("Escape");
    await blueprint.card("Remark").getByText("Long thought").waitFor();
    await focused("Remark");
    await page.getByRole("button", { name: "Undo Write note" }).waitFor();

    await blueprint.select("Spare");
    await keyboard.press("F2");
    await page.getByRole("textbox", { name: "Node title" }).fill("Other");
    await keyboard.press("Enter");
    await focused("Other");
    await keyboard.press("F2");
    await keyboard.press("Escape");
    await focused("Other");

    for (const [name, text] of [
      ["shopping.txt", "bread"],
      ["plan.yaml", plan],
    ]) {
      const files = await page.evaluateHandle(
        ([file, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], file));
          return transfer;
        },
        [name, text],
      );
      const pane = page.locator(".react-flow__pane");
      await pane.dispatchEvent("dragover", { dataTransfer: files });
      await page.getByText("Drop to add the nodes from this file").waitFor();
      await pane.dispatchEvent("drop", { dataTransfer: files });
    }
    await page.getByText("Couldn't add nodes from shopping.txt").first().waitFor();
    await page.getByRole("button", { name: "Undo Paste 3 nodes and 1 note" }).waitFor();
  },
);

async function hold(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 2 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

/** The shadow of a card, as computed by the browser. */
function shadowOf(card) {
  return card.evaluate(({ firstElementChild }) => getComputedStyle(firstElementChild).boxShadow);
}

async function middleOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("the element to drag is not rendered");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Waits until a condition holds.
 *
 * @param {string} what
 * @param {() => Promise<boolean>} holds
 */
async function waitUntil(what, holds) {
  const end = Date.now() + 15_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it never ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
