import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { journey } from "./support/journey.js";
import { startAgain } from "./support/pages.js";

const count = 5_000;

/** Writes a long history of claude: one short session per file, one minute apart. */
async function writeAgentHistory(home) {
  const folder = path.join(home, ".claude/projects/-home-dev-harbour");
  await mkdir(folder, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const at = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
    const common = { sessionId, cwd: "/home/dev/harbour", version: "2.1.329", timestamp: at };
    const asked = { role: "user", content: `Paint boat number ${number}` };
    const text = number === 137 ? "The lighthouse keeper waves." : `Boat ${number} is blue now.`;
    const said = { id: `msg_${number}`, role: "assistant", model: "claude-opus-5-5" };
    const records = [
      { type: "user", uuid: `u${number}`, parentUuid: null, message: asked },
      {
        ...{ type: "assistant", uuid: `a${number}`, parentUuid: `u${number}` },
        message: {
          ...said,
          content: [{ type: "text", text }],
          usage: { input_tokens: 100, output_tokens: 20 },
        },
      },
    ];
    const lines = records.map((record) => `${JSON.stringify({ ...common, ...record })}\n`);
    await writeFile(path.join(folder, `${sessionId}.jsonl`), lines.join(""));
  }
}

journey("five thousand sessions are listed, scrolled through and searched", async (each) => {
  const { page, server } = each;
  await server.kill();
  await writeAgentHistory(path.dirname(server.data));
  await startAgain(page, server);
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("5,000 sessions", { exact: true }).waitFor({ timeout: 120_000 });
  const grid = page.getByRole("grid", { name: "Sessions" });
  await grid.getByText("Paint boat number 4999").waitFor();
  const drawn = await grid.getByRole("row").count();
  assert.ok(drawn < 120, `only visible rows are rendered, not ${drawn}`);
  assert.deepEqual(await seriousFaults(page), []);

  await grid.getByText("Paint boat number 4999").hover();
  await page.mouse.wheel(0, 10_000_000);
  await grid.getByText("Paint boat number 0", { exact: true }).waitFor();
  await page.mouse.wheel(0, -10_000_000);
  await grid.getByText("Paint boat number 4999").waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("lighthouse keeper");
  await page.getByText("1 match", { exact: true }).waitFor({ timeout: 120_000 });
  await grid.getByText("Paint boat number 137", { exact: true }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
});
