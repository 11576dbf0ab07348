import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("two windows on one blueprint lose nothing", async ({ page, server, folder }) => {
  const first = await Blueprint.create(page, { title: "Shared", directory: folder });
  await first.place("command", "One", { x: 420, y: 260 });
  await first.waitUntilSaved();
  const other = await page.context().newPage();
  await other.goto(server.address);
  await other.getByRole("link", { name: "Shared" }).click();
  const second = new Blueprint(other);
  await second.card("One").waitFor();

  // A change in one window appears in the other, as long as that has no unsaved changes.
  await first.place("command", "Two", { x: 420, y: 400 });
  await second.card("Two").waitFor();
  await other.getByRole("status").filter({ hasText: "Changed elsewhere: Two" }).waitFor();

  // Concurrent changes that don't conflict are merged without asking.
  const meanwhile = async (mine, theirs) => {
    await other.route("**/plan_save", (route) => route.abort());
    await mine();
    await other.getByRole("status").filter({ hasText: "Not saved, retrying" }).waitFor();
    await theirs();
    await first.waitUntilSaved();
    await other.unroute("**/plan_save");
  };
  await meanwhile(
    () => second.place("command", "Three", { x: 420, y: 540 }),
    () => first.place("command", "Four", { x: 700, y: 540 }),
  );
  await first.card("Three").waitFor();
  await second.card("Four").waitFor();
  await second.waitUntilSaved();

  // Undo only affects the changes of this window.
  await other.keyboard.press("Control+z");
  await second.card("Three").waitFor({ state: "detached" });
  await other.keyboard.press("Control+z");
  await other.getByRole("button", { name: "Nothing to undo", exact: true }).waitFor();
  for (const title of ["One", "Two", "Four"]) await second.card(title).waitFor();
  await other.keyboard.press("Control+Shift+z");
  await other.keyboard.press("Control+Shift+z");
  await first.card("Three").waitFor();

  // For conflicting changes the person chooses; other changes are kept.
  await meanwhile(
    () => renameNode(second, "One", "Mine"),
    async () => {
      await renameNode(first, "One", "Theirs");
      await renameNode(first, "Two", "Too");
    },
  );
  await other.getByText("both changed Theirs.").waitFor();
  await other.getByRole("button", { name: "Keep mine" }).click();
  await second.waitUntilSaved();
  for (const title of ["Mine", "Too", "Three", "Four"]) await first.card(title).waitFor();
  await first.card("Theirs").waitFor({ state: "detached" });

  // An undo step that conflicts with the other window's change is reported and skipped.
  await page.bringToFront();
  await page.locator("body").press("Control+z");
  await first.card("Two").waitFor();
  await page.locator("body").press("Control+z");
  await page.getByText("“Rename node” was not undone").first().waitFor();
  await first.card("Mine").waitFor();
});

/**
 * Renames a node with F2.
 *
 * @param {Blueprint} blueprint
 * @param {string} from
 * @param {string} to
 */
async function renameNode(blueprint, from, to) {
  await blueprint.select(from);
  await blueprint.page.keyboard.press("F2");
  const title = blueprint.page.getByRole("textbox", { name: "Node title" });
  await title.fill(to);
  await title.press("Enter");
  await blueprint.card(to).waitFor();
}
