import assert from "node:assert/strict";
import { journey } from "./support/journey.js";

journey("the browser opens on the blueprints", async ({ page }) => {
  const link = page.getByRole("link", { name: "Blueprints" });
  await link.waitFor();

  assert.equal(await link.getAttribute("aria-current"), "page");
  assert.match(await page.title(), /Baton$/);
});
