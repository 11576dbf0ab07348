/**
 * The processes of a journey: all that inherited its data directory, regardless of their parent.
 *
 * Sessions outlive the app by design, so ending the app does not end a journey's processes.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/**
 * @param {string} data the journey's BATON_DATA_DIR
 * @param {string} [program] only processes of this program
 * @returns {number[]}
 */
export function processesOf(data, program) {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && belongs(pid, data, program));
}

/**
 * How long a killed process may take to exit, in milliseconds: a write in progress finishes first.
 */
const timeoutMs = 15_000;

/**
 * Kills the remaining processes of a journey and waits for their exit, as they may write files until then.
 *
 * @param {string} data
 */
export async function endProcessesOf(data) {
  const deadline = Date.now() + timeoutMs;
  for (let left = processesOf(data); left.length > 0; left = processesOf(data)) {
    for (const pid of left) end(pid);
    if (Date.now() > deadline) throw new Error(`the processes ${left} do not exit`);
    await pause(20);
  }
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended while we looked.
  }
}

function belongs(pid, data, program) {
  try {
    if (program !== undefined && readlinkSync(`/proc/${pid}/exe`) !== program) return false;
    return readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .includes(`BATON_DATA_DIR=${data}`);
  } catch {
    // It ended while we looked.
    return false;
  }
}
