import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("runs are counted, and the page is readable in every theme", async ({ page, folder }) => {
  await page.getByRole("link", { name: "Statistics" }).click();
  await page.getByText("No runs yet").waitFor();
  assert.deepEqual(await seriousFaults(page), []);

  const blueprint = await Blueprint.create(page, { title: "Counted", directory: folder });
  await blueprint.place("command", "Good", { x: 420, y: 260 });
  await blueprint.place("command", "Bad", { x: 420, y: 400 });
  await blueprint.write("Good", "Command", "echo good");
  await blueprint.write("Bad", "Command", "exit 7");
  await blueprint.run();
  await blueprint.cardIn("Good", "Done").waitFor();
  await blueprint.cardIn("Bad", "Failed").waitFor();

  await page.getByRole("link", { name: "Statistics" }).click();
  const nodes = page.getByRole("table", { name: "Attempts by kind" });
  const attempts = nodes.getByRole("img", { name: "2 attempts: 1 done, 1 failed" });
  await attempts.waitFor();
  await page
    .getByRole("region", { name: "Why attempts failed" })
    .getByText("Ended with exit code 7.")
    .waitFor();

  const chart = page.getByRole("slider", { name: "Runs" });
  await chart.focus();
  await page.keyboard.press("End");
  await page.getByText(/: 1 run: 1 failed$/).waitFor();
  await page.keyboard.press("Home");
  await page.getByText(/: 0 runs$/).waitFor();

  await page.getByRole("combobox", { name: "Blueprint" }).click();
  await page.getByRole("option", { name: "Check this machine" }).click();
  await page.getByText("No runs in this period").waitFor();
  await page.getByRole("button", { name: "Show all blueprints" }).click();
  await attempts.waitFor();

  for (const theme of ["light", "dark", "contrast"]) {
    await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
    }, theme);
    assert.deepEqual(await seriousFaults(page), [], theme);
  }
  await page.getByRole("link", { name: "Show latest: Ended with exit code 7." }).click();
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("heading", { name: "Bad", exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "1 failed run of Counted" }).click();
  await page.getByText("1 match", { exact: true }).waitFor();
  await page
    .getByRole("combobox", { name: "Period" })
    .getByText(/^Since /)
    .waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Counted", exact: true }).click();
  await page.getByRole("region", { name: "Palette" }).waitFor();
});
