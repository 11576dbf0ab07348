/** Keyboard navigation. */

/**
 * Presses Tab until an element has the focus.
 *
 * @param {import("playwright-core").Page} page
 * @param {"button" | "link" | "textbox" | "combobox"} role
 * @param {string | RegExp} name
 */
export async function tabTo(page, role, name) {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let steps = 0; steps < 60; steps += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}
