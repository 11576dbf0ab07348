import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { journey } from "./support/journey.js";

const faulty = `baton: 1
title: Nightly
concurency: 2
nodes:
  - id: fetch
    kind: command
    command: git fetch
    dependsOn: [biuld]
  - id: build
    kind: command
    command: make
    timeoutMs: soon
`;

const good = `baton: 1
title: Nightly
concurrency: 2
nodes:
  - id: fetch
    title: Fetch
    kind: command
    command: git fetch
    position: { x: 0, y: 0 }
  - id: build
    title: Build
    kind: command
    command: make
    dependsOn: [fetch]
    timeoutMs: 60000
    position: { x: 300, y: 80 }
`;

journey(
  "a plan file with errors is rejected as a whole, and a valid one exports unchanged",
  async ({ page, folder }) => {
    const file = path.join(folder, "nightly.yaml");
    await writeFile(file, faulty);
    await page.getByRole("status").filter({ hasText: "3 blueprints" }).waitFor();

    await pick(page, "Import", file);
    const refusal = page.getByRole("alert", { name: "nightly.yaml" });
    await refusal.getByText("Couldn't import nightly.yaml.").waitFor();
    const faults = await refusal.getByRole("listitem").allInnerTexts();
    assert.match(faults.join("\n"), /nightly\.yaml:3:\d+:\s*.*concurency.*concurrency/);
    assert.match(faults.join("\n"), /nightly\.yaml:8:\d+:\s*.*biuld/);
    assert.match(faults.join("\n"), /nightly\.yaml:12:\d+:\s*.*timeoutMs/);
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await page.getByRole("status").filter({ hasText: "3 blueprints" }).waitFor();

    await writeFile(file, good);
    await pick(page, "Import", file);
    await page.getByRole("heading", { name: "Nightly" }).waitFor();
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      exportAs(page, "Nightly", "YAML"),
    ]);
    assert.equal(await readFile(await download.path(), "utf8"), good);
  },
);

async function pick(page, button, file) {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: button }).click(),
  ]);
  await chooser.setFiles(file);
}

async function exportAs(page, title, format) {
  await page.getByRole("row").filter({ hasText: title }).click({ button: "right" });
  await page.getByRole("menuitem", { name: `Export as ${format}` }).click();
}
