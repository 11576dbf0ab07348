import assert from "node:assert/strict";
import { addressOf, callOperation } from "./support/api.js";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Release notes
nodes:
  - {id: lint, title: Lint, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", dependsOn: [lint], position: {x: 300, y: 0}}
`;

journey("a version is named, previewed, restored, and the restore undone", async (given) => {
  const { page, server, folder } = given;
  const blueprint = await Blueprint.importFile(page, folder, plan);
  await blueprint.card("Build").waitFor();
  await blueprint.select("Lint");
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "Node title" });
  await field.fill("Check <b>all</b>");
  await field.press("Enter");
  await blueprint.waitUntilSaved();

  await page.getByRole("link", { name: "Version 2, show versions" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByRole("button", { expanded: false }).first().click();
  await versions.getByText("Renamed Lint to Check <b>all</b>").last().waitFor();
  await versions.getByText("Created the blueprint").waitFor();
  assert.deepEqual(await seriousFaults(page), []);

  await versions.getByRole("button", { name: "Actions for version 1" }).click();
  await page.getByRole("menuitem", { name: "Name…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Before renaming");
  await page.keyboard.press("Enter");
  await versions.getByText("Before renaming").first().waitFor();

  await versions.getByRole("link", { name: "Restore version 1" }).click();
  await page.getByRole("region", { name: "Changes" }).getByRole("listitem").first().waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await blueprint.card("Lint").waitFor();
  await page.getByRole("link", { name: "Version 3, show versions" }).waitFor();

  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await blueprint.card("Check <b>all</b>").waitFor();
  await page.getByRole("link", { name: "Version 4, show versions" }).waitFor();
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
  const rows = await callOperation(server, "plan_versions", { plan: id });
  assert.deepEqual(
    rows.map(({ version, name }) => [version, name]),
    [
      [4, null],
      [3, null],
      [2, null],
      [1, "Before renaming"],
    ],
  );
});

journey("a blueprint deleted in another window is restored, or saved as a copy", async (given) => {
  const { page, server, folder } = given;
  const first = await Blueprint.importFile(page, folder, plan);
  await first.card("Build").waitFor();
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
  const other = await page.context().newPage();
  await other.goto(server.address);
  await other.getByRole("link", { name: "Release notes" }).click();
  const second = new Blueprint(other);
  await second.card("Build").waitFor();

  // Deleted in this window: the toast undoes it, and the other window recovers by itself.
  const banner = other.getByRole("status").filter({ hasText: "Deleted in another window." });
  const remove = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete blueprint" }).click();
    await page.getByRole("button", { name: "Delete blueprint" }).click();
    await banner.waitFor();
  };
  await remove();
  assert.deepEqual(await seriousFaults(other), []);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await banner.waitFor({ state: "detached" });
  await first.card("Build").waitFor();

  // Edited after the deletion: restoring saves the edit.
  await remove();
  await renameNode(second, "Build", "Mine");
  await banner.filter({ hasText: "Your unsaved changes are kept." }).waitFor();
  await other.getByRole("button", { name: "Restore", exact: true }).click();
  await banner.waitFor({ state: "detached" });
  await second.waitUntilSaved();
  const { plan: stored } = await callOperation(server, "plan_get", { plan: id });
  assert.ok(stored.nodes.some(({ title }) => title === "Mine"));

  // Deleted permanently: only a copy is left, with the unsaved edit.
  await page.goto(addressOf(server, `/blueprints/${id}`));
  await first.card("Mine").waitFor();
  await remove();
  await page.getByRole("button", { name: /^Recently deleted/ }).click();
  const list = page.getByRole("dialog", { name: "Recently deleted" });
  await list.getByText("Release notes").waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await list.getByRole("button", { name: "Delete now: Release notes" }).click();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await list.getByText("No deleted blueprints").waitFor();
  await other.getByText("Deleted permanently in another window.").waitFor();
  await renameNode(second, "Mine", "Copied");
  await other.getByRole("button", { name: "Save as copy" }).click();
  await second.card("Copied").waitFor();
  await other.waitForURL((url) => url.hash.includes("/blueprints/") && !url.hash.includes(id));
  await second.waitUntilSaved();
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
