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
import { emptyPages, goTo, pages, startAgain } from "./support/pages.js";
import { createManyPlans, createSampleData, writeAgentHistories } from "./support/sampleData.js";

// The servers in this file use a fake claude that responds immediately.
const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

/** The appearances in which each page is captured. */
const appearances = [
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
      // The page resets its size whenever its state changes; an important rule wins.
      const rule = document.getElementById("wanted-text") ?? document.createElement("style");
      rule.id = "wanted-text";
      rule.textContent = `html { font-size: ${wanted.text}% !important }`;
      document.head.append(rule);
    },
    { theme, text },
  );
}

/** Checks that the text size is still applied; otherwise another size would be tested. */
async function assertAppearance(page, { text }) {
  const scale = await page.evaluate(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16,
  );
  assert.equal(scale, text / 100);
}

/** Visits the places and collects the judge's findings for each. */
async function visitPages(list, surroundings, look, judge) {
  const faults = [];
  for (const place of list) {
    await applyAppearance(surroundings.page, look);
    await place.open(surroundings);
    // The page reapplies its theme when its state is loaded.
    await applyAppearance(surroundings.page, look);
    await assertAppearance(surroundings.page, look);
    faults.push(...(await judge(place.name)).map((fault) => `${place.name}: ${fault}`));
    await place.leave?.(surroundings);
  }
  return faults;
}

/** The page right after installation. */
async function openFresh(each) {
  await each.page.getByRole("link", { name: "Open example" }).waitFor();
  return each;
}

/** A server with a history, and blueprints in every state. */
async function openWithSampleData({ page, server, folder }) {
  await server.kill();
  await writeAgentHistories(path.dirname(server.data));
  await startAgain(page, server);
  const plans = await createSampleData(server, folder);
  await page.getByRole("link", { name: "Inbox, 3 waiting" }).waitFor();
  // Toasts about new events would be in the way.
  await page.reload();
  return { page, plans };
}

const standard = { theme: "light", width: 1440, height: 900, text: 100 };

/**
 * One of each group of places made of the same components: the results of axe and Tab are the same
 * in all of them.
 */
const distinctPages = pages.filter(({ alike }) => alike === undefined);

const isBlueprintPage = ({ name }) => /^(blueprints|new|graph|list|times|drawer|node)/.test(name);
for (const [part, isIn] of [
  ["blueprints", isBlueprintPage],
  ["the other pages", (place) => !isBlueprintPage(place)],
]) {
  journey(`there are no accessibility faults in ${part}`, async (each) => {
    const judge = async () => [
      ...(await seriousFaults(each.page, { targets: true })),
      ...(await structureFaults(each.page)),
    ];
    const faults = await visitPages(
      emptyPages.filter(isIn),
      await openFresh(each),
      standard,
      judge,
    );
    const mine = distinctPages.filter(isIn);
    faults.push(...(await visitPages(mine, await openWithSampleData(each), standard, judge)));
    assert.deepEqual(faults, []);
  });

  journey(
    `everything in ${part} is reachable with the keyboard, and the focus is visible`,
    async (each) => {
      const judge = () => findUnreachableControls(each.page);
      const faults = await visitPages(
        emptyPages.filter(isIn),
        await openFresh(each),
        standard,
        judge,
      );
      faults.push(
        ...(await visitPages(
          distinctPages.filter(isIn),
          await openWithSampleData(each),
          standard,
          judge,
        )),
      );
      assert.deepEqual(faults, []);
    },
  );
}

journey("every page can be read in dark and in high contrast", async (each) => {
  const surroundings = await openWithSampleData(each);
  const faults = [];
  for (const theme of ["dark", "contrast"]) {
    const judge = () => contrastFaults(each.page);
    const found = await visitPages(distinctPages, surroundings, { ...standard, theme }, judge);
    faults.push(...found.map((fault) => `${theme}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});

journey("nothing moves with reduced motion", async (each) => {
  await each.page.emulateMedia({ reducedMotion: "reduce" });
  const surroundings = await openWithSampleData(each);
  const judge = () =>
    each.page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === "running")
        .map(({ effect }) => `moves: ${effect?.target?.outerHTML.slice(0, 120)}`),
    );
  assert.deepEqual(await visitPages(pages, surroundings, standard, judge), []);
});

journey("with forced colors everything is still distinguishable", async (each) => {
  await each.page.emulateMedia({ forcedColors: "active" });
  const surroundings = await openWithSampleData(each);
  const judge = async () => [
    ...(await findIndistinctControls(each.page)),
    ...(await contrastFaults(each.page)),
  ];
  assert.deepEqual(await visitPages(distinctPages, surroundings, standard, judge), []);
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

journey("a page whose server is gone shows a message", async ({ page, server }) => {
  await page.getByRole("row").nth(1).waitFor();
  await server.kill();
  await page.getByRole("status").filter({ hasText: "Baton isn't responding." }).waitFor();
  await goTo(page, "/statistics");
  const alert = page.getByRole("alert");
  await alert.getByText("Check that `baton serve` is still running").waitFor({ timeout: 30_000 });
  await alert.getByRole("button", { name: "Try again" }).waitFor();
  assert.deepEqual([...(await seriousFaults(page)), ...(await findClippedText(page))], []);
});

// Screenshots for review: BATON_TEST_PICTURES=folder, and BATON_TEST_PLACES=pattern to take only
// some of them.
const picturesFolder = process.env.BATON_TEST_PICTURES;
if (picturesFolder !== undefined) {
  const captureAll = async (each) => {
    await mkdir(picturesFolder, { recursive: true });
    const wanted = new RegExp(process.env.BATON_TEST_PLACES ?? ".");
    const chosen = (list) => list.filter(({ name }) => wanted.test(name));
    const take = async (list, surroundings) => {
      for (const look of appearances) {
        const { theme, width, text } = look;
        await visitPages(list, surroundings, look, async (place) => {
          const file = `${place}-${theme}-${width}${text === 100 ? "" : `-text${text}`}.png`;
          await each.page.screenshot({
            animations: "disabled",
            path: path.join(picturesFolder, file),
          });
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
  // This many screenshots exceed the default time limit.
  journey("every page is captured in every appearance", captureAll, { limit: 1_800_000 });
}
