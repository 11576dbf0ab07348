import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey(
  "a failed node shows the reason, and a retry succeeds once the cause is fixed",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.create(page, { title: "Report", directory: folder });
    await blueprint.place("command", "Read figures", { x: 400, y: 260 });
    await blueprint.place("command", "Sum up", { x: 740, y: 260 });
    await blueprint.connect("Read figures", "Sum up");
    await blueprint.write("Read figures", "Command", "cat figures");
    await blueprint.write("Sum up", "Command", "wc -l figures");
    await blueprint.run();

    await page
      .getByRole("status")
      .filter({ hasText: "Read figures" })
      .filter({ hasText: "exit" })
      .waitFor();
    await page.getByRole("button", { name: "Show failed node" }).click();
    await blueprint.inspector.getByRole("heading", { name: "Read figures" }).waitFor();
    await blueprint.inspector.getByText("Exit code 1", { exact: true }).first().waitFor();
    await blueprint.inspector.getByRole("tab", { name: /^Attempts/ }).click();
    await blueprint.inspector.getByText("No such file").first().waitFor();

    await writeFile(path.join(folder, "figures"), "1\n2\n");
    await blueprint.inspector.getByRole("button", { name: "Retry" }).click();
    await blueprint.cardIn("Sum up", "Done").waitFor();
    await blueprint.cardIn("Read figures", "Done").waitFor();
    assert.equal(await page.getByRole("button", { name: "Show failed node" }).count(), 0);
  },
);

journey("a run continues without a skipped node", async ({ page, folder }) => {
  const blueprint = await Blueprint.create(page, { title: "Report", directory: folder });
  await blueprint.place("command", "Fail", { x: 400, y: 260 });
  await blueprint.place("command", "Go on", { x: 740, y: 260 });
  await blueprint.connect("Fail", "Go on");
  await blueprint.write("Fail", "Command", "exit 3");
  await blueprint.write("Go on", "Command", "touch went-on");
  await blueprint.run();
  await blueprint.cardIn("Fail", "Failed").waitFor();

  await blueprint.select("Fail");
  await page.keyboard.press("Shift+K");
  const question = page.getByRole("dialog", { name: "Skip “Fail”?" });
  await question.getByRole("list", { name: "Nodes that may start" }).getByText("Go on").waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await blueprint.cardIn("Fail", "Failed").waitFor();
  await page.keyboard.press("Shift+K");
  await question.waitFor();
  await page.keyboard.press("Enter");

  await blueprint.cardIn("Go on", "Done").waitFor();
  await blueprint.cardIn("Fail", "Skipped").waitFor();
  await access(path.join(folder, "went-on"));
});

journey("a run is paused, resumed and stopped", async ({ page, folder }) => {
  const blueprint = await Blueprint.create(page, { title: "Long work", directory: folder });
  await blueprint.place("command", "First", { x: 400, y: 260 });
  await blueprint.place("command", "Second", { x: 740, y: 260 });
  await blueprint.connect("First", "Second");
  await blueprint.write("First", "Command", "until [ -e go ]; do sleep 0.1; done");
  await blueprint.write("Second", "Command", "sleep 600");
  await blueprint.run();
  await blueprint.cardIn("First", "Running").waitFor();

  await page.getByRole("button", { name: "Pause", exact: true }).click();
  // Shown while the run is paused and the node is still running.
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
  await writeFile(path.join(folder, "go"), "");
  await blueprint.cardIn("First", "Done").waitFor();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await blueprint.cardIn("Second", "Pending").waitFor();

  await page.getByRole("button", { name: "Resume" }).click();
  await blueprint.cardIn("Second", "Running").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Stop this run?" });
  await question.getByText("1 session and all its processes will be stopped").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await blueprint.cardIn("Second", "Running").waitFor();

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await question.getByRole("button", { name: "Stop run" }).click();
  await page.getByText("Canceled", { exact: true }).first().waitFor();
  await blueprint.cardIn("First", "Done").waitFor();
});
