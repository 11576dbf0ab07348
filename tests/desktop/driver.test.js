import { writeFile } from "node:fs/promises";
import path from "node:path";
import { journey } from "./support/journey.js";

journey(
  "the window is opened once its driver listens, even if that starts late",
  async ({ open, folder }) => {
    const late = `#!/bin/sh\nPATH='${process.env.PATH}'\nsleep 1\nexec WebKitWebDriver "$@"\n`;
    await writeFile(path.join(folder, "WebKitWebDriver"), late, { mode: 0o755 });
    process.env.PATH = [folder, process.env.PATH].join(path.delimiter);
    const window = await open();
    await window.get("heading", "Blueprints");
  },
);
