import assert from "node:assert/strict";
import { journey } from "./support/journey.js";

journey("the browser opens on the blueprints", async ({ page }) => {
  const link = page.getByRole("link", { name: "Blueprints" });

  // The layout is rendered before the start page is selected.
  await link.and(page.locator("[aria-current=page]")).waitFor();
  assert.match(await page.title(), /Baton$/);
});
