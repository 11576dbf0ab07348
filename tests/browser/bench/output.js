/**
 * Measures the output of a command in a window: a gigabyte with colors, beside an empty output, and beside `less -R`
 * with the same file.
 *
 * node bench/output.js   prints `NAME number` lines; times in milliseconds, sizes in bytes
 *
 * Everything is real: the command's process, its keeper, `baton serve`, the machine's chromium, and, for frames, its
 * WebKitGTK, which needs a display.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endProcessesOf } from "../../desktop/support/processes.js";
import { Blueprint } from "../support/blueprint.js";
import { launch } from "../support/browser.js";
import { openNewDocument } from "../support/pages.js";
import { Server } from "../support/server.js";
import { webKit } from "./engines.js";
import { goTo, heapOf, memoryOf, nodeAddress, quantile, report } from "./measurements.js";
import { timeOfLess } from "./pager.js";

const megabyte = 1_000_000;
const parts = Number(process.env.BATON_BENCH_MEGABYTES ?? 1_000);

const home = await mkdtemp(path.join(tmpdir(), "baton-output-"));
const work = path.join(home, "work");
await mkdir(work);
await writeFile(path.join(work, "part.txt"), coloredLines(megabyte));

const server = new Server({ home, log: path.join(home, "log.txt") });
const browser = await launch();
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(await server.start());
  const { empty, large } = await runCommands(page);

  // A server that has never seen the output.
  await server.kill();
  const address = await server.start();
  await openNewDocument(page, address);
  await page.getByRole("link", { name: "New blueprint" }).waitFor();
  await timeUntil(page, () => goTo(page, empty), {
    element: "section[aria-label=Output]",
  });
  await page.waitForTimeout(2_000);
  const [heap, memory] = [await heapOf(page), await memoryOf(server)];
  const idle = await framesWhileScrolling(page);

  const open = () => goTo(page, large);
  report("opened at the start", await timeUntil(page, open, { row: "test_0 " }));
  const end = () => page.keyboard.press("End");
  await page.getByRole("group", { name: "Output lines" }).focus();
  report("opened at the end", await timeUntil(page, end, { row: "the last line" }));
  await timeUntil(page, () => page.keyboard.press("Home"), { row: "test_0 " });
  const frames = await framesWhileScrolling(page);
  report("frame 99 of 100", quantile(frames, 0.99));
  report("frame 99 of 100, empty", quantile(idle, 0.99));
  await page.keyboard.press("Home");
  const field = page.getByRole("textbox", { name: "Search output" });
  report(
    "first match",
    await timeUntil(page, () => field.fill("test_4242 "), {
      element: "[data-position] mark",
    }),
  );
  report(
    "match in the middle",
    await timeUntil(page, () => field.fill("needle"), { row: "a needle" }),
  );
  report("window memory above empty", (await heapOf(page)) - heap);
  report("server memory above empty", (await memoryOf(server)) - memory);

  const file = await largestOutput();
  report("less opened at the start", await timeOfLess(file, [], "test_0 "));
  report("less opened at the end", await timeOfLess(file, ["+G"], "the last line"));
  report("less first match", await timeOfLess(file, ["+/test_4242 "], "test_4242 "));
  await measureWebKitGtk(address, { empty, large });
} catch (error) {
  console.error(await readFile(path.join(home, "log.txt"), "utf8").catch(() => ""));
  throw error;
} finally {
  await browser.close();
  await server.kill();
  await endProcessesOf(server.data);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the path of the gigabyte as the keeper stored it. */
async function largestOutput() {
  const sessions = path.join(server.data, "sessions");
  const files = (await readdir(sessions)).map((id) => path.join(sessions, id, "stdout"));
  // A command that prints nothing has no such file.
  const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size, () => 0)));
  return files[sizes.indexOf(Math.max(...sizes))];
}

/** Reports the frames of the desktop window's engine. */
async function measureWebKitGtk(address, { empty, large }) {
  const window = await webKit();
  try {
    await window.go(address);
    const idle = await window.ask(scrollFrames, { hash: empty });
    report("WebKitGTK frame 99 of 100, empty", quantile(idle, 0.99));
    const frames = await window.ask(scrollFrames, { hash: large });
    report("WebKitGTK frame 99 of 100", quantile(frames, 0.99));
  } finally {
    await window.close();
  }
}

/**
 * Returns the intervals between frames while the output moves for four seconds, as far in each frame as a fast wheel
 * turns it. Sent to the page as text.
 */
async function scrollFrames({ hash }) {
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (isThere) => {
    const begun = performance.now();
    while (!isThere() && performance.now() - begun < 60_000) await frame();
    if (!isThere()) throw new Error(`no output at ${hash}`);
  };
  await until(() => document.querySelector("nav"));
  location.hash = hash;
  const first = () => document.querySelector("[data-position]")?.dataset.position;
  const isLarge = () => first() !== undefined;
  const isEmpty = () => document.body.textContent.includes("No output");
  await until(() => isLarge() || isEmpty());
  for (const begun = performance.now(); performance.now() - begun < 2_000; ) await frame();

  const lines = document.querySelector("[role=group][aria-label='Output lines']");
  const found = [];
  const begun = await frame();
  for (let before = begun; before - begun < 4_000; ) {
    lines.dispatchEvent(new WheelEvent("wheel", { deltaY: 120, bubbles: true, cancelable: true }));
    const now = await frame();
    found.push(now - before);
    before = now;
  }
  if (isLarge() && first() === "0") throw new Error("the output did not move");
  return found;
}

/** Runs a command that prints nothing and one that prints a gigabyte, and returns their addresses. */
async function runCommands(page) {
  const command = `for part in $(seq ${parts}); do cat part.txt; [ $part = ${parts / 2} ] && echo a needle; done; echo the last line`;
  const node = { kind: "command", timeoutMs: 600_000 };
  const nodes = [
    { ...node, id: "nothing", title: "Nothing", command: "true" },
    { ...node, id: "gigabyte", title: "Gigabyte", command },
  ];
  const plan = { baton: 1, title: "A gigabyte", cwd: work, nodes };
  const blueprint = await Blueprint.importFile(page, home, JSON.stringify(plan));
  await blueprint.run();
  await blueprint.cardIn("Gigabyte", "Done").waitFor({ timeout: 600_000 });
  return {
    empty: await nodeAddress(page, blueprint, "Nothing"),
    large: await nodeAddress(page, blueprint, "Gigabyte"),
  };
}

/** Returns `bytes` of lines such as a test runner prints. */
function coloredLines(bytes) {
  const lines = [];
  for (let length = 0, number = 0; length < bytes; number += 1) {
    const name = `module_${number % 97}::test_${number}`;
    lines.push(
      `\u001b[1;32m     Running\u001b[0m ${name} \u001b[38;5;244m(src/lib.rs:${number}:7)\u001b[0m ... \u001b[32mok\u001b[0m\n`,
    );
    length += lines.at(-1).length;
  }
  return lines.join("");
}

/** Returns the milliseconds from an act until an element, or a row with a text, is there. */
async function timeUntil(page, act, wanted) {
  const shown = page.evaluate(async ({ element, row }) => {
    const begun = performance.now();
    const isThere = () =>
      element
        ? document.querySelector(element) !== null
        : [...document.querySelectorAll("[data-position]")].some((each) =>
            each.textContent.includes(row),
          );
    while (!isThere()) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  }, wanted);
  await act();
  return shown;
}

/** Returns the intervals between frames while a wheel turns for four seconds. */
async function framesWhileScrolling(page) {
  await page.mouse.move(700, 500);
  const intervals = page.evaluate(async () => {
    const found = [];
    const begun = performance.now();
    for (let before = begun; before - begun < 4_000; ) {
      const now = await new Promise(requestAnimationFrame);
      found.push(now - before);
      before = now;
    }
    return found;
  });
  for (let turn = 0; turn < 200; turn += 1) await page.mouse.wheel(0, 120);
  return intervals;
}
