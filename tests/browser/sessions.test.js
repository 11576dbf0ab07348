import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const recorded = path.resolve(import.meta.dirname, "../fixtures/transcripts");

// The servers of this file find a claude that keeps a history, whatever else is installed.
const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

/**
 * Puts recorded transcripts where the agents keep theirs.
 *
 * @param {string} home
 */
async function writeAgentHistories(home) {
  const places = {
    "claude/write_bash_bypass.jsonl":
      ".claude/projects/-home-dev-project/22222222-2222-4222-8222-222222222222.jsonl",
    "codex/write_bash_ws.jsonl":
      ".codex/sessions/2026/11/21/rollout-2026-11-21T03-02-46-01a1fc0e-6bfd-70e3-9c5e-60a771c40a21.jsonl",
    "pi/write_bash.jsonl":
      ".pi/agent/sessions/--home-dev-project--/2026-11-21T03-02-46-000Z_a1.jsonl",
  };
  for (const [from, to] of Object.entries(places)) {
    await mkdir(path.dirname(path.join(home, to)), { recursive: true });
    await copyFile(path.join(recorded, from), path.join(home, to));
  }
}

/** The line of a session in the list, by its agent @param {import("playwright-core").Page} page @param {string} agent */
function lineOf(page, agent) {
  return page.getByRole("row").filter({ has: page.getByRole("img", { name: agent, exact: true }) });
}

journey("sessions of several agents are listed, searched, and opened at the hit", async (each) => {
  const { page, server } = each;
  await writeAgentHistories(path.dirname(server.data));
  await page.goto(await restarted(server));
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("3 sessions", { exact: true }).waitFor();
  for (const agent of ["Claude Code", "Codex", "pi"]) await lineOf(page, agent).waitFor();
  assert.deepEqual(await seriousFaults(page), []);

  await page.keyboard.press("/");
  await page.keyboard.type("now i'll check");
  await page.waitForURL(/q=now/);
  // The line stands there before it is found; only a hit has its words.
  const hit = lineOf(page, "Claude Code").filter({ hasText: "Now I'll check it" });
  await hit.waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const landed = page.getByRole("article").filter({ hasText: "Now I'll check it." });
  await landed.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Now I'll check"));
  assert.deepEqual(await seriousFaults(page), []);

  await page.goBack();
  await hit.waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "now i'll check");
});

journey(
  "star, tags and a note of a session survive the server, and find it again",
  async (each) => {
    const { page, server } = each;
    await writeAgentHistories(path.dirname(server.data));
    await page.goto(await restarted(server));
    await page.getByRole("link", { name: "Sessions" }).click();
    // Others that are found later would move it away below the pointer.
    await page.getByText("3 sessions", { exact: true }).waitFor();
    await lineOf(page, "Codex").click();
    await page.getByRole("feed", { name: "Timeline" }).getByRole("article").first().waitFor();
    await page.keyboard.press("s");
    await page.locator('button[aria-label^="Star "][aria-pressed="true"]').waitFor();
    await page.keyboard.press("t");
    await page.getByRole("textbox", { name: "Tags" }).fill("review, later");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Note" }).fill("Ask <b>Anna</b> about this");
    await page.getByRole("button", { name: "Save note" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.goto(await restarted(server));
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByRole("button", { name: /^Starred(?! first)/ }).click();
    await page.getByText("1 fits", { exact: true }).waitFor();
    const line = lineOf(page, "Codex");
    await line.getByText("review", { exact: true }).waitFor();
    await line.getByRole("img", { name: "Has a note" }).waitFor();
    await line.click();
    await page.getByText("Ask <b>Anna</b> about this").waitFor();
  },
);

journey("a session of a node leads to the agent's own record, and that one back", async (each) => {
  const { page, folder } = each;
  const plan = {
    ...{ baton: 1, title: "Light", cwd: folder, autonomy: 4 },
    nodes: [{ id: "lamp", title: "Lamp", kind: "agent", agent: "claude", prompt: "Light it." }],
  };
  const blueprint = await Blueprint.imported(page, folder, JSON.stringify(plan));
  await blueprint.run();
  await blueprint.cardIn("Lamp", "Done").waitFor();

  // Nobody pressed anything to make the list find it.
  await page.getByRole("link", { name: "Sessions" }).click();
  const line = lineOf(page, "Claude Code");
  await line.getByRole("link", { name: /^Node of / }).click();
  await page.getByRole("heading", { name: "Lamp" }).waitFor();
  await page.getByText("The lantern is lit.").first().waitFor();

  await page.getByRole("link", { name: "The agent's own record" }).click();
  await page
    .getByRole("feed", { name: "Timeline" })
    .getByText("The lantern is lit.")
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Open node" }).click();
  await page.getByRole("heading", { name: "Lamp" }).waitFor();
});

/** Ends the server and starts it again, so that nothing is remembered but what was stored. */
async function restarted(server) {
  await server.kill();
  return server.start();
}
