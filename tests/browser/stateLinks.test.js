import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("the state of a run leads to its failures, and F8 walks through them", async (world) => {
  const { page, folder } = world;
  const blueprint = await Blueprint.create(page, { title: "State links", directory: folder });
  await blueprint.place("command", "One", { x: 400, y: 200 });
  await blueprint.place("command", "Two", { x: 400, y: 360 });
  await blueprint.write("One", "Command", "exit 1");
  await blueprint.write("Two", "Command", "exit 2");
  await blueprint.run();
  await blueprint.cardIn("One", "Failed").waitFor();
  await blueprint.cardIn("Two", "Failed").waitFor();

  const heading = (name) => blueprint.inspector.getByRole("heading", { name, exact: true });
  await page.keyboard.press("Escape");
  const pill = page.getByRole("button", { name: "Failed", exact: true });
  await pill.click();
  await heading("One").or(heading("Two")).waitFor();
  const first = (await heading("One").isVisible()) ? "One" : "Two";
  await pill.click();
  await heading(first === "One" ? "Two" : "One").waitFor();

  await page.keyboard.press("F8");
  await page.getByText(/^Problem [12] of 2: (One|Two) failed/).waitFor({ state: "attached" });
  await heading(first).waitFor();
  await page.keyboard.press("Shift+F8");
  await heading(first === "One" ? "Two" : "One").waitFor();
});

journey("a shortcut shows what will run again before anything starts", async (world) => {
  const { page, folder } = world;
  const blueprint = await Blueprint.create(page, { title: "Again", directory: folder });
  await blueprint.place("command", "Build", { x: 400, y: 260 });
  await blueprint.place("command", "Test", { x: 740, y: 260 });
  await blueprint.connect("Build", "Test");
  await blueprint.write("Build", "Command", "echo built >> ledger");
  await blueprint.write("Test", "Command", "test -e fixed");
  await blueprint.run();
  await blueprint.cardIn("Test", "Failed").waitFor();

  await blueprint.select("Build");
  await page.keyboard.press("Shift+E");
  const rerun = page.getByRole("dialog", { name: "Rerun from “Build”?" });
  const nodes = rerun.getByRole("list", { name: "Nodes that will run" }).getByRole("listitem");
  await nodes.nth(1).waitFor();
  assert.equal(await nodes.count(), 2);
  await page.keyboard.press("Escape");
  await rerun.waitFor({ state: "detached" });
  await blueprint.cardIn("Build", "Done").waitFor();
  await blueprint.cardIn("Test", "Failed").waitFor();

  await writeFile(path.join(folder, "fixed"), "");
  await page.getByRole("button", { name: "Rerun failed" }).click();
  const failed = page.getByRole("dialog", { name: "Rerun failed nodes?" });
  await failed.getByRole("button", { name: "Rerun 1 node" }).waitFor();
  await page.keyboard.press("Enter");
  await blueprint.cardIn("Test", "Done").waitFor();
});

journey("a stopped node can be marked done right there", async ({ page, folder }) => {
  const blueprint = await Blueprint.create(page, { title: "Stop one", directory: folder });
  await blueprint.place("command", "Long", { x: 400, y: 260 });
  await blueprint.place("command", "After", { x: 740, y: 260 });
  await blueprint.connect("Long", "After");
  await blueprint.write("Long", "Command", "sleep 1000");
  await blueprint.write("After", "Command", "touch after");
  await blueprint.run();
  await blueprint.cardIn("Long", "Running").waitFor();

  await blueprint.select("Long");
  const toolbar = page.getByRole("toolbar", { name: "Actions for Long" });
  await toolbar.getByRole("button", { name: "Stop node" }).click();
  const question = page.getByRole("alertdialog", { name: "Stop “Long”?" });
  await question.getByRole("button", { name: "Stop", exact: true }).click();
  await blueprint.cardIn("Long", "Interrupted").waitFor();

  await toolbar.getByRole("button", { name: "Mark done" }).click();
  await blueprint.cardIn("After", "Done").waitFor();
  await access(path.join(folder, "after"));
});
