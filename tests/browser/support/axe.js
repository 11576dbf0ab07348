/** Faults of a page for people who use other senses than sight, as axe-core finds them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// Run as if typed into the console: the page itself lets no foreign script in.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * @param {import("playwright-core").Page} page
 * @param {{ targets?: boolean }} [wish] whether what is pressed also has to have 24 pixels, or room around it
 * @returns {Promise<string[]>} serious and critical faults, each with where it is
 */
export function seriousFaults(page, { targets = false } = {}) {
  return faultsBy(page, {
    rules: {
      // Rows are called by title, kind and state; the other columns are no part of their label.
      "label-content-name-mismatch": { enabled: false },
      "target-size": { enabled: targets },
    },
  });
}

/**
 * Only what a theme can do wrong, for pages that were judged whole in another one.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function contrastFaults(page) {
  return faultsBy(page, { runOnly: { type: "rule", values: ["color-contrast"] } });
}

async function faultsBy(page, options) {
  // Colors that fade in are judged when they have arrived. What turns for ever changes no color.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    return Promise.allSettled(passing.map((each) => each.finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate((how) => window.axe.run(document, how), options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
    );
}
