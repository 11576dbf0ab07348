import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { takeScreenshots } from "./support/screenshots.js";
import { ScriptedModel } from "./support/scriptedModel.js";

const model = await ScriptedModel.start();
after(() => model.stop());

/** @param {string} folder */
async function createRepository(folder) {
  const git = (...words) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: folder,
    });
  await git("init", "-q");
  await writeFile(path.join(folder, ".git/info/exclude"), "*.yaml\n");
  await writeFile(path.join(folder, "README.md"), "# Greetings\n");
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
}

journey(
  "a person comments on lines that an agent changed, and it receives them as one message",
  async (each) => {
    const { page, folder } = each;
    await createRepository(folder);
    const nodes = [{ id: "Write", title: "Write", agent: "claude", prompt: "Write a greeting." }];
    const plan = { baton: 1, title: "Greeting", cwd: folder, autonomy: 4, isolation: "worktree" };
    await model.playScenario(each, "write_bash");
    const blueprint = await Blueprint.importFile(page, folder, JSON.stringify({ ...plan, nodes }));
    await blueprint.run();
    await blueprint.cardIn("Write", "Done").waitFor({ timeout: 120_000 });

    await blueprint.select("Write");
    await blueprint.inspector.getByRole("tab", { name: /^Attempts/ }).click();
    await blueprint.inspector.getByRole("link", { name: "Review changes" }).click();
    await page.getByRole("heading", { name: "2 changed files" }).waitFor();
    const grid = page.getByRole("grid", { name: "Changes in hello.txt" });
    const line = grid.getByRole("row").filter({ hasText: "hello from the scripted model" });
    await line.focus();
    await page.keyboard.press("c");
    await page.keyboard.type("Say *good morning* instead.");
    await page.keyboard.press("Control+Enter");
    const review = page.getByRole("region", { name: "Review" });
    await review.getByText("1 comment", { exact: true }).waitFor();
    await takeScreenshots(page, "review");
    assert.deepEqual(await seriousFaults(page), []);

    // It restarts the server in a new document: neither loses a comment.
    await model.playScenario(each, "text");
    await page.getByText("good morning").waitFor();
    await review.getByRole("button", { name: "Send to claude…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send 1 comment to claude" });
    await dialog.getByLabel("Summary (optional)").fill("Nearly there.");
    await takeScreenshots(page, "send-review");
    assert.deepEqual(await seriousFaults(page), []);
    await dialog.getByRole("button", { name: "Send review" }).click();

    const timeline = page.getByRole("feed", { name: "Timeline" });
    const message = timeline.getByRole("article").filter({ hasText: "I reviewed your changes" });
    await message.getByText("Nearly there.").waitFor({ timeout: 90_000 });
    // Until the session has ended, new entries and facts move the message.
    await page.getByRole("button", { name: "Continue this session" }).waitFor({ timeout: 90_000 });
    await message.getByRole("button", { name: /^Show full prompt/ }).click();
    await message.getByText("Say good morning instead.").waitFor();
    const request = await model.requestContaining("Say *good morning* instead.");
    assert.match(request, /left 1 comment on 1 file/);
    assert.match(request, /```diff\\+n\+hello from the scripted model\\+n```/);
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByRole("combobox", { name: "Compare with" }).waitFor();
    await review.getByText("No comments", { exact: true }).waitFor();
  },
);
