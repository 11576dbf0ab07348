import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { journey } from "./support/journey.js";

journey("a new user gets to a finished run with three key presses", async ({ page }) => {
  const acts = [];
  const press = async (key) => {
    acts.push(key);
    await page.keyboard.press(key);
  };

  // The page shows where to start, and Enter starts there.
  const first = page.getByRole("link", { name: "Open example" });
  await first.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Open example");
  await page.getByText(/No agent was found|installed\./).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await press("Enter");

  // The blueprint explains how to run it.
  await page.getByText("Select a node to see what it does. Run all shows").waitFor();
  await press("Control+Enter");
  const question = page.getByRole("dialog", { name: "Ready to run" });
  await question.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Approve and run");
  await press("Enter");

  const over = page.getByRole("status").filter({ hasText: "Your first run is complete." });
  await over.waitFor({ timeout: 60_000 });
  assert.deepEqual(await seriousFaults(page), []);
  assert.ok(acts.length < 8, `${acts.length} acts: ${acts.join(", ")}`);

  // It suggests the next step, and disappears when that is done.
  await page.getByRole("button", { name: "Show result" }).focus();
  await press("Enter");
  await page
    .getByRole("complementary", { name: "Inspector" })
    .getByText("verdict")
    .first()
    .waitFor();
  await over.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("row").nth(3).waitFor();
  assert.equal(await first.count(), 0, "the first steps are gone after a run");
});
