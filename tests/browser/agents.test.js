import assert from "node:assert/strict";
import { access, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after } from "node:test";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { waitUntilCanvasSettled } from "./support/canvasSettled.js";
import { journey } from "./support/journey.js";
import { ScriptedModel } from "./support/scriptedModel.js";

const model = await ScriptedModel.start();
after(() => model.stop());

const plan = (folder, more) =>
  JSON.stringify({ baton: 1, title: "Greeting", cwd: folder, ...more });
const agent = (id, more = {}) => ({ id, title: id, agent: "claude", prompt: "Go.", ...more });

journey(
  "a handoff with false claims about files is unverified, and a person accepts it",
  async (each) => {
    const { page, folder } = each;
    await model.playScenario(each, "text");
    const text = plan(folder, { nodes: [agent("Work")] });
    const blueprint = await Blueprint.importFile(page, folder, text);
    await blueprint.run();
    await blueprint.cardIn("Work", "Done").waitFor({ timeout: 90_000 });
    await blueprint.select("Work");
    const { inspector } = blueprint;
    await inspector.getByText("Unverified:").waitFor();
    await inspector.getByRole("button", { name: "Open evidence" }).click();
    await inspector
      .getByText(/hello\.txt/)
      .first()
      .waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await inspector.getByRole("button", { name: "Accept anyway" }).click();
    await inspector.getByText("Unverified:").waitFor({ state: "detached" });
  },
);

journey(
  "the handoff on an edge is viewed, edited and pinned, and the child receives it",
  async (each) => {
    const { page, folder } = each;
    await model.playScenario(each, "write_bash");
    const read = { id: "Read", title: "Read", kind: "command", dependsOn: ["Write"] };
    const nodes = [agent("Write"), { ...read, command: 'cp "$BATON_CONTEXT" received.md' }];
    const blueprint = await Blueprint.importFile(page, folder, plan(folder, { nodes }));
    await blueprint.select("Write");
    await page.getByRole("button", { name: "Run options" }).click();
    await page.getByRole("menuitem", { name: /^Run selected node/ }).click();
    await page
      .getByRole("dialog", { name: "Ready to run" })
      .getByRole("button", { name: /^(Approve and run|Run)$/ })
      .click();
    await blueprint.cardIn("Write", "Done").waitFor({ timeout: 90_000 });

    // The run's message then pushes the graph down.
    await page.getByText("Run all continues this run with the remaining nodes").waitFor();
    await waitUntilCanvasSettled(page);
    // Off its middle, where the button for inserting a node is.
    const edge = await page.locator(".react-flow__edge-interaction").first().boundingBox();
    await page.mouse.click(edge.x + edge.width / 8, edge.y + edge.height / 2);
    const { inspector } = blueprint;
    await inspector.getByRole("heading", { name: "The child receives" }).waitFor();
    await inspector.getByText(/about \d+ tokens/).waitFor();
    await inspector.getByText("The scripted work was done.").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await inspector.getByRole("button", { name: "Edit and pin" }).click();
    const words = inspector.getByRole("textbox", { name: "Text for this child" });
    await words.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Mind the harbour.");
    await inspector.getByRole("button", { name: "Pin this text" }).click();
    await inspector.getByText("Pinned", { exact: true }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);

    await page.getByRole("button", { name: "Run all", exact: true }).click();
    await blueprint.cardIn("Read", "Done").waitFor();
    const received = await readFile(path.join(folder, "received.md"), "utf8");
    assert.match(received, /Mind the harbour\./);
    assert.doesNotMatch(received, /scripted work/, "the original text is not passed on");
  },
);

journey("a permission for the node covers its next call", async (each) => {
  const { page, folder } = each;
  await model.playScenario(each, "write_twice");
  const text = plan(folder, { guardedTools: ["Write"], nodes: [agent("Work")] });
  const blueprint = await Blueprint.importFile(page, folder, text);
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click({ timeout: 60_000 });
  const question = page.getByRole("article").filter({ hasText: "one.txt" });
  await question.waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await question.getByRole("button", { name: "Allow for this node" }).click();
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("link", { name: "Greeting" }).click();
  await blueprint.cardIn("Work", "Done").waitFor({ timeout: 60_000 });
  await access(path.join(folder, "two.txt"));
});

journey(
  "a permission for the blueprint is given with a key and covers other nodes",
  async (each) => {
    const { page, folder } = each;
    await model.playScenario(each, "write_twice");
    const nodes = [agent("First"), agent("Second", { dependsOn: ["First"] })];
    const text = plan(folder, { guardedTools: ["Write"], nodes });
    const blueprint = await Blueprint.importFile(page, folder, text);
    await blueprint.run();
    await page.getByRole("link", { name: "Inbox, 1 waiting" }).click({ timeout: 60_000 });
    await page.getByRole("article").first().focus();
    await page.keyboard.press("p");
    await page.locator("button:focus", { hasText: "Allow for this blueprint" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await page.getByRole("link", { name: "Greeting" }).click();
    await blueprint.cardIn("Second", "Done").waitFor({ timeout: 90_000 });
  },
);

journey("a denial with a reason reaches the agent, which continues", async (each) => {
  const { page, server, folder } = each;
  await model.playScenario(each, "write_bash");
  const text = plan(folder, { guardedTools: ["Bash"], nodes: [agent("Work")] });
  const blueprint = await Blueprint.importFile(page, folder, text);
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click({ timeout: 60_000 });
  const question = page.getByRole("article").filter({ hasText: "touch checked.txt" });
  await question.getByRole("button", { name: "Deny with a reason" }).click();
  await page.getByLabel("Reason", { exact: true }).fill("Use make <b>instead</b>.");
  assert.deepEqual(await seriousFaults(page), []);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("link", { name: "Greeting" }).click();
  await blueprint.cardIn("Work", "Done").waitFor({ timeout: 60_000 });
  await assert.rejects(access(path.join(folder, "checked.txt")), "the command did not run");
  await blueprint.select("Work");
  await blueprint.inspector.getByRole("tab", { name: /^Attempts/ }).click();
  await page.getByRole("link", { name: "Open timeline" }).click();
  await page.getByText("Denied", { exact: true }).waitFor();
  assert.match(await readPrompts(server), /denied this call: Use make <b>instead<\/b>\./);
});

/** Returns the content of all of claude's own session records. */
async function readPrompts(server) {
  const kept = path.join(path.dirname(server.data), ".claude/projects");
  const names = await readdir(kept, { recursive: true });
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((name) => readFile(path.join(kept, name), "utf8")));
  return texts.join("\n");
}

journey("the Doctor page shows what is installed and what is missing", async (each) => {
  const { page } = each;
  await model.playScenario(each, "text");
  await page.getByRole("link", { name: "Doctor" }).click();
  const section = page.getByRole("region", { name: "Claude Code" });
  await section
    .getByText(/2\.1\.\d+/)
    .first()
    .waitFor({ timeout: 60_000 });
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("button", { name: "Check again" }).click();
  await section
    .getByText(/2\.1\.\d+/)
    .first()
    .waitFor();
});
