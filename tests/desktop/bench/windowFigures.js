/**
 * Measures the time from the start of a process to the first contentful paint of its window.
 *
 * node firstPaint.js PROGRAM…   opens each program several times in turn and prints a line `PROGRAM milliseconds…`
 *
 * Both times are on the system clock: the process's start time from the kernel (in hundredths of a second), and the
 * page's first contentful paint.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endProcessesOf, processesOf } from "../support/processes.js";
import { Window } from "../support/window.js";

const rounds = 7;
const ticksPerSecond = 100;

const painted = `
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return paint && performance.timeOrigin + paint.startTime;
`;

/** @param {string} program */
async function firstPaint(program) {
  const home = await mkdtemp(path.join(tmpdir(), "baton-paint-"));
  const data = path.join(home, "data");
  await mkdir(data);
  const window = await Window.open({ home, data, evidence: home }, program);
  try {
    const shown = await window.driver.wait(() => window.driver.executeScript(painted), 20_000);
    const [pid] = processesOf(data, program);
    return Math.round(shown - (await startTimeOf(pid)));
  } finally {
    await window.close();
    await endProcessesOf(data);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
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

const times = new Map(process.argv.slice(2).map((program) => [program, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [program, taken] of times) taken.push(await firstPaint(program));
}
for (const [program, taken] of times) console.log(program, ...taken);
