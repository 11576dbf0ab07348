import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { tabTo } from "./support/keys.js";
import { takeScreenshots } from "./support/screenshots.js";
import { ScriptedModel } from "./support/scriptedModel.js";

const model = await ScriptedModel.start();
after(() => model.stop());

journey(
  "a node's session is continued with the keyboard, and writes a new handoff",
  async (each) => {
    const { page, folder } = each;
    const nodes = [
      { id: "Write", agent: "claude", prompt: "Remember 4711 and write a greeting." },
      { id: "Read", kind: "command", command: "cat $BATON_CONTEXT", dependsOn: ["Write"] },
    ].map((node) => ({ title: node.id, ...node }));
    const plan = { baton: 1, title: "Greeting", cwd: folder, autonomy: 4, nodes };
    await model.playScenario(each, "write_bash");
    const blueprint = await Blueprint.importFile(page, folder, JSON.stringify(plan));
    const { inspector } = blueprint;
    await blueprint.run();
    await blueprint.cardIn("Read", "Done").waitFor({ timeout: 120_000 });

    // From now on its answers have no headings, so that the new handoff differs from the old one.
    await model.playScenario(each, "handoff_missing");
    await blueprint.select("Write");
    await inspector.getByRole("tab", { name: /^Attempts/ }).click();
    await inspector.getByRole("link", { name: "Open timeline" }).click();
    await tabTo(page, "button", "Continue this session");
    await page.keyboard.press("Enter");
    await page.getByText("finished nodes that depend on it become stale").waitFor();
    await page.keyboard.type("Which number was it?");
    await takeScreenshots(page, "continue");
    assert.deepEqual(await seriousFaults(page), []);
    await page.keyboard.press("Control+Enter");

    const timeline = page.getByRole("feed", { name: "Timeline" });
    await page
      .getByRole("combobox", { name: "Attempt" })
      .filter({ hasText: "Attempt 2" })
      .waitFor();
    await timeline.getByText("Which number was it?").first().waitFor({ timeout: 90_000 });
    const answer = timeline.getByText("Hello from the scripted model.", { exact: true });
    await answer.first().waitFor({ timeout: 90_000 });
    assert.match(await model.requestContaining("Which number was it?"), /Remember 4711/);
    assert.deepEqual(await seriousFaults(page), []);

    await page.getByRole("tab", { name: "Handoff" }).click();
    // Its last message is the handoff.
    const handoff = page.getByRole("tabpanel").getByText("Hello from the scripted model.");
    await handoff.first().waitFor({ timeout: 60_000 });
    assert.equal(await page.getByText("The scripted work was done.").count(), 0);
    await page.getByRole("combobox", { name: "Attempt" }).click();
    await page.getByRole("option", { name: "Attempt 1" }).click();
    await page.getByText("The scripted work was done.").waitFor();

    await page.getByRole("link", { name: "Greeting" }).click();
    await blueprint.cardIn("Read", "Done, stale").waitFor();
  },
);

/** Runs a session of the real claude without Baton. */
async function runClaude({ server, folder }) {
  const words = ["--print", "--permission-mode", "bypassPermissions", "Remember 4711."];
  const talk = promisify(execFile)("claude", words, { cwd: folder, env: server.environment });
  talk.child.stdin.end();
  await talk;
}

/** Returns claude's session records: file and content. */
async function readHistories({ server }) {
  const kept = path.join(path.dirname(server.data), ".claude/projects");
  const names = await readdir(kept, { recursive: true });
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const read = async (name) => [name, await readFile(path.join(kept, name))];
  return new Map(await Promise.all(files.map(read)));
}

journey(
  "a copy of a session continues as a blueprint, and the original is unchanged",
  async (each) => {
    const { page } = each;
    await model.playScenario(each, "text");
    await mkdir(path.join(path.dirname(each.server.data), ".claude"), { recursive: true });
    await runClaude(each);
    const before = await readHistories(each);
    assert.equal(before.size, 1);

    await page.getByRole("link", { name: "Sessions" }).click();
    await page
      .getByRole("row")
      .filter({ has: page.getByRole("img", { name: "Claude Code", exact: true }) })
      .click({ timeout: 60_000 });
    await page.getByText("Hello from the scripted model.").first().waitFor();
    assert.equal(await page.getByText("on HEAD").count(), 0, "the folder has no branch");
    await page.getByRole("button", { name: "Fork" }).click();
    await page.getByText("The original stays unchanged.").waitFor();
    await page.keyboard.type("Which number was it?");
    await takeScreenshots(page, "fork");
    assert.deepEqual(await seriousFaults(page), []);
    await page.getByRole("button", { name: "Fork into blueprint" }).click();

    const blueprint = new Blueprint(page);
    const cards = page.locator(".react-flow__node");
    await cards.first().waitFor();
    assert.equal(await cards.count(), 1);
    await takeScreenshots(page, "forked");
    assert.deepEqual(await seriousFaults(page), []);
    await blueprint.run();
    await page.locator('.react-flow__node[aria-label*=", Done"]').waitFor({ timeout: 90_000 });

    assert.match(await model.requestContaining("Which number was it?"), /Remember 4711/);
    const now = await readHistories(each);
    for (const [file, bytes] of before) {
      assert.ok(bytes.equals(now.get(file) ?? Buffer.alloc(0)), "the original is unchanged");
    }
    assert.equal(now.size, 2, "the copy has its own file");
  },
);
