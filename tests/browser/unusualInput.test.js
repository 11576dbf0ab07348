import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { baton } from "./support/server.js";

const titles = [
  "x".repeat(500),
  `${"long words ".repeat(45)}end`,
  "🏃‍♀️ carries the 🥖 on",
  "تقرير أسبوعي عن المستودع",
  '<img src=x onerror="document.title=1"><b>bold</b>',
  "{{nodes.a.outputs.b}} $HOME `id` $(id) '\"; rm -rf ~",
  "../../etc/passwd\\..\\",
];

journey("titles are always text, regardless of their content", async ({ page, server, folder }) => {
  await importPlan(server, folder, {
    title: titles[4],
    nodes: titles.map((title, at) => command(`n${at}`, title)),
  });
  await page.getByRole("link", { name: titles[4] }).click();
  for (const title of titles) await page.getByTitle(title).first().waitFor({ state: "attached" });
  await page.getByRole("radio", { name: "List" }).click();
  for (const title of titles) {
    const row = page.getByRole("option").filter({ hasText: title });
    await row.click();
    await page.getByRole("complementary").getByRole("heading", { name: title }).waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "Title", exact: true }).inputValue(),
      title,
    );
  }

  assert.equal(await page.locator("main img, main b").count(), 0, "no title created an element");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, "a long title does not widen the page");
});

journey("a plan of 200 nodes opens, moves and selects", async ({ page, server, folder }) => {
  const nodes = Array.from({ length: 200 }, (_, at) => ({
    ...command(`n${at}`, `Node ${at}`),
    dependsOn: at < 20 ? [] : [`n${at - 20}`, ...(at % 20 === 0 ? [] : [`n${at - 21}`])],
  }));
  await importPlan(server, folder, { title: "Wide", nodes });
  await page.getByRole("link", { name: "Wide" }).click();
  const blueprint = new Blueprint(page);
  await page.locator(".react-flow__node").first().waitFor();

  const find = page.getByRole("searchbox", { name: "Find a node" });
  await find.fill("Node 199");
  await find.press("Enter");
  await blueprint.inspector.getByRole("heading", { name: "Node 199", exact: true }).waitFor();
  const before = await blueprint.card("Node 199").boundingBox();
  await page.mouse.move(500, 400);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(
    ([id, y]) =>
      Math.abs(
        document.querySelector(`.react-flow__node[data-id="${id}"]`)?.getBoundingClientRect().y - y,
      ) > 50,
    [await blueprint.card("Node 199").getAttribute("data-id"), before?.y],
  );
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "List" }).click();
  // The list opens at the selected node.
  await page.getByRole("option", { name: "Node 199, command" }).hover();
  await page.mouse.wheel(0, -100_000);
  await page.getByRole("option", { name: "Node 0, command" }).click();
  await page.keyboard.press("Control+a");
  await page.getByText("200 nodes selected").waitFor();
});

journey("a plan without nodes shows how to start", async ({ page, server, folder }) => {
  await importPlan(server, folder, { title: "Nothing", nodes: [] });
  await page.getByRole("link", { name: "Nothing" }).click();

  await page.getByRole("heading", { name: "Add the first node" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve blueprint" }).count(), 0);
  await page.getByRole("button", { name: "Run all" }).click();
  await page
    .getByRole("dialog", { name: "Not ready to run" })
    .getByText("Add a node first.")
    .waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("radio", { name: "List" }).click();
  await page.getByText("No nodes yet").waitFor();
});

const command = (id, title) => ({ id, title, kind: "command", command: "true" });

/** Imports a plan with the shell; the open page shows it. */
async function importPlan(server, folder, plan) {
  const file = path.join(folder, "plan.json");
  await writeFile(file, JSON.stringify({ baton: 1, ...plan }));
  await promisify(execFile)(baton, ["plan", "import", file], { env: server.environment });
}
