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

/** A plan whose only node waits until there is a file `go` @param {string} title */
const waiting = (title) => `baton: 1
title: ${title}
nodes:
  - id: wait
    title: Wait
    kind: command
    command: until [ -e go ]; do sleep 0.1; done
`;

/** Begins a run of the waiting plan in the window. */
async function runInWindow(window, { folder, data }, title) {
  const file = path.join(folder, "waiting.baton.yaml");
  await writeFile(file, waiting(title));
  const env = { ...process.env, BATON_DATA_DIR: data };
  await shell(path.join(programs, "baton"), ["plan", "import", file], { env });
  await window.click("link", "Blueprints");
  await window.click("link", title);
  const blueprint = new Blueprint(window);
  await blueprint.run();
  await blueprint.card("Wait", "Running");
  return blueprint;
}

const has = (label) => (tray) => tray.rows.some((row) => row.label.startsWith(label));

journey("the tray tells what runs, leads there, and pauses it", async (given) => {
  const desktop = await MockDesktop.start();
  try {
    const window = await given.open();
    await desktop.tray(has("Nothing runs"), "that nothing runs");
    // A title with the marks of menus in it.
    const title = "Nightly & _slow_";
    await runInWindow(window, given, title);
    // The rows and the number beside the icon come over the bus one after the other.
    const told = (tray) => has(`${title}: Running`)(tray) && tray.label === "1";
    const tray = await desktop.tray(told, "the run and that it is one");
    assert.match(tray.icon, /\.png$/);

    await window.click("link", "Settings");
    await window.get("heading", "Settings");
    await desktop.choose(title);
    await new Blueprint(window).card("Wait", "Running");

    await desktop.choose("Pause all runs");
    // The node that is at work goes on to its end.
    await desktop.tray(has(`${title}: Pausing`), "the pause");
    await desktop.choose("Resume paused runs");
    await desktop.tray(has(`${title}: Running`), "that it goes on");
    await writeFile(path.join(given.folder, "go"), "");
    await desktop.tray(has("Nothing runs"), "the end");
    await desktop.choose("New blueprint");
    await window.get("button", "Create blueprint");
  } finally {
    await desktop.stop();
  }
});

journey("a window that was put away comes back by the notice of what happened", async (given) => {
  const desktop = await MockDesktop.start();
  try {
    const window = await given.open();
    await runInWindow(window, given, "Long <b>work</b>");
    await window.click("link", "Settings");
    await window.closeByPerson();
    await window.text("Close the window while runs go on?");
    await window.picture("leaving");
    await window.clickAndGo("Keep in tray");
    await window.shown(false);

    await writeFile(path.join(given.folder, "go"), "");
    const notice = await desktop.notice(({ title }) => title.endsWith("completed"), "the end");
    assert.equal(notice.title, "Long <b>work</b> completed");
    assert.ok(notice.actions.includes("default"), "a press on the notice itself is an action");
    await desktop.press(notice);
    await window.shown(true);
    await new Blueprint(window).card("Wait", "Done");
    assert.equal((await desktop.notices()).length, 1, "one end is one notice");
  } finally {
    await desktop.stop();
  }
});

journey("quitting says what happens, and the run goes on at the next start", async (given) => {
  const desktop = await MockDesktop.start();
  try {
    const window = await given.open();
    await runInWindow(window, given, "Overnight");
    await desktop.choose("Quit Baton");
    await window.text("Quit Baton while runs go on?");
    await window.click("button", "Cancel");
    await window.gone("button", "Cancel");
    await desktop.choose("Quit Baton");
    await window.clickAndGo("Quit Baton");
    await window.ended();

    await writeFile(path.join(given.folder, "go"), "");
    const again = await given.open();
    await again.click("link", "Overnight");
    await new Blueprint(again).card("Wait", "Done");
  } finally {
    await desktop.stop();
  }
});

journey("a second start hands its links and files to the first", async (given) => {
  const window = await given.open();
  await window.get("link", "Blueprints");

  await given.startAgain(["baton://inbox"]);
  await window.get("heading", "Inbox");
  await given.startAgain(["baton://sessions"]);
  await window.get("heading", "Sessions");

  await given.startAgain(["baton://blueprints/01938f6e-0000-7000-8000-00000000000a"]);
  await window.text("Blueprint not found");
  await given.startAgain(["baton://runs/start/01938f6e-0000-7000-8000-00000000000a"]);
  await window.text("cannot be opened");
  await window.text("Baton knows links to blueprints");

  const file = path.join(given.folder, "night shift.baton.yaml");
  await writeFile(file, waiting("Night shift"));
  await given.startAgain([file]);
  await window.get("heading", "Night shift");
  await window.text("Nothing is imported yet");
  await window.picture("opened");
  await window.click("button", "Import blueprint");
  await new Blueprint(window).card("Wait");
  // The same file again is the same blueprint.
  await given.startAgain([file]);
  await window.text("has not changed since");
  await window.click("button", "Open blueprint");
  const broken = path.join(given.folder, "broken.baton.yaml");
  await writeFile(broken, "baton: 1\nnodes: [{id: a, kind: nothing}]\n");
  await given.startAgain([broken]);
  await window.text("It cannot be imported as it is");
});

journey("the window opens as large as it was left", async ({ open }) => {
  const desktop = await MockDesktop.start();
  try {
    const first = await open();
    await first.get("link", "Blueprints");
    await first.resize(1111, 777);
    await desktop.choose("Quit Baton");
    await first.ended();

    const second = await open();
    await second.get("link", "Blueprints");
    await second.sized(1111, 777);
  } finally {
    await desktop.stop();
  }
});
