/**
 * Measures how a window starts: the time to its first contentful paint, the memory of its processes, and the time
 * until the first press of Ctrl+K shows the command palette.
 *
 * node windowFigures.js PROGRAM…   opens each program several times in turn and prints lines
 *   `PROGRAM paint milliseconds…`, `PROGRAM memory bytes…` and, for a page that has a palette, `PROGRAM palette milliseconds…`
 *
 * The times of the first paint are on the system clock: the process's start time from the kernel (in hundredths of a
 * second), and the page's first contentful paint. Memory is the proportional share of all its processes.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Key } from "selenium-webdriver";
import { endProcessesOf, processesOf } from "../support/processes.js";
import { Window } from "../support/window.js";

const rounds = 7;
const ticksPerSecond = 100;
/**
 * How long after its last request a page's memory counts, in milliseconds. JavaScriptCore collects the garbage of a
 * start about eight seconds after it.
 */
const restMs = 15_000;
const timeoutMs = 20_000;

const painted = `
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return paint && performance.timeOrigin + paint.startTime;
`;

const isAtRest = `
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.responseEnd);
  return document.readyState === "complete" && performance.now() - Math.max(0, ...loaded) > ${restMs};
`;

const watchPalette = `
  window.paletteFigures = {};
  addEventListener("keydown", ({ key, timeStamp }) => { if (key === "k") paletteFigures.pressed ??= timeStamp; }, true);
  new MutationObserver((_, watch) => {
    if (!document.querySelector('[role="dialog"] [role="combobox"]')) return;
    watch.disconnect();
    // The second frame begins when the first is on the screen.
    requestAnimationFrame(() => requestAnimationFrame((time) => { paletteFigures.shown = time; }));
  }).observe(document.body, { childList: true, subtree: true });
`;

const paletteDelay = "return paletteFigures.shown && paletteFigures.shown - paletteFigures.pressed";

/** @param {string} program */
async function figuresOf(program) {
  const home = await mkdtemp(path.join(tmpdir(), "baton-paint-"));
  const data = path.join(home, "data");
  await mkdir(data);
  const window = await Window.open({ home, data, evidence: home }, program);
  try {
    const { driver } = window;
    const shown = await driver.wait(() => driver.executeScript(painted), timeoutMs);
    const [pid] = processesOf(data, program);
    const paint = Math.round(shown - (await startTimeOf(pid)));
    await driver.wait(() => driver.executeScript(isAtRest), timeoutMs);
    const memory = await memoryOf(data);
    return { paint, memory, palette: await firstPalette(driver) };
  } finally {
    await window.close();
    await endProcessesOf(data);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Presses Ctrl+K once; `undefined` for a page without a palette.
 *
 * @param {import("selenium-webdriver").WebDriver} driver
 */
async function firstPalette(driver) {
  if (!(await driver.executeScript("return document.querySelector('nav') !== null"))) return;
  await driver.executeScript(watchPalette);
  await driver.actions().keyDown(Key.CONTROL).sendKeys("k").keyUp(Key.CONTROL).perform();
  return Math.round(await driver.wait(() => driver.executeScript(paletteDelay), timeoutMs));
}

/**
 * Returns the memory of a window's processes in bytes. Pages that several processes share count in parts.
 *
 * @param {string} data
 */
async function memoryOf(data) {
  const shares = processesOf(data).map(async (pid) => {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1_024;
  });
  return (await Promise.all(shares)).reduce((all, one) => all + one, 0);
}

/**
 * Returns the start time of a process, in milliseconds since 1970.
 *
 * @param {number} pid
 */
async function startTimeOf(pid) {
  const [stat, uptime] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "utf8"),
    readFile("/proc/uptime", "utf8"),
  ]);
  const now = Date.now();
  // The program's name may contain spaces, so fields are counted after its closing bracket.
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  return now - (Number(uptime.split(" ")[0]) - ticks / ticksPerSecond) * 1000;
}

const figures = new Map(process.argv.slice(2).map((program) => [program, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [program, taken] of figures) taken.push(await figuresOf(program));
}
for (const [program, taken] of figures) {
  for (const name of ["paint", "memory", "palette"]) {
    const values = taken.map((figure) => figure[name]).filter((value) => value !== undefined);
    if (values.length > 0) console.log(program, name, ...values);
  }
}
