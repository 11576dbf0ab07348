import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";
import { baton } from "./support/server.js";

const nightly = (folder) => `baton: 1
title: Nightly
cwd: ${folder}
nodes:
  - {id: build, title: Build, kind: command, command: 'echo the compiler stopped; exit 3'}
`;

const cleanUp = (folder) => `baton: 1
title: Clean up
cwd: ${folder}
nodes:
  - {id: report, title: Report, kind: command, command: 'cat $BATON_CONTEXT > report.md'}
`;

journey(
  "a chosen error handler runs once after a failure, and both runs link to each other",
  async ({ page, folder, server }) => {
    const shell = (...line) =>
      execFileSync(baton, line, { cwd: folder, env: server.environment, encoding: "utf8" });
    await writeFile(path.join(folder, "clean-up.yaml"), cleanUp(folder));
    shell("plan", "import", "clean-up.yaml");
    const blueprint = await Blueprint.importFile(page, folder, nightly(folder));

    const advanced = page.getByRole("button", { name: /^Advanced/ });
    if ((await advanced.getAttribute("aria-expanded")) === "false") await advanced.click();
    await page.getByRole("combobox", { name: "When a run fails, run" }).click();
    await page.getByRole("option", { name: /^Clean up/ }).click();
    await page.getByText(/isn't approved, so it won't run after a failure/).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "error-handler-setting");

    await blueprint.run();
    const missing = page.getByText(
      /The error handler 'Clean up' did not start: no version of it is approved/,
    );
    await missing.waitFor();
    await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
    const item = page.getByRole("article", { name: /did not start: no version of it is approved/ });
    await item.getByRole("link", { name: "Nightly" }).click();
    await missing.waitFor();

    const refused = page.getByRole("status").filter({ has: missing });
    const start = refused.getByRole("button", { name: "Start error handler" });
    await start.click();
    await refused.getByText(/^Still not started.*Review and approve it/).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "error-handler-refused");
    const failed = page.url();
    await refused.getByRole("link", { name: "Open error handler" }).click();
    await blueprint.card("Report").waitFor();
    await page.goto(failed);
    shell("plan", "approve", "Clean up");
    await start.click();
    await page.getByText("Error handler: #1 of Clean up, completed").waitFor();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
    const first = await readFile(path.join(folder, "report.md"), "utf8");
    assert.match(first, /## Run #1 of Nightly failed/);

    await page.getByRole("button", { name: "Run all", exact: true }).click();
    await page.getByText("Error handler: #2 of Clean up, completed").waitFor();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "error-handler-ran");
    const report = await readFile(path.join(folder, "report.md"), "utf8");
    assert.match(report, /## Run #2 of Nightly failed/);
    assert.match(report, /the compiler stopped/);

    const ran = page.getByRole("status").filter({ hasText: "Error handler: #2 of Clean up" });
    await ran.getByRole("link", { name: "Open error handler" }).click();
    await blueprint.cardIn("Report", "Done").waitFor();
    await page.getByRole("link", { name: "Back to #2 of Nightly" }).click();
    await blueprint.cardIn("Build", "Failed").waitFor();

    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.getByRole("link", { name: "After the failure of #2 of Nightly" }).waitFor();
    const runs = JSON.parse(shell("runs", "list", "--json"));
    const handlers = runs.filter((run) => run.title === "Clean up");
    assert.equal(handlers.length, 2, "the handler ran once for each failure");
  },
);

journey(
  "a refusal without a blueprint to open leads to the setting that names it",
  async ({ page, folder, server }) => {
    const shell = (...line) =>
      execFileSync(baton, line, { cwd: folder, env: server.environment, encoding: "utf8" });
    await writeFile(path.join(folder, "clean-up.yaml"), cleanUp(folder));
    shell("plan", "import", "clean-up.yaml");
    const text = nightly(folder).replace("cwd:", "onFailure: Clean up\ncwd:");
    const waits = text.replace("'echo the", "'while [ ! -e go ]; do sleep 0.1; done; echo the");
    const blueprint = await Blueprint.importFile(page, folder, waits);
    await blueprint.run();
    await blueprint.cardIn("Build", "Running").waitFor();
    shell("plan", "delete", "Clean up", "--yes");
    await writeFile(path.join(folder, "go"), "");
    await page.getByText(/did not start: there is no such plan/).waitFor();
    await page.getByRole("button", { name: "Choose error handler" }).click();
    const field = page.getByRole("combobox", { name: "When a run fails, run" });
    await field.waitFor();
    assert.ok(await field.evaluate((element) => element === document.activeElement));
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "error-handler-choose");
  },
);
