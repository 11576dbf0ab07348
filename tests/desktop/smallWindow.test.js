import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Blueprint } from "./support/blueprint.js";
import { coveredControls } from "./support/coveredControls.js";
import { programs } from "./support/driver.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Nightly build for customers
nodes:
  - id: fetch
    title: Fetch
    kind: command
    command: echo fetched
  - id: build
    title: Build
    kind: command
    command: echo building; exit 2
    dependsOn: [fetch]
  - id: deploy
    title: Deploy
    kind: command
    command: make deploy
    dependsOn: [build]
`;

journey(
  "a plan from the shell is fully usable in a small dark window",
  async ({ open, folder, data }) => {
    const window = await open();
    await window.resize(1000, 700);
    await window.get("link", "Blueprints");
    await importByShell(folder, data);
    const title = "Nightly build for customers";
    await window.get("link", title);
    for (const theme of ["Light", "Dark"]) {
      await window.click("link", "Settings");
      await window.click("radio", theme);
      await fits(window, `settings-${theme}`);
      await window.click("link", "Blueprints");
      await window.get("link", title);
      await fits(window, `list-${theme}`);
    }
    const root = "return document.documentElement.dataset.theme";
    assert.equal(await window.driver.executeScript(root), "dark");

    await window.click("link", title);
    const blueprint = new Blueprint(window);
    await blueprint.run();
    await blueprint.card("Build", "Failed");
    await (await blueprint.card("Build", "Failed")).click();
    await window.click("tab", "Attempts1");
    await window.get("button", "Retry");
    await fits(window, "blueprint");
    await window.click("link", "Open timeline");
    await window.text("building");
    await fits(window, "timeline");
    await window.click("link", "Blueprints");
    await window.click("link", "New blueprint");
    await window.get("button", "Create blueprint");
    await fits(window, "new");
  },
);

/** The shell and the window share their data, so an import in one appears in the other. */
async function importByShell(folder, data) {
  const file = path.join(folder, "nightly.yaml");
  await writeFile(file, plan);
  const env = { ...process.env, BATON_DATA_DIR: data };
  await promisify(execFile)(path.join(programs, "baton"), ["plan", "import", file], { env });
}

async function fits(window, name) {
  await window.screenshot(name);
  assert.deepEqual(await window.driver.executeScript(coveredControls), [], name);
}
