import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { By } from "selenium-webdriver";
import { journey } from "./support/journey.js";

journey(
  "external links open in the browser, and the window stays on its page",
  async ({ open, folder }) => {
    const openedFile = path.join(folder, "opened");
    const program = `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`;
    await writeFile(path.join(folder, "xdg-open"), program, { mode: 0o755 });
    process.env.PATH = [folder, process.env.PATH].join(path.delimiter);
    const window = await open();
    await window.get("heading", "Blueprints");
    const before = await window.driver.getCurrentUrl();
    const opened = async () =>
      (await readFile(openedFile, "utf8").catch(() => "")).trim().split("\n");
    /** @param {string} address */
    const isOpened = (address) =>
      window.driver.wait(
        async () => (await opened()).includes(address),
        20_000,
        `${address} is opened`,
      );

    // Like a link in an agent's answer.
    for (const [id, target] of [
      ["apart", "_blank"],
      ["here", "_self"],
    ]) {
      await window.driver.executeScript(
        `const link = document.createElement("a");
       Object.assign(link, { id: arguments[0], target: arguments[1], href: "https://example.com/" + arguments[0] });
       Object.assign(link.style, { position: "fixed", inset: "0 auto auto 0", zIndex: 9999 });
       link.textContent = "A link";
       document.body.append(link);`,
        id,
        target,
      );
      const link = await window.driver.findElement(By.id(id));
      await link.click();
      await isOpened(`https://example.com/${id}`);
      await window.driver.executeScript("arguments[0].remove()", link);
    }
    // Like a navigation by a manipulated page.
    await window.driver.executeScript("location.href = 'ssh://example.com/'");
    await window.driver.executeScript(
      "setTimeout(() => { location.href = 'https://example.com/page' }, 0)",
    );
    await isOpened("https://example.com/page");
    const all = ["apart", "here", "page"].map((name) => `https://example.com/${name}`);
    assert.deepEqual(await opened(), all);
    assert.equal(await window.driver.getCurrentUrl(), before);
    await window.get("heading", "Blueprints");
  },
);
