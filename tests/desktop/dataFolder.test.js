import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Key } from "selenium-webdriver";
import { journey } from "./support/journey.js";

journey(
  "the data directory opens in the desktop's file manager",
  async ({ open, folder, data }) => {
    const openedFile = path.join(folder, "opened");
    // A fake `xdg-open` that records its argument.
    const program = `#!/bin/sh\nprintf %s "$1" > '${openedFile}'\n`;
    await writeFile(path.join(folder, "xdg-open"), program, { mode: 0o755 });
    process.env.PATH = [folder, process.env.PATH].join(path.delimiter);
    const window = await open();
    await window.get("heading", "Blueprints");

    await window.driver.actions().keyDown(Key.CONTROL).sendKeys("k").keyUp(Key.CONTROL).perform();
    await window.type("combobox", "Commands", "open data directory");
    await window.text("Open data directory");
    await window.driver.actions().sendKeys(Key.ENTER).perform();
    const shown = async () => (await readFile(openedFile, "utf8").catch(() => "")) === data;
    await window.driver.wait(shown, 20_000, "the folder was not opened");
  },
);
