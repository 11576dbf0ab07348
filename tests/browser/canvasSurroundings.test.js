import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Surroundings
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [fetch], position: {x: 0, y: 200}}
  - {id: spare, title: Spare, kind: command, command: "true", position: {x: 0, y: 400}}
`;

journey(
  "what surrounds the canvas fits a small window and large text, and leads back to the nodes",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan);
    const { keyboard, mouse } = page;
    const settings = page.getByRole("complementary", { name: "Blueprint settings" });
    await settings.waitFor();
    // The inspector takes a third of the window at most, also after the window became smaller.
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.waitForFunction(() => {
      const panel = document.querySelector("[data-side]");
      return panel !== null && panel.getBoundingClientRect().width <= innerWidth / 3 + 1;
    });
    assert.equal(await settings.getByRole("textbox", { name: "Run retries" }).count(), 0);
    await settings.getByRole("button", { name: /^Advanced/ }).focus();
    await keyboard.press("Enter");
    await settings.getByRole("textbox", { name: "Run retries" }).waitFor();

    await blueprint.select("Fetch");
    await blueprint.inspector.getByRole("tab", { name: "Task", selected: true }).waitFor();
    const bars = page.getByRole("toolbar", { name: /^Actions for/ });
    await page.getByRole("toolbar", { name: "Actions for Fetch" }).waitFor();
    await blueprint.card("Spare").click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar", { name: "Actions for 2 nodes" }).waitFor();
    assert.equal(await bars.count(), 1, "one toolbar for both");
    assert.deepEqual(await seriousFaults(page), []);
    await bars.getByRole("button", { name: "Duplicate" }).click();
    await page.locator(".react-flow__node").nth(4).waitFor();
    await keyboard.press("Control+z");
    await page.locator(".react-flow__node").nth(3).waitFor({ state: "detached" });

    await mouse.move(400, 400);
    for (let step = 0; step < 10; step += 1) await mouse.wheel(0, 1_000);
    await page.getByRole("button", { name: "Back to the blueprint" }).click();
    await blueprint.card("Build").waitFor();

    await page.getByRole("button", { name: "Minimap" }).click();
    await assertApart(page, "at 100%");
    await page.addStyleTag({ content: "html { font-size: 200% !important }" });
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).fontSize === "32px",
    );
    await assertApart(page, "at 200%");
    await assertMenusInWindow(page, blueprint.card("Build"));
  },
);

/** The minimap never lies over the zoom bar. */
async function assertApart(page, when) {
  const map = await boxOf(page.getByRole("img", { name: "Minimap" }));
  const bar = await boxOf(page.getByRole("toolbar", { name: "Graph view" }));
  const apart =
    map.x >= bar.x + bar.width ||
    bar.x >= map.x + map.width ||
    map.y >= bar.y + bar.height ||
    bar.y >= map.y + map.height;
  assert.ok(apart, `${when}: ${JSON.stringify({ map, bar })}`);
}

/** The menu of several nodes and the one inside it end within the window, and no line is cut off. */
async function assertMenusInWindow(page, card) {
  await page.getByRole("button", { name: "Back to the graph" }).click();
  await card.click();
  await page.keyboard.press("Control+a");
  await card.click({ button: "right" });
  await page.getByRole("menuitem", { name: "More", exact: true }).click();
  const menus = page.getByRole("menu");
  await menus.nth(1).waitFor();
  const { width, height } = page.viewportSize();
  for (const menu of await menus.all()) {
    const box = await boxOf(menu);
    const isInside =
      box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    assert.ok(isInside, JSON.stringify(box));
    const cutOff = await menu
      .getByRole("menuitem")
      .evaluateAll((lines) =>
        lines
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((line) => line.textContent),
      );
    assert.deepEqual(cutOff, []);
  }
}

async function boxOf(locator) {
  const box = await locator.boundingBox();
  assert.ok(box);
  return box;
}
