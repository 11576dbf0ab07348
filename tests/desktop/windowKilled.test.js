import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("a run continues after the window was killed and reopened", async ({ open, folder }) => {
  const first = await open();
  const drawn = await Blueprint.create(first, { title: "Long work", directory: folder });
  await drawn.placeCommand("Long", { x: 420, y: 300 });
  await drawn.placeCommand("After", { x: 760, y: 300 });
  await drawn.connect("Long", "After");
  await drawn.write(
    "Long",
    "Command",
    "echo started; echo long >> ledger; until [ -e go ]; do sleep 0.1; done; echo ended",
  );
  await drawn.write("After", "Command", "echo after >> ledger");
  await drawn.run();
  await drawn.card("Long", "Running");

  await first.kill();
  // The session keeps running without the window, and prints while nothing reads its output.
  await writeFile(path.join(folder, "go"), "");
  const second = await open();
  await second.click("link", "Long work");
  const found = new Blueprint(second);
  await found.card("Long", "Done");
  await found.card("After", "Done");

  const ledger = await readFile(path.join(folder, "ledger"), "utf8");
  assert.equal(ledger, "long\nafter\n", "each node ran once");
  await (await found.card("Long", "Done")).click();
  await second.click("tab", "Attempts1");
  await second.click("link", "Open timeline");
  await second.text("started");
  await second.text("ended");
});
