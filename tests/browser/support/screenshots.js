/** Screenshots of a journey's steps, for review. */
import { mkdir } from "node:fs/promises";
import path from "node:path";

const folder = process.env.BATON_TEST_PICTURES;

/**
 * Saves a light and a dark screenshot of the page if `BATON_TEST_PICTURES` names a folder.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function takeScreenshots(page, name) {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const theme of ["light", "dark"]) {
    const before = await page.evaluate((wanted) => {
      const root = document.documentElement;
      const { theme } = root.dataset;
      root.dataset.theme = wanted;
      return theme;
    }, theme);
    await page.screenshot({
      animations: "disabled",
      path: path.join(folder, `${name}-${theme}.png`),
    });
    await page.evaluate((back) => {
      if (back === undefined) delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = back;
    }, before);
  }
}
