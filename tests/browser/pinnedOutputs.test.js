import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { goTo } from "./support/pages.js";
import { takeScreenshots } from "./support/screenshots.js";
import { baton } from "./support/server.js";

const plan = (folder) => `
baton: 1
title: Release
cwd: ${folder}
nodes:
  - {id: collect, title: Collect, kind: command, command: echo collect >> ran}
  - {id: write, title: Write, kind: command, dependsOn: [collect], command: echo write >> ran}
  - {id: publish, title: Publish, kind: command, dependsOn: [write], command: 'echo publish >> ran; cp $BATON_CONTEXT received.md'}
`;

journey(
  "a node's output is pinned, and the rest of the blueprint runs with it",
  async ({ page, folder }) => {
    const ran = () => readFile(path.join(folder, "ran"), "utf8");
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    await blueprint.run();
    await blueprint.cardIn("Publish", "Done").waitFor();
    assert.equal(await ran(), "collect\nwrite\npublish\n");

    await blueprint.select("Write");
    await blueprint.inspector.getByRole("tab", { name: "Handoff" }).click();
    await blueprint.inspector.getByRole("button", { name: "Pin this output" }).click();
    await blueprint.card("Write").getByText("Output pinned").waitFor();

    await page.getByRole("button", { name: "Run options" }).click();
    await page.getByRole("menuitem", { name: "Run with pinned outputs…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run with pinned outputs" });
    const group = (name) => dialog.getByRole("list", { name }).getByRole("listitem");
    assert.match(await group("Use their pinned output").innerText(), /^Write\s+from run #1$/);
    assert.equal(await group("Run").innerText(), "Publish");
    assert.equal(await group("Left out: only pinned nodes need them").innerText(), "Collect");
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "pinned-outputs-dialog");
    await dialog.getByRole("button", { name: "Run 1 node" }).click();
    await dialog.waitFor({ state: "detached" });

    const banner = page.getByRole("banner").or(page.locator("header"));
    await banner.getByText("Pinned outputs").first().waitFor();
    await blueprint.cardIn("Publish", "Done").waitFor();
    await blueprint.cardIn("Write", "Done, Pinned output from run #1").waitFor();
    await blueprint.cardIn("Collect", "Skipped").waitFor();
    assert.equal(await ran(), "collect\nwrite\npublish\npublish\n");
    assert.match(await readFile(path.join(folder, "received.md"), "utf8"), /## Write/);
    await takeScreenshots(page, "pinned-outputs-run");

    await blueprint.card("Write").click({ button: "right" });
    await page.getByRole("menuitem", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Unpin output" }).click();
    await page.getByRole("button", { name: "Run options" }).click();
    const entry = page.getByRole("menuitem", { name: "Run with pinned outputs…" });
    assert.equal(await entry.getAttribute("aria-disabled"), "true");
    await page.keyboard.press("Escape");

    await goTo(page, "/runs");
    const rows = page.getByRole("row").filter({ hasText: "Release" });
    await rows.filter({ hasText: "#2" }).getByRole("img", { name: "Pinned outputs" }).waitFor();
    assert.equal(await rows.getByRole("img", { name: "Pinned outputs" }).count(), 1);
    await takeScreenshots(page, "pinned-outputs-runs");
  },
);

const made = (folder) => `
baton: 1
title: Ship
cwd: ${folder}
nodes:
  - {id: build, title: Build, kind: command, command: 'echo build >> ran'}
  - {id: ship, title: Ship it, kind: command, dependsOn: [build], command: 'echo {{nodes.build.outputs.version}} >> ran'}
`;

journey(
  "a typed output gets the named outputs that later nodes read",
  async ({ page, folder, server }) => {
    const blueprint = await Blueprint.importFile(page, folder, made(folder));
    const { environment } = server;
    execFileSync(baton, ["plan", "approve", "Ship"], {
      cwd: folder,
      env: environment,
      stdio: "ignore",
    });
    const openDialog = async () => {
      await blueprint.card("Build").click({ button: "right" });
      await page.getByRole("menuitem", { name: "More" }).click();
      await page.getByRole("menuitem", { name: /^Pin output/ }).click();
    };
    await openDialog();
    const dialog = page.getByRole("dialog", { name: "Pin the output of Build" });
    await dialog.getByText("Not pinned, but read by Ship it").waitFor();
    await dialog.getByRole("textbox", { name: "Output", exact: true }).fill("Built by hand.");
    await dialog.getByRole("button", { name: "Add named output" }).click();
    await dialog.getByRole("textbox", { name: "Named output 2, name" }).fill("my key");
    await dialog.getByRole("textbox", { name: "Named output 2, value" }).fill("1");
    await dialog
      .getByRole("alert")
      .getByText(/^Use only letters, digits/)
      .waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "pin-named-outputs");
    await dialog.getByRole("button", { name: "Remove named output my key" }).click();
    await dialog.getByRole("button", { name: "Pin output" }).click();
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Run options" }).click();
    await page.getByRole("menuitem", { name: "Run with pinned outputs…" }).click();
    const start = page.getByRole("dialog", { name: "Run with pinned outputs" });
    await start.getByText("Ship it reads the named output version of Build").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await takeScreenshots(page, "pinned-outputs-missing");
    await start.getByRole("button", { name: "Cancel" }).click();

    await openDialog();
    await dialog.getByRole("textbox", { name: "Named output 1, value" }).fill("1.2.3");
    await dialog.getByRole("button", { name: "Pin output" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Run options" }).click();
    await page.getByRole("menuitem", { name: "Run with pinned outputs…" }).click();
    const pins = start.getByRole("list", { name: "Use their pinned output" });
    assert.match(await pins.innerText(), /^Build\s+typed: version$/);
    await start.getByRole("button", { name: "Run 1 node" }).click();
    await blueprint.cardIn("Ship it", "Done").waitFor();
    assert.equal(await readFile(path.join(folder, "ran"), "utf8"), "1.2.3\n");
  },
);
