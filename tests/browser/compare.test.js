import assert from "node:assert/strict";
import { addressOf, callOperation } from "./support/api.js";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { waitUntilCanvasSettled } from "./support/canvasSettled.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Versions
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 300, y: 0}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [build], position: {x: 600, y: 0}}
`;

journey(
  "two versions are compared in one graph, and keys move through the changes",
  async ({ page, server, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("Ship").waitFor();
    const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
    const { plan: first, revision } = await callOperation(server, "plan_get", { plan: id });
    const [fetched, built] = first.nodes;
    const added = { ...built, id: crypto.randomUUID(), slug: "test", title: "Test" };
    const nodes = [
      { ...fetched, title: "Fetch <b>all</b>", position: { x: 0, y: 90 } },
      built,
      added,
    ];
    const edges = [...first.edges.slice(0, 1), { parent: built.id, child: added.id, soft: false }];
    await callOperation(server, "plan_save", {
      plan: { ...first, nodes, edges },
      baseRevision: revision,
    });
    await page.getByRole("link", { name: /^Version 2, show versions/ }).waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Commands" }).fill("compare versions");
    await page.getByRole("option").first().filter({ hasText: "Compare versions" }).waitFor();
    await page.keyboard.press("Enter");
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByRole("listitem").nth(4).waitFor();
    const lines = (await changes.getByRole("listitem").allInnerTexts()).map((line) => line.trim());
    assert.deepEqual(lines.map((line) => line.split(/\s/)[0]).sort(), [
      "Added",
      "Added",
      "Changed",
      "Removed",
      "Removed",
    ]);
    assert.equal(await page.locator(".react-flow__node b").count(), 0, "HTML stays text");
    await page.keyboard.press("n");
    await changes.getByRole("status").filter({ hasText: "1 of 5" }).waitFor();
    await page.keyboard.press("p");
    await changes.getByRole("status").filter({ hasText: "5 of 5" }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);

    const between = (from, to) =>
      page.goto(addressOf(server, `/blueprints/${id}/compare?from=${from}&to=${to}`));
    await between(2, 2);
    await page.getByText("The versions are identical.").waitFor();
    await between(1, 99);
    await page.getByText("Version 99 of this blueprint doesn't exist.").waitFor();
    await changes.getByRole("listitem").nth(4).waitFor();
    await callOperation(server, "plan_delete", { plan: id });
    await page.reload();
    await page.getByText("Couldn't load the versions").waitFor();
  },
);

journey("versions without positions are laid out in the plan's direction", async (given) => {
  const { page, server, folder } = given;
  const unplaced = plan
    .replaceAll(/, position: \{[^}]*\}/g, "")
    .replace("nodes:", "direction: top_down\nnodes:");
  const blueprint = await Blueprint.importFile(page, folder, unplaced);
  await blueprint.card("Ship").waitFor();
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
  const { plan: first, revision } = await callOperation(server, "plan_get", { plan: id });
  const [fetched, built, shipped] = first.nodes;
  // The removed node is laid out between the remaining ones.
  const edges = [{ parent: fetched.id, child: shipped.id, soft: false }];
  const later = { ...first, nodes: [fetched, shipped], edges };
  await callOperation(server, "plan_save", { plan: later, baseRevision: revision });

  await page.goto(addressOf(server, `/blueprints/${id}/compare?from=1&to=2`));
  // The previous page has the same cards, and stays until this one is loaded.
  await page.getByRole("region", { name: "Changes" }).getByRole("listitem").first().waitFor();
  await waitUntilCanvasSettled(page);
  const boxes = [];
  for (const { id: node } of [fetched, built, shipped]) {
    const card = page.locator(`.react-flow__node[data-id="${node}"]`);
    await card.waitFor();
    boxes.push(await card.boundingBox());
  }
  for (const [above, below] of [boxes.slice(0, 2), boxes.slice(1)])
    assert.ok(above.y + above.height < below.y, JSON.stringify(boxes));
});
