import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Key } from "selenium-webdriver";
import { programs } from "./support/driver.js";
import { journey } from "./support/journey.js";
import { answerDialog, keycodes } from "./support/x11.js";

const plan = `baton: 1
title: Saved by hand
nodes:
  - {id: first, title: First, kind: command, command: "true"}
`;

journey("a blueprint is saved at the place chosen in the desktop's dialog", async (given) => {
  const { folder, data } = given;
  const file = path.join(folder, "plan.yaml");
  await writeFile(file, plan);
  const window = await given.open();
  await window.get("heading", "Blueprints");
  const env = { ...process.env, BATON_DATA_DIR: data };
  await promisify(execFile)(path.join(programs, "baton"), ["plan", "import", file], { env });
  await window.click("link", "Saved by hand");

  await exportAsYaml(window);
  await answerDialog("Save File", keycodes.escape);
  await window.text("Run all");
  assert.deepEqual(await readdir(folder), ["plan.yaml"], "closing the dialog saves nothing");

  await exportAsYaml(window);
  await answerDialog("Save File", keycodes.enter);
  // The dialog opens in the plan's directory.
  const saved = path.join(folder, "saved-by-hand.baton.yaml");
  await window.text(saved);
  assert.match(await readFile(saved, "utf8"), /title: Saved by hand/);
});

/**
 * Starts the export from the palette.
 *
 * @param {import("./support/window.js").Window} window
 */
async function exportAsYaml(window) {
  const { driver } = window;
  await window.text("Run all");
  await driver.actions().keyDown(Key.CONTROL).sendKeys("k").keyUp(Key.CONTROL).perform();
  await window.type("combobox", "Commands", "export blueprint");
  await window.text("Export blueprint");
  await driver.actions().sendKeys(Key.ENTER).perform();
  await (await window.text("YAML")).click();
}
