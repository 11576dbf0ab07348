/** How a page is built for somebody who hears it. */

/**
 * Whether there is one main part, one first heading, no level left out, and a title that tells the page from others.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function structureFaults(page) {
  return page.evaluate(() => {
    const faults = [];
    const mains = document.querySelectorAll("main").length;
    if (mains !== 1) faults.push(`${mains} main parts`);
    const headings = [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")].filter(
      (each) => each.checkVisibility(),
    );
    const levels = headings.map(({ tagName }) => Number(tagName.slice(1)));
    if (levels.filter((level) => level === 1).length !== 1)
      faults.push(`first headings: ${levels}`);
    levels.forEach((level, at) => {
      if (level > (levels[at - 1] ?? 0) + 1) {
        faults.push(`a level is left out before: ${headings[at].textContent}`);
      }
    });
    if (!/^.+ – Baton$/.test(document.title)) faults.push(`the title is ${document.title}`);
    return faults;
  });
}
