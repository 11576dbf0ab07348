import assert from "node:assert/strict";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("two windows on one blueprint lose nothing", async ({ page, server, folder }) => {
  const first = await Blueprint.create(page, { title: "Shared", directory: folder });
  await first.place("command", "One", { x: 420, y: 260 });
  await first.saved();
  const other = await page.context().newPage();
  await other.goto(server.address);
  await other.getByRole("link", { name: "Shared" }).click();
  const second = new Blueprint(other);
  await second.card("One").waitFor();

  // A change of one window appears in the other, as long as that one has nothing of its own to save.
  await first.place("command", "Two", { x: 420, y: 400 });
  await second.card("Two").waitFor();

  await other.route("**/plan_save", (route) => route.abort());
  await second.place("command", "Three", { x: 420, y: 540 });
  await other.getByRole("status").filter({ hasText: "Not saved, trying again" }).waitFor();
  await first.place("command", "Four", { x: 700, y: 540 });
  await first.saved();
  await other.unroute("**/plan_save");

  await other.getByText("changed in another window").waitFor();
  await second.card("Three").waitFor();
  await other.getByRole("button", { name: "Keep mine" }).click();
  await second.saved();
  await first.card("Three").waitFor();
  await first.card("Four").waitFor({ state: "detached" });
  assert.equal(await second.card("Four").count(), 0);
});
