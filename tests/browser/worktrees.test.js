import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

const lines = "one\ntwo\nthree\nfour\nfive\n";

/**
 * Two parallel nodes that change the same line, and one that depends on both.
 *
 * @param {string} folder
 */
const conflictingPlan = (folder) => `baton: 1
title: Two sides
cwd: ${folder}
isolation: worktree
nodes:
  - {id: left, title: Left side, kind: command, command: sed -i s/^three$/left/ both.txt}
  - {id: right, title: Right side, kind: command, command: sed -i s/^three$/right/ both.txt && echo right > right.txt}
  - {id: join, title: Join both, kind: command, dependsOn: [left, right], command: echo joined > joined.txt}
`;

/** @param {string} folder */
async function createRepository(folder) {
  const git = (...words) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: folder,
    });
  await git("init", "-q");
  await writeFile(path.join(folder, ".git/info/exclude"), "*.yaml\n");
  await writeFile(path.join(folder, "both.txt"), lines);
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
  return git;
}

journey(
  "a conflict of two nodes is shown before the merge, resolved manually, merged back and reverted",
  async ({ page, folder }) => {
    await createRepository(folder);
    const both = () => readFile(path.join(folder, "both.txt"), "utf8");
    const blueprint = await Blueprint.importFile(page, folder, conflictingPlan(folder));
    await blueprint.run();
    await blueprint.cardIn("Join both", "Waiting for you").waitFor();

    await blueprint.card("Join both").click();
    await blueprint.inspector.getByRole("tab", { name: "Handoff" }).click();
    const coming = blueprint.inspector.getByText("Work to merge");
    await coming.waitFor();
    const clashes = blueprint.inspector.getByRole("list", { name: "Merge conflicts" });
    await clashes.getByText("both changed the same lines").waitFor();
    await blueprint.inspector.getByRole("list", { name: "Files changed by Right side" }).waitFor();
    await takeScreenshots(page, "fan-in");
    assert.deepEqual(await seriousFaults(page), []);

    const place = await blueprint.inspector.locator("code.select-all").textContent();
    await writeFile(path.join(place ?? "", "both.txt"), "one\ntwo\nboth\nfour\nfive\n");
    await blueprint.inspector.getByRole("button", { name: "Continue with my files" }).click();
    await blueprint.cardIn("Join both", "Done").waitFor();
    assert.equal(await both(), lines, "the directory is unchanged");

    await page.getByText("The work of 3 nodes isn't in your directory.").waitFor();
    await takeScreenshots(page, "home-banner");
    await page.getByRole("button", { name: "Review" }).click();
    const dialog = page.getByRole("dialog", { name: "Changes from this run" });
    const files = dialog.getByRole("list", { name: "Files that would change" });
    await files.getByText("joined.txt").waitFor();
    await dialog
      .getByRole("list", { name: "Changed by two parallel nodes" })
      .getByText("both.txt")
      .waitFor();
    await takeScreenshots(page, "home-dialog");
    assert.deepEqual(await seriousFaults(page), []);

    await dialog.getByRole("button", { name: "Merge back" }).click();
    await dialog.getByRole("button", { name: /^Revert the work of/ }).waitFor();
    assert.equal(await both(), "one\ntwo\nboth\nfour\nfive\n");
    assert.equal(await readFile(path.join(folder, "right.txt"), "utf8"), "right\n");
    await takeScreenshots(page, "home-brought");

    await dialog.getByRole("button", { name: /^Revert the work of/ }).click();
    await dialog.getByText("reverted").waitFor();
    assert.equal(await both(), lines);
    await dialog.getByRole("button", { name: "Merge back" }).click();
    await dialog.getByRole("button", { name: /^Revert the work of/ }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.getByRole("link", { name: "Settings" }).click();
    const table = page.getByRole("table", { name: "Worktrees" });
    await table.getByRole("row").filter({ hasText: "Join both" }).getByText("Merged").waitFor();
    await page.getByRole("button", { name: "Remove 3 merged" }).click();
    await page.getByText("No worktrees").waitFor();
  },
);

/**
 * The same without the joining node.
 *
 * @param {string} folder
 */
const parallelPlan = (folder) => conflictingPlan(folder).split("\n").slice(0, 7).join("\n");

journey(
  "work that conflicts with the directory waits in a worktree, and can go to a branch",
  async ({ page, folder }) => {
    const git = await createRepository(folder);
    const both = () => readFile(path.join(folder, "both.txt"), "utf8");
    const blueprint = await Blueprint.importFile(page, folder, parallelPlan(folder));
    await blueprint.run();
    await blueprint.cardIn("Left side", "Done").waitFor();
    await blueprint.cardIn("Right side", "Done").waitFor();

    await page.getByRole("button", { name: "Review" }).click();
    const dialog = page.getByRole("dialog", { name: "Changes from this run" });
    await dialog.getByRole("list", { name: "Merge conflicts" }).waitFor();
    await takeScreenshots(page, "home-clash");
    assert.deepEqual(await seriousFaults(page), []);

    // One node's work alone has no conflict.
    await dialog.getByRole("checkbox", { name: "Merge the work of Right side" }).click();
    await dialog.getByRole("button", { name: "Create a branch" }).click();
    await dialog.getByRole("textbox", { name: "Branch name" }).fill("left-side");
    await dialog.getByRole("button", { name: "Create branch" }).click();
    await dialog.getByText("On the branch left-side").waitFor();
    assert.equal((await git("show", "left-side:both.txt")).stdout, lines.replace("three", "left"));
    assert.equal(await both(), lines);

    await dialog.getByRole("checkbox", { name: "Merge the work of Right side" }).click();
    await dialog.getByRole("button", { name: "Start merge" }).click();
    const conflict = dialog.getByRole("region", { name: "Conflict" });
    await conflict.waitFor();
    await takeScreenshots(page, "home-conflict");
    assert.deepEqual(await seriousFaults(page), []);
    await conflict.getByRole("button", { name: "Merge back with my files" }).click();
    await conflict.getByText("Conflict markers remain in both.txt.").first().waitFor();
    assert.equal(await both(), lines, "nothing is merged partially");

    const place = await conflict.locator("code.select-all").textContent();
    await writeFile(path.join(place ?? "", "both.txt"), "one\ntwo\nboth\nfour\nfive\n");
    await conflict.getByRole("button", { name: "Merge back with my files" }).click();
    await dialog.getByRole("button", { name: /^Revert the work of/ }).waitFor();
    assert.equal(await both(), "one\ntwo\nboth\nfour\nfive\n");
  },
);
