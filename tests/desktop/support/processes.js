/**
 * The processes of one journey: everything that inherited its data directory, whoever started it.
 *
 * Sessions outlive the app by design, so ending the app does not end a journey's processes.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

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

/** Ends what is left of a journey @param {string} data */
export function endProcessesOf(data) {
  for (const pid of processesOf(data)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended while we looked.
    }
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
