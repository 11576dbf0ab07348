import assert from "node:assert/strict";
import { journey } from "./support/journey.js";

journey("the examples of the first start run without setup", async ({ page }) => {
  const rows = page.getByRole("grid", { name: "Blueprints" }).getByRole("row");
  await page.getByRole("status").filter({ hasText: "3 blueprints" }).waitFor();
  assert.equal(await rows.count(), 4, "three examples below the head");
  await rows.nth(1).waitFor();
  const titles = [];
  for (const at of [1, 2, 3]) titles.push(await rows.nth(at).getByRole("link").innerText());

  for (const title of titles) {
    await page.getByRole("link", { name: title }).click();
    await page.getByRole("button", { name: "Approve blueprint" }).click();
    await page.getByText("Approved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Completed", { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await rows.filter({ hasText: title }).filter({ hasText: "Completed" }).waitFor();
  }
});
