import assert from "node:assert/strict";
import { journey } from "./support/journey.js";

journey("the window opens on the blueprints", async ({ open }) => {
  const window = await open();

  const link = await window.get("link", "Blueprints");

  // The frame stands before the page is chosen that it opens on.
  const isCurrent = async () => (await link.getAttribute("aria-current")) === "page";
  await window.driver.wait(isCurrent, 10_000, "the blueprints are the page that is shown");
  assert.match(await window.driver.getTitle(), /Baton$/);
});

journey("the app opens again after it was killed", async ({ open }) => {
  const first = await open();
  await first.get("link", "Blueprints");

  await first.kill();
  const second = await open();

  await second.get("link", "Blueprints");
});
