/** What the benchmarks in a browser measure in the same way. */
import { readFile } from "node:fs/promises";
import { processesOf } from "../../desktop/support/processes.js";
import { baton } from "../support/server.js";

/** Prints a figure as a `NAME number` line. */
export function report(name, number) {
  console.log(name, Math.round(number * 10) / 10);
}

/** Returns the bytes of JavaScript objects in the page. */
export async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** Returns the resident bytes of the process of a server. */
export async function memoryOf(server) {
  const [pid] = processesOf(server.data, baton);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1_024;
}

/** Returns the address of the page of a node, of the blueprint that the page shows. */
export async function nodeAddress(page, blueprint, title) {
  const node = await blueprint.card(title).getAttribute("data-id");
  const here = new URL(page.url()).hash.split("?")[0];
  return `${here}/nodes/${node}`;
}

/** Goes to an address without loading the page again. */
export async function goTo(page, address) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
}

/** Returns the value below which `share` of the numbers are. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
