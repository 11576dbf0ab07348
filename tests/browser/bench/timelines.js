/**
 * Measures timelines in a window: one that grows by 10,000 events a second, one of 100 MB, and a transcript of 100 MB.
 *
 * node bench/timelines.js   prints `NAME number` lines; times in milliseconds, sizes in bytes
 *
 * Everything is real: the agent's process, its keeper, `baton serve`, and the machine's chromium.
 */
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endProcessesOf } from "../../desktop/support/processes.js";
import { Blueprint } from "../support/blueprint.js";
import { launch } from "../support/browser.js";
import { openNewDocument } from "../support/pages.js";
import { Server } from "../support/server.js";
import { goTo, heapOf, memoryOf, nodeAddress, report } from "./measurements.js";

const rate = 10_000;
const seconds = 20;
const large = 100_000_000;
const transcript = "33333333-3333-4333-8333-333333333333";

const home = await mkdtemp(path.join(tmpdir(), "baton-timelines-"));
const programs = path.join(home, "bin");
process.env.PATH = `${programs}:${process.env.PATH}`;
await Promise.all([programs, path.join(home, "work")].map((folder) => mkdir(folder)));
await copyFile(path.join(import.meta.dirname, "printingClaude.js"), path.join(programs, "claude"));
await chmod(path.join(programs, "claude"), 0o755);

const server = new Server({ home, log: path.join(home, "log.txt") });
const browser = await launch();
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
  });
  await page.addInitScript(recordLongTasks);
  await measureGrowing(page);
  await measureOpening(page);
  await measureOpeningTranscript(page);
} catch (error) {
  console.error(await readFile(path.join(home, "log.txt"), "utf8").catch(() => ""));
  throw error;
} finally {
  await browser.close();
  await server.kill();
  await endProcessesOf(server.data);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Follows the timeline of a session while it prints. */
async function measureGrowing(page) {
  await page.goto(await server.start());
  await start(page, `Print ${rate * seconds} at ${rate} a second`);
  await page.locator("[data-seq]").first().waitFor();
  const begun = await heapOf(page);
  await startTaskTrace(page);
  const frames = await framesFor(page, (seconds - 8) * 1_000);
  await reportTasks("growing", page);
  report("growing longest frame", Math.max(...frames));
  report("growing entries", await entriesIn(page));
  report("growing window memory", (await heapOf(page)) - begun);
  report("growing server memory", await memoryOf(server));
  await page.getByText("Done", { exact: true }).first().waitFor({ timeout: 60_000 });
}

/** Opens the timeline of a finished session from a server that has never seen it, and scrolls through it. */
async function measureOpening(page) {
  await openNewDocument(page, server.address);
  await start(page, `Print ${large} bytes`);
  await page.getByText("Done", { exact: true }).first().waitFor({ timeout: 120_000 });
  const address = new URL(page.url()).hash;
  await server.kill();
  await openNewDocument(page, await server.start());
  await page.getByRole("link", { name: "New blueprint" }).waitFor();
  await startTaskTrace(page);
  report("large opened", await timeToOpen(page, address));
  report("large entries", await entriesIn(page));
  const frames = await scrollFrames(page);
  frames.sort((a, b) => a - b);
  report("large frame median", frames[Math.floor(frames.length / 2)]);
  report("large frame 99 of 100", frames[Math.floor(frames.length * 0.99)]);
  report("large longest frame", frames.at(-1));
  await reportTasks("large", page);
  report("large jump", await medianJumpTime(page));
  report("large server memory", await memoryOf(server));
}

/** Opens a transcript of the same size, which the server has listed but never shown. */
async function measureOpeningTranscript(page) {
  const folder = path.join(home, ".claude/projects/-work");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${transcript}.jsonl`), recordsOf(large));
  await server.kill();
  await openNewDocument(page, await server.start());
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByRole("row").nth(1).waitFor({ timeout: 60_000 });
  report("transcript opened", await timeToOpen(page, `#/session/claude%3A${transcript}`));
  report("transcript entries", await entriesIn(page));
}

/** Returns the milliseconds from the click until the first entries are shown. */
function timeToOpen(page, address) {
  return page.evaluate(async (hash) => {
    const begun = performance.now();
    location.hash = hash;
    while (!document.querySelector("[data-seq] time")) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  }, address);
}

/** Returns `bytes` of prompts and answers in the record format of claude 2.1.197. */
function recordsOf(bytes) {
  const text = "A sentence of what a person and an agent say to each other.\n".repeat(50);
  const lines = [];
  for (let left = bytes, number = 0; left > 0; number += 1) {
    const type = number % 2 === 0 ? "user" : "assistant";
    const content = type === "user" ? text : [{ type: "text", text: `${number} ${text}` }];
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
    const common = {
      sessionId: transcript,
      cwd: "/work",
      version: "2.1.197",
      timestamp,
    };
    const message = {
      id: `msg_${number}`,
      role: type,
      model: "claude-opus-5-5",
      content,
    };
    lines.push(`${JSON.stringify({ type, uuid: String(number), ...common, message })}\n`);
    left -= lines.at(-1).length;
  }
  return lines.join("");
}

/** Runs a plan of one node with a prompt, and opens the node's timeline page. */
async function start(page, prompt) {
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  const plan = {
    baton: 1,
    title: prompt,
    cwd: path.join(home, "work"),
    autonomy: 4,
  };
  const nodes = [{ id: "print", title: "Print", kind: "agent", agent: "claude", prompt }];
  const blueprint = await Blueprint.importFile(page, home, JSON.stringify({ ...plan, nodes }));
  await blueprint.run();
  await goTo(page, await nodeAddress(page, blueprint, "Print"));
}

async function entriesIn(page) {
  return Number(await page.locator("[data-seq]").last().getAttribute("aria-setsize"));
}

/** Returns the intervals between frames while the page is idle. */
function framesFor(page, time) {
  return page.evaluate(async (limit) => {
    const intervals = [];
    const begun = performance.now();
    for (let last = begun; last - begun < limit; ) {
      const now = await new Promise(requestAnimationFrame);
      intervals.push(now - last);
      last = now;
    }
    return intervals;
  }, time);
}

/**
 * Returns the intervals between frames while the timeline scrolls continuously, 2,400 pixels a
 * second.
 */
function scrollFrames(page) {
  return page.evaluate(async () => {
    const feed = document.querySelector("[role=feed]");
    const intervals = [];
    feed.scrollTop = feed.scrollHeight / 3;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const begun = performance.now();
    for (let last = begun; last - begun < 6_000; ) {
      feed.scrollTop += 40;
      const now = await new Promise(requestAnimationFrame);
      intervals.push(now - last);
      last = now;
    }
    return intervals;
  });
}

/** Returns the median time from a jump to another place until its entries are rendered. */
function medianJumpTime(page) {
  return page.evaluate(async () => {
    const feed = document.querySelector("[role=feed]");
    const inSight = () => {
      const { top, bottom } = feed.getBoundingClientRect();
      return [...feed.querySelectorAll("[data-seq]")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      });
    };
    const times = [];
    for (let at = 1; at <= 15; at += 1) {
      const begun = performance.now();
      feed.scrollTop = (feed.scrollHeight * ((at * 7) % 16)) / 16;
      const read = () => inSight().every((row) => row.querySelector("time, button, p"));
      do await new Promise(requestAnimationFrame);
      while (!read() || inSight().length === 0);
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[7];
  });
}

async function startTaskTrace(page) {
  await page.evaluate(() => {
    window.longTasks.length = 0;
  });
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline"],
  });
}

/**
 * Reports the tasks of the window's main thread, in wall-clock and CPU time: on a busy machine, only the latter is
 * meaningful.
 */
async function reportTasks(name, page) {
  const byClock = await page.evaluate(() => window.longTasks);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents
    .filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const processor = traceEvents
    .filter((event) => event.name === "RunTask" && main.includes(`${event.pid} ${event.tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
  report(`${name} longest task`, Math.max(0, ...byClock));
  report(`${name} long tasks`, byClock.length);
  report(`${name} longest task, processor`, Math.max(0, ...processor));
  report(`${name} long tasks, processor`, processor.filter((time) => time > 50).length);
  report(
    `${name} busy, processor`,
    processor.reduce((sum, time) => sum + time, 0),
  );
}

function recordLongTasks() {
  window.longTasks = [];
  const note = (list) =>
    window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
}
