import assert from "node:assert/strict";
import { journey } from "./support/journey.js";

journey("the window opens on the blueprints", async ({ open }) => {
  const window = await open();

  const link = await window.get("link", "Blueprints");

  // The layout is rendered before the start page is selected.
  const isCurrent = async () => (await link.getAttribute("aria-current")) === "page";
  await window.driver.wait(isCurrent, 10_000, "the blueprints page is current");
  assert.match(await window.driver.getTitle(), /Baton$/);
});

journey("the app reopens after it was killed", async ({ open }) => {
  const first = await open();
  await first.get("link", "Blueprints");

  await first.kill();
  const second = await open();

  await second.get("link", "Blueprints");
});
