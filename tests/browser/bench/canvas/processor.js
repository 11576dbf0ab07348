/**
 * The processor time of the processes that draw pages: what a clock shows on a machine that does much else says more of
 * that machine than of the page. All threads count, those too that put pixels together.
 */
import { readdir, readFile } from "node:fs/promises";

/** What processes call themselves that draw pages: Chromium's renderers, and WebKitGTK's web process. */
const drawers = /--type=renderer|WebKitWebProcess/;
/** What /proc counts in: hundredths of a second on every Linux (`getconf CLK_TCK`). */
const tick = 10;

/** Milliseconds of processor time that the drawing processes below this one have used, ended ones not counted. */
export async function drawingTime() {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = new Map();
  for (const name of names) {
    const found = await processOf(name);
    if (found) all.set(found.id, found);
  }
  const isBelow = (id) => {
    for (let at = all.get(id); at; at = all.get(at.parent))
      if (at.parent === process.pid) return true;
    return false;
  };
  const ours = [...all.values()].filter(({ id, line }) => drawers.test(line) && isBelow(id));
  return ours.reduce((sum, { time }) => sum + time, 0);
}

/** What /proc tells of a process; nothing of one that has ended meanwhile. */
async function processOf(name) {
  try {
    const line = await readFile(`/proc/${name}/cmdline`, "utf8");
    const stat = await readFile(`/proc/${name}/stat`, "utf8");
    // The name may hold spaces and brackets; what follows the last bracket does not (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const time = (Number(fields[11]) + Number(fields[12])) * tick;
    return { id: Number(name), parent: Number(fields[1]), line, time };
  } catch {
    return undefined;
  }
}
