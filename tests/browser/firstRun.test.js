import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { journey } from "./support/journey.js";

journey("a newcomer comes from nothing to a finished run by three keys", async ({ page }) => {
  const acts = [];
  const press = async (key) => {
    acts.push(key);
    await page.keyboard.press(key);
  };

  // The page says where to begin, and Enter begins there.
  const first = page.getByRole("link", { name: "Open example" });
  await first.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Open example");
  await page.getByText(/No agent was found|installed\./).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await press("Enter");

  // The blueprint says how it is run.
  await page.getByText("Select a node to see what it does. Run all shows").waitFor();
  await press("Control+Enter");
  const question = page.getByRole("dialog", { name: "Ready to run" });
  await question.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Approve and run");
  await press("Enter");

  const over = page.getByRole("status").filter({ hasText: "Your first run is over." });
  await over.waitFor({ timeout: 60_000 });
  assert.deepEqual(await seriousFaults(page), []);
  assert.ok(acts.length < 8, `${acts.length} acts: ${acts.join(", ")}`);

  // It says what to look at, and leaves when that is done.
  await page.getByRole("button", { name: "Show the result" }).focus();
  await press("Enter");
  await page
    .getByRole("complementary", { name: "Inspector" })
    .getByText("verdict")
    .first()
    .waitFor();
  await over.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("row").nth(3).waitFor();
  assert.equal(await first.count(), 0, "who has run something needs no first steps");
});
