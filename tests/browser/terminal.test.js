import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { contrastFaults, seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { goTo, startAgain } from "./support/pages.js";
import { takeScreenshots } from "./support/screenshots.js";

/** @param {string} folder */
const plan = (folder) => `baton: 1
title: Terminals
cwd: ${folder}
isolation: worktree
nodes:
  - {id: build, title: Build, kind: command, command: echo built > built.txt}
`;

/** @param {string} folder */
async function createRepository(folder) {
  const git = (...words) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: folder,
    });
  await git("init", "-q");
  await writeFile(path.join(folder, "read.me"), "A project.\n");
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
}

/** A person's actions on the terminals of a blueprint. */
class Terminals {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    this.input = page.getByRole("textbox", { name: /^Terminal of / });
    this.screen = page.locator(".xterm-rows");
  }

  /** @param {Blueprint} blueprint */
  async openForNode(blueprint) {
    await blueprint.card("Build").click({ button: "right" });
    await this.page.getByRole("menuitem", { name: "Open", exact: true }).click();
    await this.page.getByRole("menuitem", { name: "Open terminal" }).click();
  }

  /** @param {string} line */
  async enter(line) {
    await this.input.focus();
    await this.page.keyboard.type(line);
    await this.page.keyboard.press("Enter");
  }

  /**
   * Waits for a row that has only this text: what is typed stands behind a prompt.
   *
   * @param {string} text
   */
  async row(text) {
    await this.screen.getByText(text, { exact: true }).waitFor();
  }
}

/**
 * Every color that a program chooses is readable on the forced background.
 *
 * @param {Terminals} terminals
 */
async function readWithForcedColors(terminals) {
  const { page } = terminals;
  const colored = ["31mred", "7minverse", "42mground"].map((code) => `\\033[${code}\\033[0m`);
  await terminals.enter(`printf '${colored.join("")}\\n'`);
  await terminals.row("inverse");
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    assert.deepEqual(await contrastFaults(page), [], colorScheme);
  }
  await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
}

journey(
  "a person turns on terminals in the browser and works in a node's worktree",
  async (each) => {
    const { page, folder, server } = each;
    await createRepository(folder);
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    await blueprint.run();
    await blueprint.cardIn("Build", "Done").waitFor();
    const terminals = new Terminals(page);

    await terminals.openForNode(blueprint);
    await page.getByText("Terminals are turned off in the browser").waitFor();
    await takeScreenshots(page, "terminal-off");
    assert.deepEqual(await seriousFaults(page), []);
    await page.getByRole("link", { name: "Open terminal settings" }).click();
    const setting = page.getByRole("switch", { name: "Terminals over HTTP" });
    await setting.click();
    await page.getByRole("switch", { name: "Terminals over HTTP", checked: true }).waitFor();
    await page.goBack();

    await blueprint.card("Build").waitFor();
    await terminals.openForNode(blueprint);
    await terminals.input.waitFor();
    await terminals.enter("echo h''ello; cat built.txt");
    await terminals.row("hello");
    await terminals.row("built");
    await takeScreenshots(page, "terminal");
    assert.deepEqual(await seriousFaults(page), []);
    await readWithForcedColors(terminals);

    // All other keys belong to the program in it.
    await terminals.input.focus();
    await page.keyboard.press("Shift+F6");
    const leftTo = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(leftTo, "Terminal");

    // A new page shows what was printed, and types nothing again.
    await page.reload();
    await terminals.row("hello");
    await terminals.enter("echo second'' >> log; cat log");
    await terminals.row("second");
    assert.equal(await terminals.screen.getByText("hello", { exact: true }).count(), 1);
    assert.equal(await terminals.screen.getByText("second", { exact: true }).count(), 1);

    await terminals.enter("sleep 1000");
    await terminals.screen.getByText("sleep 1000").waitFor();
    const close = page.getByRole("button", { name: "Close terminal of Build" });
    const question = page.getByRole("alertdialog");
    await close.click();
    await question.getByText("sleep is running and will be ended.").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await question.getByRole("button", { name: "Close terminal" }).click();
    await page.getByText("No terminal", { exact: true }).waitFor();

    await goTo(page, "/settings?section=Worktrees");
    await page.getByRole("link", { name: "Open terminal in the worktree of Build" }).click();
    await terminals.enter("cat l''og");
    await terminals.row("second");

    // Terminals end with Baton, and the page says so by having none.
    await server.kill();
    await startAgain(page, server);
    await page.getByText("No terminal", { exact: true }).waitFor();
  },
);
