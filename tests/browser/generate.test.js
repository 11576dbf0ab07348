import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import path from "node:path";
import { after } from "node:test";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { tabTo } from "./support/keys.js";
import { startAgain } from "./support/pages.js";
import { ScriptedModel } from "./support/scriptedModel.js";

const search = process.env.PATH;
const model = await ScriptedModel.start();
after(() => model.stop());

/** Fills in the form and starts the planner. */
async function ask({ page, folder }) {
  await page.getByRole("link", { name: "New blueprint" }).click();
  await page.getByRole("link", { name: /^Generate/ }).click();
  await page.getByLabel("Goal").fill("Greet everybody.");
  await page.getByLabel("Directory").fill(folder);
  assert.deepEqual(await seriousFaults(page), [], "the form");
  await page.getByRole("button", { name: "Generate blueprint" }).click();
}

journey("a goal becomes a blueprint that is edited, approved and run", async (each) => {
  const { page, folder } = each;
  await model.playScenario(each, "plan");
  await ask(each);
  await page.getByRole("button", { name: "Accept as draft" }).waitFor({ timeout: 90_000 });
  // The model's angle brackets are text, on the cards and in the reasons.
  await page.getByText("Two files, <script>alert(1)</script>.").waitFor();
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  assert.equal(await page.locator("img[src=x]").count(), 0, "nothing of it is HTML");
  assert.deepEqual(await seriousFaults(page), [], "the proposal");
  await page.getByRole("tab", { name: "Planner's session" }).click();
  await page.getByText("I looked at the directory and thought it through.").first().waitFor();
  assert.deepEqual(await seriousFaults(page), [], "the planner's session");

  await page.getByRole("button", { name: "Accept as draft" }).click();
  const blueprint = new Blueprint(page);
  await blueprint.card("Two").waitFor();
  await page.getByText("Draft", { exact: true }).first().waitFor();
  await blueprint.write("Two", "Command", "touch edited");
  await blueprint.run();
  await blueprint.cardIn("Check both", "Done").waitFor({ timeout: 90_000 });
  await blueprint.cardIn("<img src=x onerror=alert(1)>", "Done").waitFor();
  await access(path.join(folder, "edited"));
});

journey("a planner is canceled with only the keyboard, and can be retried", async (each) => {
  const { page, folder } = each;
  await model.playScenario(each, "hang");
  await tabTo(page, "link", "New blueprint");
  await page.keyboard.press("Enter");
  await tabTo(page, "link", /^Generate/);
  await page.keyboard.press("Enter");
  // The form takes the focus.
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type("Wait for ever.");
  await tabTo(page, "textbox", "Directory");
  await page.keyboard.type(folder);
  await tabTo(page, "button", "Generate blueprint");
  await page.keyboard.press("Enter");
  await page.getByText(/Claude Code is planning/).waitFor();
  assert.deepEqual(await seriousFaults(page), [], "the planner at work");
  await tabTo(page, "button", "Cancel planning");
  await page.keyboard.press("Enter");
  await page.getByText("Canceled", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Accept as draft" }).count(), 0);
});

journey("an answer with a cycle is repaired once, and the page says so", async (each) => {
  const { page } = each;
  await model.playScenario(each, "plan_repaired");
  await ask(each);
  await page.getByRole("button", { name: "Accept as draft" }).waitFor({ timeout: 90_000 });
  await page.getByRole("heading", { name: "Repaired once" }).waitFor();
  await page.getByText(/First → Second → First/).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
});

journey("an answer that stays invalid creates no blueprint, and shows the reason", async (each) => {
  const { page } = each;
  await model.playScenario(each, "plan_never");
  await ask(each);
  await page
    .getByText(/planner.s answer is invalid, and so is its correction/i)
    .waitFor({ timeout: 90_000 });
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("row").nth(1).waitFor();
  assert.equal(await page.getByRole("link", { name: "Circle" }).count(), 0);
});

journey(
  "without an installed agent the page offers other ways to start",
  async ({ page, server }) => {
    await server.kill();
    const found = process.env.PATH;
    process.env.PATH = (search ?? "")
      .split(path.delimiter)
      .filter((folder) => /^\/(usr\/)?s?bin$/.test(folder))
      .join(path.delimiter);
    try {
      await startAgain(page, server);
      await page.getByRole("link", { name: "New blueprint" }).click();
      await page.getByRole("link", { name: /^Generate/ }).click();
      await page.getByText("No agent installed").waitFor();
      assert.deepEqual(await seriousFaults(page), []);
      await page.getByRole("link", { name: "Choose template" }).click();
      await page.waitForURL(/from=template/);
      await page.getByRole("link", { name: /^Generate/ }).click();
      await page.getByRole("link", { name: "Import plan file" }).click();
      await page.waitForURL(/from=import/);
    } finally {
      process.env.PATH = found;
    }
  },
);
