/** Accessibility faults of a page, found by axe-core. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// Evaluated like console input: the page's CSP blocks foreign scripts.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * @param {import("playwright-core").Page} page
 * @param {{ targets?: boolean }} [wish] whether to require targets of 24 pixels, or enough space around them
 * @returns {Promise<string[]>} serious and critical faults, each with its element
 */
export function seriousFaults(page, { targets = false } = {}) {
  return faultsBy(page, {
    rules: {
      // Rows are labeled by title, kind and state, not by the other columns.
      "label-content-name-mismatch": { enabled: false },
      "target-size": { enabled: targets },
    },
  });
}

/**
 * Checks only contrast, for pages that were fully checked in another theme.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function contrastFaults(page) {
  return faultsBy(page, { runOnly: { type: "rule", values: ["color-contrast"] } });
}

async function faultsBy(page, options) {
  // Wait until transitions have finished. Infinite animations don't change colors.
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
