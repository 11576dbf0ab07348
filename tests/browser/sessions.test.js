import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { startAgain } from "./support/pages.js";

const recorded = path.resolve(import.meta.dirname, "../fixtures/transcripts");

// The servers in this file use a fake claude that keeps a history.
const programs = await mkdtemp(path.join(tmpdir(), "baton-claude-"));
await symlink(
  path.join(import.meta.dirname, "support/claudeWithHistory.js"),
  path.join(programs, "claude"),
);
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
after(() => rm(programs, { recursive: true, force: true }));

/**
 * Copies recorded transcripts to the agents' own folders.
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

/**
 * Returns the row of a session in the list, by its agent.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} agent
 */
function rowOf(page, agent) {
  return page.getByRole("row").filter({ has: page.getByRole("img", { name: agent, exact: true }) });
}

journey(
  "sessions of several agents are listed, searched, and opened at the match",
  async (each) => {
    const { page, server } = each;
    await writeAgentHistories(path.dirname(server.data));
    await restart(page, server);
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("3 sessions", { exact: true }).waitFor();
    for (const agent of ["Claude Code", "Codex", "pi"]) await rowOf(page, agent).waitFor();
    assert.deepEqual(await seriousFaults(page), []);

    await page.keyboard.press("/");
    await page.keyboard.type("now i'll check");
    await page.waitForURL(/q=now/);
    // The row exists before the search; only a match contains the text.
    const hit = rowOf(page, "Claude Code").filter({ hasText: "Now I'll check it" });
    await hit.waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const landed = page.getByRole("article").filter({ hasText: "Now I'll check it." });
    await landed.waitFor();
    await page.waitForFunction(() =>
      document.activeElement?.textContent?.includes("Now I'll check"),
    );
    assert.deepEqual(await seriousFaults(page), []);

    await page.goBack();
    await hit.waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), "now i'll check");
  },
);

journey("the star, tags and note of a session survive a server restart", async (each) => {
  const { page, server } = each;
  await writeAgentHistories(path.dirname(server.data));
  await restart(page, server);
  await page.getByRole("link", { name: "Sessions" }).click();
  // Sessions that are found later would move the row.
  await page.getByText("3 sessions", { exact: true }).waitFor();
  await rowOf(page, "Codex").click();
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

  await restart(page, server);
  await page.getByRole("link", { name: "Sessions" }).first().click();
  await page.getByRole("button", { name: /^Starred(?! first)/ }).click();
  await page.getByText("1 match", { exact: true }).waitFor();
  const line = rowOf(page, "Codex");
  await line.getByText("review", { exact: true }).waitFor();
  await line.getByRole("img", { name: "Has a note" }).waitFor();
  await line.click();
  await page.getByText("Ask <b>Anna</b> about this").waitFor();
});

journey("a session of a node links to the agent's transcript and back", async (each) => {
  const { page, folder } = each;
  const plan = {
    ...{ baton: 1, title: "Light", cwd: folder, autonomy: 4 },
    nodes: [{ id: "lamp", title: "Lamp", kind: "agent", agent: "claude", prompt: "Light it." }],
  };
  const blueprint = await Blueprint.importFile(page, folder, JSON.stringify(plan));
  await blueprint.run();
  await blueprint.cardIn("Lamp", "Done").waitFor();

  // The list finds the session automatically.
  await page.getByRole("link", { name: "Sessions" }).click();
  const line = rowOf(page, "Claude Code");
  await line.getByRole("link", { name: /^Node in / }).click();
  await page.getByRole("heading", { name: "Lamp" }).waitFor();
  await page.getByText("The lantern is lit.").first().waitFor();

  await page.getByRole("link", { name: "Agent's transcript" }).click();
  await page
    .getByRole("feed", { name: "Timeline" })
    .getByText("The lantern is lit.")
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Open node" }).click();
  await page.getByRole("heading", { name: "Lamp" }).waitFor();
});

/** Restarts the server, so that only stored data remains. */
async function restart(page, server) {
  await server.kill();
  await startAgain(page, server);
}
