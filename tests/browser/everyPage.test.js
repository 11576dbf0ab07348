import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { contrastFaults, seriousFaults } from "./support/axe.js";
import { findIndistinctControls } from "./support/forcedColors.js";
import { journey } from "./support/journey.js";
import { findClippedText, findUnreachableControls } from "./support/layoutChecks.js";
import { structureFaults } from "./support/pageStructure.js";
import { emptyPages, goTo, pages } from "./support/pages.js";
import { createManyPlans, createSampleData, writeAgentHistories } from "./support/sampleData.js";

// The servers of this file find a claude that answers at once, whatever else is installed.
const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

/** Every look in which each page is drawn for a person who wants to see it. */
const looks = [
  ...["light", "dark", "contrast"].map((theme) => ({ theme, width: 1440, height: 900, text: 100 })),
  ...["light", "dark"].flatMap((theme) => [
    { theme, width: 1000, height: 700, text: 100 },
    { theme, width: 2560, height: 1440, text: 100 },
  ]),
  { theme: "light", width: 1000, height: 700, text: 200 },
];

/** @param {import("playwright-core").Page} page */
async function applyAppearance(page, { theme, width, height, text }) {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    (wanted) => {
      document.documentElement.dataset.theme = wanted.theme;
      // The page sets its own size anew whenever something of its state changes; an important rule stays.
      const rule = document.getElementById("wanted-text") ?? document.createElement("style");
      rule.id = "wanted-text";
      rule.textContent = `html { font-size: ${wanted.text}% !important }`;
      document.head.append(rule);
    },
    { theme, text },
  );
}

/** A size of text that the page took off meanwhile would have been judged in its place. */
async function assertAppearance(page, { text }) {
  const worn = await page.evaluate(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16,
  );
  assert.equal(worn, text / 100);
}

/** Goes through the places and gathers what the judge says of each. */
async function visitPages(list, surroundings, look, judge) {
  const faults = [];
  for (const place of list) {
    await applyAppearance(surroundings.page, look);
    await place.open(surroundings);
    // The page puts its own theme on again when its state is read.
    await applyAppearance(surroundings.page, look);
    await assertAppearance(surroundings.page, look);
    faults.push(...(await judge(place.name)).map((fault) => `${place.name}: ${fault}`));
    await place.leave?.(surroundings);
  }
  return faults;
}

/** A page as somebody finds it who has just installed Baton. */
async function fresh(each) {
  await each.page.getByRole("link", { name: "Open example" }).waitFor();
  return each;
}

/** A server with a history, and blueprints in every state. */
async function openWithSampleData({ page, server, folder }) {
  await server.kill();
  await writeAgentHistories(path.dirname(server.data));
  await page.goto(await server.start());
  const plans = await createSampleData(server, folder);
  await page.getByRole("link", { name: "Inbox, 3 waiting" }).waitFor();
  // What has come up meanwhile is told by notices, which would stand in the way.
  await page.reload();
  return { page, plans };
}

const usual = { theme: "light", width: 1440, height: 900, text: 100 };
const small = { theme: "light", width: 1000, height: 700, text: 100 };
const large = { ...small, text: 200 };

/** Of places that are made of the same parts one each: what axe and Tab say of a part, they say of it anywhere. */
const onceEach = pages.filter(({ alike }) => alike === undefined);

const ofBlueprints = ({ name }) => /^(blueprints|new|graph|list|times|drawer|node)/.test(name);
for (const [part, isIn] of [
  ["blueprints", ofBlueprints],
  ["the other pages", (place) => !ofBlueprints(place)],
]) {
  journey(`no fault of access is in ${part}`, async (each) => {
    const judge = async () => [
      ...(await seriousFaults(each.page, { targets: true })),
      ...(await structureFaults(each.page)),
    ];
    const faults = await visitPages(emptyPages.filter(isIn), await fresh(each), usual, judge);
    const mine = onceEach.filter(isIn);
    faults.push(...(await visitPages(mine, await openWithSampleData(each), usual, judge)));
    assert.deepEqual(faults, []);
  });

  journey(`the keyboard comes everywhere in ${part}, and it shows where it is`, async (each) => {
    const judge = () => findUnreachableControls(each.page);
    const faults = await visitPages(emptyPages.filter(isIn), await fresh(each), usual, judge);
    faults.push(
      ...(await visitPages(onceEach.filter(isIn), await openWithSampleData(each), usual, judge)),
    );
    assert.deepEqual(faults, []);
  });
}

for (const look of [small, large]) {
  journey(`nothing is cut off or covered in a small window, text ${look.text}%`, async (each) => {
    const judge = () => findClippedText(each.page);
    const faults = await visitPages(emptyPages, await fresh(each), look, judge);
    faults.push(...(await visitPages(pages, await openWithSampleData(each), look, judge)));
    assert.deepEqual(faults, []);
  });
}

journey("every page can be read in dark and in high contrast", async (each) => {
  const surroundings = await openWithSampleData(each);
  const faults = [];
  for (const theme of ["dark", "contrast"]) {
    const judge = () => contrastFaults(each.page);
    const found = await visitPages(onceEach, surroundings, { ...usual, theme }, judge);
    faults.push(...found.map((fault) => `${theme}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});

journey("nothing moves for somebody who wants no motion", async (each) => {
  await each.page.emulateMedia({ reducedMotion: "reduce" });
  const surroundings = await openWithSampleData(each);
  const judge = () =>
    each.page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === "running")
        .map(({ effect }) => `moves: ${effect?.target?.outerHTML.slice(0, 120)}`),
    );
  assert.deepEqual(await visitPages(pages, surroundings, usual, judge), []);
});

journey("with the system's own colors everything can still be told apart", async (each) => {
  await each.page.emulateMedia({ forcedColors: "active" });
  const surroundings = await openWithSampleData(each);
  const judge = async () => [
    ...(await findIndistinctControls(each.page)),
    ...(await contrastFaults(each.page)),
  ];
  assert.deepEqual(await visitPages(onceEach, surroundings, usual, judge), []);
});

journey("the theme follows the system while the page is open", async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole("row").nth(1).waitFor();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await ground(), light);
  await page.emulateMedia({ contrast: "more" });
  await page.locator("html[data-theme=contrast]").waitFor();
  await page.emulateMedia({ contrast: "no-preference" });
  await page.locator("html:not([data-theme])").waitFor();
});

journey("a page whose server is gone says so, and goes on by itself", async ({ page, server }) => {
  await page.getByRole("row").nth(1).waitFor();
  await server.kill();
  await page.getByRole("status").filter({ hasText: "Baton isn't responding." }).waitFor();
  await goTo(page, "/statistics");
  const alert = page.getByRole("alert");
  await alert.getByText("Check that `baton serve` is still running").waitFor({ timeout: 30_000 });
  await alert.getByRole("button", { name: "Try again" }).waitFor();
  assert.deepEqual([...(await seriousFaults(page)), ...(await findClippedText(page))], []);
});

// Pictures for a person: BATON_TEST_PICTURES=folder, and BATON_TEST_PLACES=words to take some of them only.
const album = process.env.BATON_TEST_PICTURES;
if (album !== undefined) {
  const pictured = async (each) => {
    await mkdir(album, { recursive: true });
    const wanted = new RegExp(process.env.BATON_TEST_PLACES ?? ".");
    const chosen = (list) => list.filter(({ name }) => wanted.test(name));
    const take = async (list, surroundings) => {
      for (const look of looks) {
        const { theme, width, text } = look;
        await visitPages(list, surroundings, look, async (place) => {
          const file = `${place}-${theme}-${width}${text === 100 ? "" : `-text${text}`}.png`;
          await each.page.screenshot({ animations: "disabled", path: path.join(album, file) });
          return [];
        });
      }
    };
    await take(chosen(emptyPages), each);
    const surroundings = await openWithSampleData(each);
    await take(chosen(pages), surroundings);
    await createManyPlans(each.server, each.folder, 200);
    const [table, cards] = pages;
    const many = [table, cards].map((place) => ({ ...place, name: `many-${place.name}` }));
    await take(chosen(many), surroundings);
  };
  // So many pictures take longer than a test may.
  journey("every page is pictured in every look", pictured, { limit: 1_800_000 });
}
