import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Blueprint } from "./support/blueprint.js";
import { programs } from "./support/driver.js";
import { journey } from "./support/journey.js";
import { MockDesktop } from "./support/mockDesktop.js";

const shell = promisify(execFile);

/**
 * A plan whose only node waits for a file `go`.
 *
 * @param {string} title
 */
const waitingPlan = (title) => `baton: 1
title: ${title}
nodes:
  - id: wait
    title: Wait
    kind: command
    command: until [ -e go ]; do sleep 0.1; done
`;

/** Starts a run of the waiting plan in the window. */
async function runInWindow(window, { folder, data }, title) {
  const file = path.join(folder, "waiting.baton.yaml");
  await writeFile(file, waitingPlan(title));
  const env = { ...process.env, BATON_DATA_DIR: data };
  await shell(path.join(programs, "baton"), ["plan", "import", file], { env });
  await window.click("link", "Blueprints");
  await window.click("link", title);
  const blueprint = new Blueprint(window);
  await blueprint.run();
  await blueprint.card("Wait", "Running");
  return blueprint;
}

const hasRow = (label) => (tray) => tray.rows.some((row) => row.label.startsWith(label));

journey("the tray shows a run, opens it, and pauses it", async (given) => {
  const desktop = await MockDesktop.start();
  try {
    const window = await given.open();
    await desktop.tray(hasRow("No runs in progress"), "no runs");
    // A title with characters that are special in menus.
    const title = "Nightly & _slow_";
    await runInWindow(window, given, title);
    // The rows and the number next to the icon arrive over the bus one after the other.
    const isRunning = (tray) => hasRow(`${title}: Running`)(tray) && tray.label === "1";
    const tray = await desktop.tray(isRunning, "a single run");
    assert.match(tray.icon, /\.png$/);

    await window.click("link", "Settings");
    await window.get("heading", "Settings");
    await desktop.choose(title);
    await new Blueprint(window).card("Wait", "Running");

    await desktop.choose("Pause all runs");
    // The running node finishes first.
    await desktop.tray(hasRow(`${title}: Pausing`), "the pause");
    await desktop.choose("Resume paused runs");
    await desktop.tray(hasRow(`${title}: Running`), "the resumed run");
    await writeFile(path.join(given.folder, "go"), "");
    await desktop.tray(hasRow("No runs in progress"), "the end");
    await desktop.choose("New blueprint");
    await window.get("button", "Create blueprint");
  } finally {
    await desktop.stop();
  }
});

journey("a notification reopens a hidden window", async (given) => {
  const desktop = await MockDesktop.start();
  try {
    const window = await given.open();
    await runInWindow(window, given, "Long <b>work</b>");
    await window.click("link", "Settings");
    await window.closeByUser();
    await window.text("Close the window while runs are active?");
    await window.screenshot("leaving");
    await window.clickToClose("Keep in tray");
    await window.waitForVisibility(false);

    await writeFile(path.join(given.folder, "go"), "");
    const notice = await desktop.notice(({ title }) => title.endsWith("completed"), "the end");
    assert.equal(notice.title, "Long <b>work</b> completed");
    assert.ok(notice.actions.includes("default"), "clicking the notification itself is an action");
    await desktop.press(notice);
    await window.waitForVisibility(true);
    await new Blueprint(window).card("Wait", "Done");
    assert.equal((await desktop.notices()).length, 1, "one notification per ended run");
  } finally {
    await desktop.stop();
  }
});

journey(
  "quitting asks for confirmation, and the run continues at the next start",
  async (given) => {
    const desktop = await MockDesktop.start();
    try {
      const window = await given.open();
      await runInWindow(window, given, "Overnight");
      await desktop.choose("Quit Baton");
      await window.text("Quit Baton while runs are active?");
      await window.click("button", "Cancel");
      await window.waitUntilGone("button", "Cancel");
      await desktop.choose("Quit Baton");
      await window.clickToClose("Quit Baton");
      await window.waitForExit();

      await writeFile(path.join(given.folder, "go"), "");
      const again = await given.open();
      await again.click("link", "Overnight");
      await new Blueprint(again).card("Wait", "Done");
    } finally {
      await desktop.stop();
    }
  },
);

journey("a second start passes its links and files to the first", async (given) => {
  const window = await given.open();
  await window.get("link", "Blueprints");

  await given.startAgain(["baton://inbox"]);
  await window.get("heading", "Inbox");
  await given.startAgain(["baton://sessions"]);
  await window.get("heading", "Sessions");

  await given.startAgain(["baton://blueprints/01938f6e-0000-7000-8000-00000000000a"]);
  await window.text("Blueprint not found");
  await given.startAgain(["baton://runs/start/01938f6e-0000-7000-8000-00000000000a"]);
  await window.text("Couldn't open");
  await window.text("Baton opens links to blueprints");

  const file = path.join(given.folder, "night shift.baton.yaml");
  await writeFile(file, waitingPlan("Night shift"));
  await given.startAgain([file]);
  await window.get("heading", "Night shift");
  await window.text("Nothing is imported yet");
  await window.screenshot("opened");
  await window.click("button", "Import blueprint");
  await new Blueprint(window).card("Wait");
  // Opening the same file again finds the same blueprint.
  await given.startAgain([file]);
  await window.text("hasn't changed since");
  await window.click("button", "Open blueprint");
  const broken = path.join(given.folder, "broken.baton.yaml");
  await writeFile(broken, "baton: 1\nnodes: [{id: a, kind: nothing}]\n");
  await given.startAgain([broken]);
  await window.text("This file can't be imported");
});

journey("the window reopens with its last size", async ({ open }) => {
  const desktop = await MockDesktop.start();
  try {
    const first = await open();
    await first.get("link", "Blueprints");
    await first.resize(1111, 777);
    await desktop.choose("Quit Baton");
    await first.waitForExit();

    const second = await open();
    await second.get("link", "Blueprints");
    await second.waitForSize(1111, 777);
  } finally {
    await desktop.stop();
  }
});
