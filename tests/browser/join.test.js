import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const titles = ["Unit", "Browser", "Load"];

const plan = `baton: 1
title: A join
nodes:
  - {id: unit, title: Unit, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: browser, title: Browser, kind: command, command: "true", position: {x: 0, y: 160}}
  - {id: load, title: Load, kind: command, command: "true", position: {x: 0, y: 320}}
  - {id: publish, title: Publish, kind: command, command: "true", dependsOn: [unit], position: {x: 400, y: 160}}
`;

journey(
  "nodes that are selected together are connected to one, by key and by pointer",
  async ({ page, server, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    const edges = async () => {
      await blueprint.waitUntilSaved();
      return JSON.parse(await storedPlan(page, server)).edges.length;
    };
    await selectAll(blueprint);
    await page.keyboard.press("c");
    await blueprint.card("Publish").click();
    await page.getByText("1 is already connected").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Publish now depends on 2 nodes").first().waitFor();
    await page.locator(".react-flow__edge").nth(2).waitFor({ state: "attached" });
    assert.equal(await edges(), 3);
    await page.keyboard.press("Control+z");
    await page.locator(".react-flow__edge").nth(1).waitFor({ state: "detached" });
    assert.equal(await edges(), 1, "one step");

    await selectAll(blueprint);
    await blueprint.connect("Load", "Publish");
    await page.locator(".react-flow__edge").nth(2).waitFor({ state: "attached" });
    assert.equal(await edges(), 3, "by pointer");

    await selectAll(blueprint);
    await page.keyboard.press("Shift+N");
    await page.getByPlaceholder("Add a node").waitFor();
    await page.keyboard.type("shell");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Node title" }).waitFor();
    await page.keyboard.type("Report");
    await page.keyboard.press("Enter");
    await page.locator(".react-flow__edge").nth(5).waitFor({ state: "attached" });
    assert.equal(await edges(), 6, "a new node depends on all of them");
  },
);

/**
 * Selects the three parents.
 *
 * @param {Blueprint} blueprint
 */
async function selectAll(blueprint) {
  const [first, ...others] = titles;
  await blueprint.select(first);
  for (const title of others) await blueprint.card(title).click({ modifiers: ["Shift"] });
  await blueprint.page.getByRole("toolbar", { name: "Actions for 3 nodes" }).waitFor();
}
