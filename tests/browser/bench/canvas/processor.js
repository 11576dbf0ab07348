/**
 * The CPU time of the processes that render pages: on a busy machine, wall-clock time says more about the machine than
 * about the page. Includes all threads, also those that rasterize.
 */
import { readdir, readFile } from "node:fs/promises";

/** The command lines of rendering processes: Chromium's renderers, and WebKitGTK's web process. */
const drawers = /--type=renderer|WebKitWebProcess/;
/** Milliseconds per tick in /proc: hundredths of a second on every Linux (`getconf CLK_TCK`). */
const tick = 10;

/** Returns the CPU time in milliseconds of all living rendering processes below this one. */
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

/** Reads a process from /proc; `undefined` if it has exited. */
async function processOf(name) {
  try {
    const line = await readFile(`/proc/${name}/cmdline`, "utf8");
    const stat = await readFile(`/proc/${name}/stat`, "utf8");
    // The name may contain spaces and brackets; the fields after the last bracket don't
    // (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const time = (Number(fields[11]) + Number(fields[12])) * tick;
    return { id: Number(name), parent: Number(fields[1]), line, time };
  } catch {
    return undefined;
  }
}
