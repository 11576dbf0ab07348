import assert from "node:assert/strict";
import { addressOf, callOperation, storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

/** Like a code block copied from a README. */
const flowchart = `\`\`\`mermaid
---
title: Shipping
---
%% how it is done
graph TD
    A["Write <b>code</b>"] --> B("Test it") -->|passes| C{Good enough?}
    C -- yes --> D([Publish]); C -- no --> A2[Ask]  %% somebody
    subgraph build [Build things]
        direction LR
        B
        C
    end
    build --> F[[Announce]]:::loud
    classDef loud fill:#f00,stroke:#333
    class A,B loud
    click A "https://example.org" _blank
\`\`\``;

const yaml = `baton: 1
title: From a file
nodes:
  - {id: one, title: One, kind: command, command: "true"}
  - {id: two, title: Two, kind: command, command: "true", dependsOn: [one]}
`;

const json = JSON.stringify({
  baton: 1,
  title: "From JSON",
  nodes: [{ id: "three", title: "Three", kind: "command", command: "true" }],
});

journey(
  "texts in many formats are pasted as nodes, and other texts show an error",
  async ({ page, server, folder }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const blueprint = await Blueprint.create(page, { title: "Board", directory: folder });
    const empty = await storedPlan(page, server);

    await paste(page, flowchart);
    await blueprint.card("Announce").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Pasted with omissions" }).waitFor();
    await blueprint.waitUntilSaved();
    const { nodes, edges, groups } = JSON.parse(await storedPlan(page, server));
    assert.deepEqual(
      nodes.map(({ title }) => title),
      ["Write <b>code</b>", "Test it", "Good enough?", "Publish", "Ask", "Announce"],
    );
    assert.equal(edges.length, 5, "the subgraph's edge leads from its last node");
    assert.deepEqual(
      groups.map(({ title, nodes: members }) => [title, members.length]),
      [["Build things", 2]],
    );
    assert.equal(await page.locator(".react-flow__node b").count(), 0, "HTML stays text");
    await page.keyboard.press("Control+z");
    await page.getByRole("heading", { name: "Add the first node" }).waitFor();
    await blueprint.waitUntilSaved();
    assert.equal(await storedPlan(page, server), empty, "a paste is one step");

    await assertRefused(page, "graph TD\n a --> b\n b -> c\n", /Line 3: unexpected "-> c"/);
    await assertRefused(
      page,
      "graph TD\n a --> b\n b --> a\n",
      /Line 3: this edge closes a cycle: a, b/,
    );
    await assertRefused(page, yaml.replace("[one]", "[none]"), /Line 5: .*none/);
    await assertRefused(page, "sequenceDiagram\n A->>B: hello", /a Mermaid flowchart/);
    await assertRefused(page, "Buy milk, and bread.", /clipboard doesn't contain nodes/);
    await assertRefused(
      page,
      `${"a b c d e f\n".repeat(430_000)}`,
      /clipboard doesn't contain nodes/,
    );
    await assertRefused(
      page,
      `graph LR\n${"%% nothing   \n".repeat(350_000)}`,
      /contains no nodes/,
    );

    await paste(page, yaml);
    await blueprint.edge("Two depends on One").waitFor({ state: "attached" });
    await paste(page, json);
    await blueprint.card("Three").waitFor();
  },
);

journey(
  "nodes are copied between blueprints, with their incoming edges where possible",
  async ({ page, server, folder }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const blueprint = await Blueprint.importFile(page, folder, yaml);
    await blueprint.card("Two").click();
    await page.keyboard.press("Control+c");
    await page.keyboard.press("Control+v");
    await page.locator(".react-flow__node").nth(2).waitFor();
    assert.equal(
      await page.locator(".react-flow__edge").count(),
      1,
      "a copy has no incoming edges",
    );
    await page.keyboard.press("Control+Shift+v");
    await page.locator(".react-flow__node").nth(3).waitFor();
    await blueprint.edge("Two depends on One").nth(1).waitFor({ state: "attached" });
    await blueprint.waitUntilSaved();

    await blueprint.card("One").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    const { plan } = await callOperation(server, "plan_create", {
      title: "Other",
      description: "",
      cwd: folder,
    });
    await page.goto(addressOf(server, `/blueprints/${plan.id}`));
    await page.getByRole("heading", { name: "Add the first node" }).waitFor();
    await page.keyboard.press("Control+Shift+v");
    await page.locator(".react-flow__node").nth(3).waitFor();
    await blueprint.waitUntilSaved();
    const there = JSON.parse(await storedPlan(page, server));
    assert.equal(there.nodes.length, 4);
    assert.equal(there.edges.length, 2, "edges among the copies, and none to nodes elsewhere");
  },
);

journey(
  "copies are pasted at the pointer, or else around the middle of the view, and cover nothing",
  async ({ page, server, folder }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const blueprint = await Blueprint.importFile(page, folder, yaml);
    await blueprint.card("Two").click();
    await page.keyboard.press("Control+c");
    const graph = await page.locator(".react-flow").boundingBox();
    assert.ok(graph);
    const cards = page.locator(".react-flow__node");
    const pasteAndCount = async (count) => {
      await page.keyboard.press("Control+v");
      await cards.nth(count - 1).waitFor();
      assert.equal(await cards.count(), count);
      return boxOf(page, ".react-flow__node.selected");
    };

    const at = { x: graph.x + graph.width * 0.4, y: graph.y + graph.height * 0.8 };
    await page.mouse.move(at.x, at.y, { steps: 3 });
    const there = await pasteAndCount(3);
    assert.ok(Math.abs(there.x - at.x) < 5 && Math.abs(there.y - at.y) < 5, "at the pointer");

    // Off the canvas, on the page's header.
    await page.mouse.move(graph.x + graph.width / 2, 10, { steps: 3 });
    for (const count of [4, 5]) {
      const { x, y, width, height } = await pasteAndCount(count);
      const away = {
        x: x + width / 2 - graph.x - graph.width / 2,
        y: y + height / 2 - graph.y - graph.height / 2,
      };
      assert.ok(Math.abs(away.x) < 300 && Math.abs(away.y) < 250, JSON.stringify(away));
    }
    await blueprint.waitUntilSaved();
    const { nodes } = JSON.parse(await storedPlan(page, server));
    const places = nodes.flatMap(({ position }) => position ?? []);
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1))
        assert.ok(
          Math.abs(one.x - other.x) >= 220 || Math.abs(one.y - other.y) >= 64,
          `${JSON.stringify(one)} covers ${JSON.stringify(other)}`,
        );
  },
);

/**
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 */
async function boxOf(page, selector) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not rendered`);
  return box;
}

/**
 * Pastes with the real clipboard and keys.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
async function paste(page, text) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.locator(".react-flow__pane").focus();
  await page.keyboard.press("Control+v");
}

/**
 * Pasting the text adds nothing, and a toast shows the reason.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 * @param {RegExp} why
 */
async function assertRefused(page, text, why) {
  await paste(page, text);
  const toast = page.getByRole("listitem").filter({ hasText: "Couldn't paste" });
  await toast.filter({ hasText: why }).waitFor();
  assert.equal(await page.locator(".react-flow__node").count(), 0);
  // The toast may also close by itself.
  await toast
    .getByRole("button", { name: "Dismiss" })
    .click({ timeout: 15_000 })
    .catch(() => undefined);
  await toast.waitFor({ state: "detached" });
}
