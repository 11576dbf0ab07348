import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";

/** A command that reads the prompt on standard input and records its name in a ledger. */
const recordingCommand = (name) => ["sh", "-c", "cat > /dev/null; echo $0 >> ledger", name];

/**
 * Adds a custom agent in Settings.
 *
 * @param {string[]} command
 */
async function addAgent(page, name, [program, ...words]) {
  await page.getByRole("button", { name: "Add agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an agent" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Program" }).fill(program);
  for (const [at, word] of words.entries()) {
    const field = dialog.getByRole("textbox", { name: `Argument ${at + 1}` });
    if ((await field.count()) === 0) {
      await dialog.getByRole("button", { name: "Add argument" }).click();
    }
    await field.fill(word);
  }
  await dialog.getByRole("button", { name: "Add agent" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Creates a team of agents that take turns in this order. */
async function createTeam(page, name, members) {
  await page.getByRole("button", { name: "Add team" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a team" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  for (const member of members) {
    await dialog.getByRole("combobox", { name: "Members" }).click();
    await page.getByRole("option", { name: new RegExp(`^${member}`) }).click();
  }
  const listed = dialog.getByRole("list", { name: "Members in order" }).getByRole("listitem");
  await listed.nth(members.length - 1).waitFor();
  await dialog.getByRole("combobox", { name: "Agent selection" }).click();
  await page.getByRole("option", { name: "Round robin" }).click();
  await dialog.getByText("each node goes to the next member").waitFor();
  await takeScreenshots(page, "team-dialog");
  assert.deepEqual(await seriousFaults(page), [], "the form of a team");
  await dialog.getByRole("button", { name: "Add team" }).click();
  await dialog.waitFor({ state: "detached" });
}

/**
 * A chain of four nodes for the team.
 *
 * @param {string} folder
 */
function plan(folder) {
  const titles = ["Plan it", "Write it", "Test it", "Ship it"];
  const nodes = titles.map((title, at) => ({
    ...{ id: `n${at}`, title, kind: "agent", agent: "team:crew", prompt: "Work." },
    dependsOn: at === 0 ? [] : [`n${at - 1}`],
  }));
  return JSON.stringify({ baton: 1, title: "Crew", cwd: folder, nodes });
}

journey(
  "a team takes turns, passes over a missing agent, and shows who worked and why",
  async ({ page, folder }) => {
    await page.getByRole("link", { name: "Settings" }).click();
    await addAgent(page, "ann", recordingCommand("ann"));
    await addAgent(page, "gone", ["/no/such/program"]);
    await addAgent(page, "bob", recordingCommand("bob"));
    await createTeam(page, "crew", ["ann", "gone", "bob"]);
    const row = page
      .getByRole("list", { name: "Teams" })
      .getByRole("listitem")
      .filter({ hasText: "team:crew" });
    await row.getByText("ann, gone, bob").waitFor();
    await row.getByText("Round robin").waitFor();
    await row.getByText("Not found, skipped: gone").waitFor();
    await row.scrollIntoViewIfNeeded();
    await takeScreenshots(page, "teams");
    assert.deepEqual(await seriousFaults(page), [], "the settings");

    await page.getByRole("link", { name: "Blueprints" }).first().click();
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    const { inspector } = blueprint;
    await blueprint.select("Write it");
    await inspector
      .getByRole("combobox", { name: "Agent" })
      .filter({ hasText: "Team crew" })
      .waitFor();
    await blueprint.run();
    await blueprint.cardIn("Ship it", "Done").waitFor({ timeout: 60_000 });
    assert.equal(await readFile(path.join(folder, "ledger"), "utf8"), "ann\nbob\nann\nbob\n");

    const why = "next in rotation in team crew; passed over: gone is not installed";
    for (const [title, agent] of [
      ["Plan it", "ann"],
      ["Write it", "bob"],
      ["Test it", "ann"],
      ["Ship it", "bob"],
    ]) {
      await blueprint.select(title);
      await inspector.getByRole("tab", { name: /^Attempts/ }).click();
      const attempt = inspector.getByRole("list", { name: "Attempts" }).getByRole("listitem");
      await attempt.getByText(agent, { exact: true }).waitFor();
      await attempt.getByText(`N${why.slice(1)}.`, { exact: true }).waitFor();
    }
    await takeScreenshots(page, "attempts");
    assert.deepEqual(await seriousFaults(page), [], "the attempts");
    await inspector.getByRole("link", { name: "Open timeline" }).click();
    await page.getByText(`bob, ${why}`, { exact: true }).waitFor();
    assert.deepEqual(await seriousFaults(page), [], "the timeline");

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Delete team crew" }).click();
    await page.getByText("can't run until you choose another team or agent").waitFor();
    assert.deepEqual(await seriousFaults(page), [], "before it is deleted");
    await page.getByRole("button", { name: "Delete team", exact: true }).click();
    await page.getByText("No teams yet.").waitFor();

    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await page.getByRole("link", { name: "Crew" }).click();
    await blueprint.select("Write it");
    await inspector.getByRole("tab", { name: "Task" }).click();
    await inspector.getByText(/There is no team crew\. Choose another/).waitFor();
    await page.getByRole("button", { name: "Run all" }).click();
    const refused = page.getByRole("dialog", { name: "Not ready to run" });
    const fault = refused.getByRole("listitem").filter({ hasText: "Ship it" });
    await fault.getByText(/uses the team .?crew.?, which is not defined/).waitFor();
    await fault.getByText(/Choose another agent or team for the node, or add/).waitFor();
    await takeScreenshots(page, "team-gone");
    assert.deepEqual(await seriousFaults(page), [], "the refusal");
    await fault.getByRole("button", { name: "Show node" }).click();
    await inspector.getByRole("heading", { name: "Ship it", exact: true }).waitFor();
  },
);
