import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey(
  "a person draws a blueprint in the window, runs it, and reads what happened",
  async ({ open, folder }) => {
    const window = await open();
    const blueprint = await Blueprint.create(window, { title: "Release notes", directory: folder });
    await blueprint.placeCommand("Collect", { x: 420, y: 300 });
    await blueprint.placeCommand("Draft", { x: 760, y: 220 });
    await blueprint.placeCommand("Check", { x: 760, y: 420 });
    await blueprint.connect("Collect", "Draft");
    await blueprint.connect("Draft", "Check");
    await blueprint.write(
      "Collect",
      "Command",
      "until [ -e go ]; do sleep 0.1; done; echo 12 commits | tee log",
    );
    await blueprint.write("Draft", "Command", 'grep -o "12 commits" "$BATON_CONTEXT" > notes');
    await blueprint.write("Check", "Command", "grep -q commits notes");

    await blueprint.run();
    await blueprint.card("Collect", "Running");
    await window.screenshot("running");
    await writeFile(path.join(folder, "go"), "");
    await blueprint.card("Check", "Done");

    // The second node found it in its context.
    assert.match(await readFile(path.join(folder, "notes"), "utf8"), /^12 commits\n/);
    await (await blueprint.card("Collect", "Done")).click();
    await window.click("tab", "Attempts1");
    await window.click("link", "Open timeline");
    await window.get("heading", "Collect");
    await window.text("12 commits");
    await window.screenshot("timeline");
  },
);
