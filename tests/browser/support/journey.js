/**
 * A journey through the interface in a browser, with its own server and browser profile, and evidence when it fails.
 *
 * To add one, create a file `NAME.test.js` next to startPage.test.js:
 *
 *   import { journey } from "./support/journey.js";
 *   import { startAgain } from "./support/pages.js";
 *
 *   journey("a blueprint survives the server", async ({ page, server }) => {
 *     await page.getByRole("button", { name: "New blueprint" }).click();
 *     await page.getByLabel("Title").fill("Release notes");
 *     await server.kill();                        // like kill -9
 *     await startAgain(page, server);             // the same data directory, a new document
 *     await page.getByText("Release notes").waitFor();
 *   });
 *
 * Run one manually: node --test tests/browser/startPage.test.js
 * A failed journey leaves a screenshot and a log in tests/browser/output, and with BATON_TEST_TRACE=1 also a trace.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { endProcessesOf } from "../../desktop/support/processes.js";
import { launch } from "./browser.js";
import { Server } from "./server.js";

/**
 * The default time limit of a journey, in milliseconds. After it the journey fails with evidence,
 * where it would hang.
 */
const usualLimit = 600_000;

const output = path.resolve(import.meta.dirname, "../output");

/** Whether to record every step. It costs more than the steps, so only a second try does it. */
const traced = process.env.BATON_TEST_TRACE === "1";

/** @type {Promise<import("playwright-core").Browser> | undefined} One for all journeys of a file. */
let browser;
after(async () => (await browser)?.close());

/**
 * @typedef {object} Journey
 * @property {import("playwright-core").Page} page The interface, open.
 * @property {Server} server
 * @property {string} folder An empty folder, for instance for a repository; removed at the end.
 */

/**
 * Declares a journey.
 *
 * @param {string} name a sentence that says what a person can do
 * @param {(journey: Journey) => Promise<void>} body
 * @param {{ limit?: number }} options
 */
export function journey(name, body, { limit = usualLimit } = {}) {
  test(name, async () => {
    const home = await mkdtemp(path.join(tmpdir(), "baton-browser-"));
    const evidence = path.join(output, name.replaceAll(/[^\p{L}\p{N}]+/gu, "-"));
    const folder = path.join(home, "work");
    await rm(evidence, { recursive: true, force: true });
    await Promise.all([folder, evidence].map((each) => mkdir(each, { recursive: true })));
    const server = new Server({ home, log: path.join(evidence, "log.txt") });
    browser ??= launch();
    /** @type {import("playwright-core").BrowserContext | undefined} */
    let context;
    try {
      context = await (await browser).newContext({ viewport: { width: 1280, height: 800 } });
      if (traced) await context.tracing.start({ screenshots: true, snapshots: true });
      const page = await context.newPage();
      await page.goto(await server.start());
      await Promise.race([body({ page, server, folder }), rejectAfterLimit(limit)]);
      await rm(evidence, { recursive: true, force: true });
    } catch (error) {
      await keepEvidence(context, evidence);
      throw error;
    } finally {
      await context?.close();
      await server.kill();
      await endProcessesOf(server.data);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

/** Never throws: the journey has already failed. */
async function keepEvidence(context, evidence) {
  const pictures = context
    ?.pages()
    .map((page, at) => page.screenshot({ path: path.join(evidence, `failed-${at}.png`) }));
  await Promise.allSettled(pictures ?? []);
  if (!traced) return;
  await context?.tracing.stop({ path: path.join(evidence, "trace.zip") }).catch(() => undefined);
}

/** @returns {Promise<never>} */
async function rejectAfterLimit(limit) {
  await pause(limit, undefined, { ref: false });
  throw new Error(`the journey did not end within ${limit / 1000} s`);
}
