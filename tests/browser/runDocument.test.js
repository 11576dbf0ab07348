import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const hostile = `<script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;
const plan = `
baton: 1
title: ${JSON.stringify(`Release ${hostile}`)}
cwd: FOLDER
nodes:
  - {id: build, title: ${JSON.stringify(hostile)}, kind: command, command: sh build.sh, acceptanceCriteria: [{run: test -e main.rs}]}
  - {id: pack, title: Pack, kind: command, command: "true", dependsOn: [build]}
`;

journey("a run is one file that shows everything and loads nothing", async ({ page, folder }) => {
  await writeFile(path.join(folder, "build.sh"), `echo '${hostile}'\necho x > main.rs\n`);
  const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
  await blueprint.run();
  await blueprint.cardIn("Pack", "Done").waitFor();

  await page.getByRole("button", { name: "More actions" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export run" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /-run-1\.html$/);
  const file = path.join(folder, "run.html");
  await writeFile(file, await readFile(await download.path()));

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const context = await page.context().browser()?.newContext({ colorScheme });
    const reader = await context?.newPage();
    assert.ok(context && reader);
    /** @type {string[]} */
    const faults = [];
    reader.on("console", (message) => faults.push(message.text()));
    reader.on("pageerror", (error) => faults.push(error.message));
    reader.on("request", (request) => {
      if (!request.url().startsWith(`file://${file}`) && !request.url().startsWith("data:"))
        faults.push(request.url());
    });
    await reader.goto(`file://${file}`);
    await reader.waitForLoadState("networkidle");
    assert.deepEqual(faults, [], "no error and no request");
    assert.match(await reader.title(), /^Release <script>/, "no text was executed");
    assert.equal(await reader.locator("script, img, iframe, form").count(), 0);
    await reader.getByRole("heading", { level: 2, name: "What people decided" }).waitFor();
    await reader.getByRole("heading", { level: 3, name: "Pack" }).waitFor();
    const nodes = reader.getByRole("table", { name: "All nodes" });
    assert.equal(await nodes.getByRole("row").count(), 3);
    assert.equal(await reader.locator(`figure.graph.${colorScheme}`).isVisible(), true);
    assert.equal(await reader.locator("figure.graph:visible").count(), 1);
    const width = await reader.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= (reader.viewportSize()?.width ?? 0), "nothing is wider than the page");
    assert.deepEqual(await seriousFaults(reader), []);
    await reader.emulateMedia({ media: "print" });
    assert.equal(await reader.locator("figure.graph.light").isVisible(), true);
    await context.close();
  }
});
