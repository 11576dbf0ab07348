/**
 * Compares the canvas with a page that contains only React Flow with the same graph, in Chromium and in WebKitGTK.
 *
 * node bench/canvas.js PLAIN [chromium|webkit]…   PLAIN is the folder of the built plain page, see ui/bench
 *
 * Prints `ENGINE PAGE SIZE what number` lines; times in milliseconds, wall clock by default and CPU time with `-busy`
 * (for frames: per frame). WebKitGTK needs a display.
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
import { chromium, webKit } from "./engines.js";
import {
  countStateColors,
  dragFrames,
  idleFrames,
  timeToOpen,
  wheelFrames,
  zoomToMiddle,
} from "./canvas/inPage.js";
import { drawingTime } from "./canvas/processor.js";
import { startProxy, startRun, stormTitle } from "./canvas/storm.js";

const sizes = [1_000, 10_000];
/** How often each graph is opened, each time in a newly loaded page. */
const rounds = 5;
/** The frames per sample, or as many as there are within `limit` milliseconds. */
const sample = { frames: 90, limit: 12_000 };
/**
 * Garbage collection pauses a page now and then: one sample may be lucky, so the worst of several
 * is reported.
 */
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
 * Measures opening and moving in separate browsers: memory left behind by the plain page would slow down the others,
 * and after five openings of it WebKitGTK's allocator reaches the kernel's limit of mappings and never recovers.
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
    const [time, used] = await measureTimeToOpen(page, address, wish);
    times.push(time);
    busy.push(used);
    if (times[0] > 20_000) break;
  }
  report(`${name} open`, median(times));
  report(`${name} open-busy`, median(busy));
}

async function measureFrames(name, page, address, wish) {
  await measureTimeToOpen(page, address, wish);
  const frames = async (what, act) => {
    const [found, used] = await withCpuTime(act);
    reportFrames(`${name} ${what}`, found);
    report(`${name} ${what}-busy`, used / found.length);
  };
  await frames("pan", () => page.ask(wheelFrames, sample));
  await frames("zoom", () => page.ask(wheelFrames, { ...sample, zoom: true }));
  report(`${name} elements`, await page.ask(zoomToMiddle));
  await frames("pan-near", () => page.ask(wheelFrames, sample));
  await frames("drag", () => page.ask(dragFrames, sample));
}

/** Returns the wall-clock time and the CPU time. */
async function measureTimeToOpen(page, address, wish) {
  await page.go(address);
  await page.ask(waitUntilLoaded, wish);
  return withCpuTime(() => page.ask(timeToOpen, wish));
}

/** Returns the result of an act, and the CPU time that the page used for it. */
async function withCpuTime(act) {
  const before = await drawingTime();
  const found = await act();
  return [found, (await drawingTime()) - before];
}

/** Measures a run of 1,000 nodes with 1,000 changes a second, in full view. */
async function watchStorm(name, page, proxy) {
  await page.go(proxy.address);
  await page.ask(waitUntilLoaded, { link: stormTitle });
  await page.ask(timeToOpen, { size: 1_000, link: stormTitle });
  proxy.begin();
  const frames = [];
  const tasks = [];
  let used = 0;
  const watch = async () => {
    const seen = await page.ask(idleFrames, { milliseconds: storm.milliseconds });
    frames.push(...seen.frames);
    return seen.stretches;
  };
  for (let look = 0; look < storm.looks; look += 1) {
    const [found, busy] = await withCpuTime(() => (page.tasks ? page.tasks(watch) : watch()));
    tasks.push(found);
    used += busy;
  }
  reportFrames(`${name} baton 1000 storm`, frames);
  report(`${name} baton 1000 storm-longest-frame`, Math.max(...frames));
  report(`${name} baton 1000 storm-longest-task`, Math.max(...tasks.flat()));
  report(`${name} baton 1000 storm-long-tasks`, tasks.flat().filter((time) => time > 50).length);
  report(`${name} baton 1000 storm-busy-share`, used / (storm.looks * storm.milliseconds));
  report(`${name} baton 1000 storm-states`, await page.ask(countStateColors));
}

/**
 * Waits until the page is loaded and the pointer is on the link, like a person's, so that preloading is done. The plain
 * page has its code at this point, too.
 */
async function waitUntilLoaded({ link }) {
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
  await startRun(server, home);
}

/** Serves the plain page and its graphs on localhost. */
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
