import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { findGeometryFaults, findThemeShifts } from "./support/geometryChecks.js";
import { journey } from "./support/journey.js";
import { findClippedText } from "./support/layoutChecks.js";
import { createLibrary, writeSessions } from "./support/library.js";
import { detailPages, listPages } from "./support/libraryPages.js";
import { emptyPages, pages, startAgain } from "./support/pages.js";
import { createSampleData, writeAgentHistories } from "./support/sampleData.js";
import { mixedTitle, titles } from "./support/titles.js";

// With BATON_TEST_EVERY_SIZE=1, one of everything with each kind of title, and 200 and 10,000 with all
// kinds, which needs the command sqlite3. Otherwise only the combinations that have found faults.
const isExhaustive = process.env.BATON_TEST_EVERY_SIZE !== undefined;

const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

// Not combined with the themes: `findThemeShifts` shows for each place that a theme moves nothing.
const geometries = [
  [1280, 800],
  [1920, 1080],
  [1000, 700],
].flatMap(([width, height]) => [100, 200].map((text) => ({ width, height, text })));

const standard = geometries[0];

/** @param {import("playwright-core").Page} page */
async function resize(page, { width, height, text }) {
  await page.setViewportSize({ width, height });
  await page.evaluate(async (size) => {
    // The page resets its size whenever its state changes; an important rule wins.
    const rule = document.getElementById("wanted-text") ?? document.createElement("style");
    rule.id = "wanted-text";
    rule.textContent = `html { font-size: ${size}% !important }`;
    document.head.append(rule);
  }, text);
  await page.evaluate(waitUntilStill);
}

/** Runs in the page: waits until its boxes are the same in three frames. */
async function waitUntilStill() {
  const measure = () =>
    [...document.querySelectorAll("main *, [role=dialog] *")]
      .slice(0, 3_000)
      .reduce((sum, each) => sum + each.clientWidth * 3 + each.clientHeight + each.scrollHeight, 0);
  let same = 0;
  let last = -1;
  for (let frames = 0; same < 3 && frames < 60; frames += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    const next = measure();
    same = next === last ? same + 1 : 0;
    last = next;
  }
}

/**
 * Opens each place once and checks it in every geometry.
 *
 * @returns {Promise<string[]>} each fault once, with the places and geometries that have it
 */
async function checkEverySize(all, surroundings, label) {
  const { page } = surroundings;
  const wanted = new RegExp(process.env.BATON_TEST_PLACES ?? ".");
  const places = all.filter(({ name }) => wanted.test(name));
  await page.emulateMedia({ reducedMotion: "reduce" });
  const where = new Map();
  let combinations = 0;
  for (const place of places) {
    await resize(page, standard);
    try {
      await place.open(surroundings);
    } catch (error) {
      where.set(`${place.name} can't be opened: ${error}`, []);
      await page.reload();
      continue;
    }
    for (const geometry of geometries) {
      await resize(page, geometry);
      const found = [...(await findClippedText(page)), ...(await findGeometryFaults(page))];
      for (const fault of found) {
        const { width, text } = geometry;
        where.set(fault, [...(where.get(fault) ?? []), `${place.name} ${width}@${text}`]);
      }
      combinations += 1;
    }
    for (const fault of await findThemeShifts(page)) where.set(fault, [place.name]);
    await resize(page, standard);
    await place.leave?.(surroundings);
  }
  if (isExhaustive) console.log(`${label}: ${combinations} combinations, ${where.size} faults`);
  return [...where].map(([fault, at]) => `${label}: ${fault} (${at.join(", ")})`);
}

/** Unlike `deepEqual`, this shows a long list to its end. */
function assertNone(faults) {
  assert.equal(faults.length, 0, faults.join("\n"));
}

async function openLibrary({ page, server, folder }, count, titleOf) {
  await server.kill();
  await writeSessions(path.dirname(server.data), count, titleOf);
  await startAgain(page, server);
  const library = await createLibrary(server, folder, count, titleOf);
  // Toasts about new events would be in the way.
  await page.reload();
  return { page, library };
}

journey("nothing overlaps or is cut in any size: no data", async (each) => {
  await each.page.getByRole("link", { name: "Open example" }).waitFor();
  assertNone(await checkEverySize(emptyPages, each, "none"));
});

journey("nothing overlaps or is cut in any size: every page and state", async (each) => {
  const { page, server, folder } = each;
  await server.kill();
  await writeAgentHistories(path.dirname(server.data));
  await startAgain(page, server);
  const plans = await createSampleData(server, folder);
  await page.reload();
  assertNone(await checkEverySize(pages, { page, plans }, "samples"));
});

const everyPage = [...listPages, ...detailPages];
const libraries = isExhaustive
  ? [
      ...Object.entries(titles).map(([kind, titleOf]) => ({ count: 1, kind, titleOf })),
      ...[200, 10_000].map((count) => ({ count, kind: "mixed", titleOf: mixedTitle })),
    ].map((each) => ({ ...each, places: everyPage }))
  : [
      { count: 1, kind: "longest", titleOf: titles.longest, places: listPages },
      // The nodes of its plans have titles of every kind.
      { count: 200, kind: "mixed", titleOf: mixedTitle, places: everyPage },
    ];

for (const { count, kind, titleOf, places } of libraries) {
  journey(
    `nothing overlaps or is cut in any size: ${count} of everything, ${kind} titles`,
    async (each) => {
      const surroundings = await openLibrary(each, count, titleOf);
      assertNone(await checkEverySize(places, surroundings, `${count} ${kind}`));
    },
    { limit: 3_600_000 },
  );
}
