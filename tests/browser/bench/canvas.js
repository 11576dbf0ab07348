/**
 * The canvas beside a page that is nothing but React Flow with the same graph, in Chromium and in WebKitGTK.
 *
 * node bench/canvas.js PLAIN [chromium|webkit]…   PLAIN is the folder of the built plain page, see ui/bench
 *
 * Prints `ENGINE PAGE SIZE what number` lines; times in milliseconds, by the clock, and with `-busy` of the processor
 * (for frames: for each of them). Needs a display for WebKitGTK.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { endProcessesOf } from "../../desktop/support/processes.js";
import { graphOf, planOf, titleOf } from "../support/layeredGraph.js";
import { baton, Server } from "../support/server.js";
import { chromium, webKit } from "./canvas/engines.js";
import { dragged, moved, opened, statesDrawn, watched, zoomedToMiddle } from "./canvas/inPage.js";
import { drawingTime } from "./canvas/processor.js";
import { beginRun, startProxy, stormTitle } from "./canvas/storm.js";

const sizes = [1_000, 10_000];
/** Opened so often, each time in a page that was just loaded. */
const rounds = 5;
/** So many frames make a sample, or as many as there are in so many milliseconds. */
const sample = { frames: 90, limit: 12_000 };
/** The collector stops a page now and then: one look at a storm may be lucky, so the worst of several is told. */
const storm = { looks: 5, milliseconds: 8_000 };

const [plainFolder, ...wanted] = process.argv.slice(2);
const engines = { chromium, webkit: webKit };
const home = await mkdtemp(path.join(tmpdir(), "baton-canvas-"));
const server = new Server({ home, log: path.join(home, "log.txt") });
const plain = await servePlain(plainFolder);
try {
  await mkdir(server.data, { recursive: true });
  const address = process.env.BATON_BENCH_ADDRESS ?? (await server.start());
  if (!process.env.BATON_BENCH_ADDRESS) await importPlans();
  const proxy = await startProxy(address);
  for (const [name, open] of Object.entries(engines)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const size of sizes) {
      const wish = { size, address: `/graph-${size}.json` };
      await measure(`${name} plain ${size}`, open, plain.address, wish);
      await measure(`${name} baton ${size}`, open, address, { size, link: titleOf(size) });
    }
    const paced = await open({ paced: true });
    if (paced.loaded) report(`${name} baton list first-load`, await paced.loaded(address));
    await watchStorm(name, paced, proxy);
    await paced.close();
  }
  proxy.close();
} catch (error) {
  console.error(await readFile(path.join(home, "log.txt"), "utf8").catch(() => ""));
  throw error;
} finally {
  plain.close();
  await server.kill();
  await endProcessesOf(server.data);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Measures in browsers of their own, one to open and one to move: what the plain page leaves behind would slow down others,
 * and after five openings WebKitGTK's allocator reaches the kernel's limit of mappings there, and never comes back.
 */
async function measure(name, open, address, wish) {
  await inBrowser(open, (page) => measureOpening(name, page, address, wish));
  await inBrowser(open, (page) => measureFrames(name, page, address, wish));
}

async function inBrowser(open, act) {
  const page = await open();
  await act(page);
  await page.close();
}

async function measureOpening(name, page, address, wish) {
  const times = [];
  const busy = [];
  for (let round = 0; round < rounds; round += 1) {
    const [time, used] = await openedAt(page, address, wish);
    times.push(time);
    busy.push(used);
    if (times[0] > 20_000) break;
  }
  report(`${name} open`, median(times));
  report(`${name} open-busy`, median(busy));
}

async function measureFrames(name, page, address, wish) {
  await openedAt(page, address, wish);
  const frames = async (what, act) => {
    const [found, used] = await timed(act);
    reportFrames(`${name} ${what}`, found);
    report(`${name} ${what}-busy`, used / found.length);
  };
  await frames("pan", () => page.ask(moved, sample));
  await frames("zoom", () => page.ask(moved, { ...sample, zoom: true }));
  report(`${name} elements`, await page.ask(zoomedToMiddle));
  await frames("pan-near", () => page.ask(moved, sample));
  await frames("drag", () => page.ask(dragged, sample));
}

/** How long it took, and the processor time for it. */
async function openedAt(page, address, wish) {
  await page.go(address);
  await page.ask(untilLoaded, wish);
  return timed(() => page.ask(opened, wish));
}

/** What an act answers, and the processor time that the page used for it. */
async function timed(act) {
  const before = await drawingTime();
  const found = await act();
  return [found, (await drawingTime()) - before];
}

/** A run of 1,000 nodes that changes 1,000 times a second, seen whole. */
async function watchStorm(name, page, proxy) {
  await page.go(proxy.address);
  await page.ask(untilLoaded, { link: stormTitle });
  await page.ask(opened, { size: 1_000, link: stormTitle });
  proxy.begin();
  const frames = [];
  const tasks = [];
  let used = 0;
  const watch = async () => {
    const seen = await page.ask(watched, { milliseconds: storm.milliseconds });
    frames.push(...seen.frames);
    return seen.stretches;
  };
  for (let look = 0; look < storm.looks; look += 1) {
    const [found, busy] = await timed(() => (page.tasks ? page.tasks(watch) : watch()));
    tasks.push(found);
    used += busy;
  }
  reportFrames(`${name} baton 1000 storm`, frames);
  report(`${name} baton 1000 storm-longest-frame`, Math.max(...frames));
  report(`${name} baton 1000 storm-longest-task`, Math.max(...tasks.flat()));
  report(`${name} baton 1000 storm-long-tasks`, tasks.flat().filter((time) => time > 50).length);
  report(`${name} baton 1000 storm-busy-share`, used / (storm.looks * storm.milliseconds));
  report(`${name} baton 1000 storm-states`, await page.ask(statesDrawn));
}

/**
 * The page is there and waits for the press: the pointer is on the link by then, as that of a person is, and what comes
 * ahead of the press has come. The plain page has its code before it is asked, too.
 */
async function untilLoaded({ link }) {
  const begun = performance.now();
  const linkTo = () =>
    [...document.querySelectorAll("a")].find((a) => a.textContent.includes(link));
  const isThere = () => (link ? linkTo() !== undefined : window.openGraph !== undefined);
  const late = () => performance.now() - begun > 30_000;
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  while (!isThere()) {
    if (late()) throw new Error("the page did not load");
    await pause(50);
  }
  if (link) linkTo().dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  const loaded = () => performance.getEntriesByType("resource").length;
  for (let before = -1; before !== loaded() && !late(); ) {
    before = loaded();
    await pause(400);
  }
}

async function importPlans() {
  for (const size of sizes) {
    const file = path.join(home, "plan.json");
    await writeFile(file, JSON.stringify(planOf(size)));
    await promisify(execFile)(baton, ["plan", "import", file], { env: server.environment });
  }
  await beginRun(server, home);
}

/** Serves the plain page and its graphs to this machine. */
async function servePlain(folder) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const serving = createServer(async (request, answer) => {
    const [, size] = /^\/graph-(\d+)\.json$/.exec(request.url) ?? [];
    const file = request.url === "/" ? "index.html" : request.url.slice(1);
    try {
      const body = size
        ? JSON.stringify(graphOf(Number(size)))
        : await readFile(path.join(folder, file));
      answer.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/json" });
      answer.end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((listening) => serving.listen(0, "127.0.0.1", listening));
  const { port } = serving.address();
  return { address: `http://127.0.0.1:${port}/`, close: () => serving.close() };
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

function reportFrames(name, times) {
  const sorted = times.toSorted((one, other) => one - other);
  report(name, median(sorted));
  report(`${name}-95`, sorted[Math.floor(sorted.length * 0.95)]);
}

function report(name, number) {
  console.log(name, Math.round(number * 10) / 10);
}
