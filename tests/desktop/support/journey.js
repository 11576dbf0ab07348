/**
 * A journey through the real window: a test with its own folders, and evidence when it fails.
 *
 * To add one, create a file `NAME.test.js` next to startPage.test.js:
 *
 *   import { journey } from "./support/journey.js";
 *
 *   journey("a blueprint survives the app", async ({ open }) => {
 *     const window = await open();
 *     await window.click("button", "New blueprint");
 *     await window.type("textbox", "Title", "Release notes");
 *     await window.drag(await window.get("button", "Agent"), { x: 400, y: 300 });
 *     await window.kill();                        // like kill -9
 *     const again = await open();                 // the same data directory
 *     await again.text("Release notes");
 *   });
 *
 * Run one manually, on any display: node --test tests/desktop/startPage.test.js
 * A failed journey leaves a screenshot, the page and a log in tests/desktop/output; other screenshots stay there too.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { endProcessesOf } from "./processes.js";
import { baton, environmentOf, Window } from "./window.js";

/**
 * The time limit of a journey, in milliseconds. After it the journey fails with evidence, where it
 * would hang.
 */
const limit = 600_000;

const output = path.resolve(import.meta.dirname, "../output");

/**
 * @typedef {object} Journey
 * @property {() => Promise<Window>} open Opens the app. A second call after `kill` or `close` uses the same data.
 * @property {(words: string[]) => Promise<void>} startAgain Starts the app again; it passes its arguments to the open one and exits.
 * @property {string} folder An empty folder, for instance for a repository; removed at the end.
 * @property {string} data The app's data directory.
 */

/**
 * Declares a journey.
 *
 * @param {string} name a sentence that says what a person can do
 * @param {(journey: Journey) => Promise<void>} body
 */
export function journey(name, body) {
  test(name, async () => {
    const home = await mkdtemp(path.join(tmpdir(), "baton-desktop-"));
    const evidence = path.join(output, name.replaceAll(/[^\p{L}\p{N}]+/gu, "-"));
    const [folder, data] = [path.join(home, "work"), path.join(home, "data")];
    await rm(evidence, { recursive: true, force: true });
    await Promise.all([folder, data, evidence].map((each) => mkdir(each, { recursive: true })));
    /** @type {Window | undefined} */
    let window;
    const open = async () => {
      await window?.close();
      window = await Window.open({ home, data, evidence });
      return window;
    };
    const startAgain = async (words) => {
      const env = environmentOf({ home, data });
      await promisify(execFile)(baton, words, { env, cwd: folder, timeout: 20_000 });
    };
    try {
      await Promise.race([body({ open, startAgain, folder, data }), rejectAfterLimit()]);
      await window?.close();
      await rm(path.join(evidence, "log.txt"), { force: true });
      // What remains are screenshots that the journey took.
      await rmdir(evidence).catch(() => undefined);
    } catch (error) {
      await window?.saveEvidence();
      await window?.close();
      throw error;
    } finally {
      await endProcessesOf(data);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

/** @returns {Promise<never>} */
async function rejectAfterLimit() {
  await pause(limit, undefined, { ref: false });
  throw new Error(`the journey did not end within ${limit / 1000} s`);
}
