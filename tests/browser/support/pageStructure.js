/** The structure of a page for screen readers. */

/**
 * Checks that the page has one main element, one top-level heading, no skipped heading levels, and its own title.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function structureFaults(page) {
  return page.evaluate(() => {
    const faults = [];
    const mains = document.querySelectorAll("main").length;
    if (mains !== 1) faults.push(`${mains} main elements`);
    const headings = [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")].filter(
      (each) => each.checkVisibility(),
    );
    const levels = headings.map(({ tagName }) => Number(tagName.slice(1)));
    if (levels.filter((level) => level === 1).length !== 1)
      faults.push(`heading levels: ${levels}`);
    levels.forEach((level, at) => {
      if (level > (levels[at - 1] ?? 0) + 1) {
        faults.push(`a heading level is skipped before: ${headings[at].textContent}`);
      }
    });
    if (!/^.+ – Baton$/.test(document.title)) faults.push(`the title is ${document.title}`);
    return faults;
  });
}
