import assert from "node:assert/strict";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

for (const theme of ["Light", "Dark", "High contrast"]) {
  journey(
    `no page has serious faults of access, theme ${theme.toLowerCase()}`,
    async ({ page, folder }) => {
      const faults = [];
      const judge = async (where) => {
        faults.push(...(await seriousFaults(page)).map((fault) => `${where}: ${fault}`));
      };
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("radio", { name: theme, exact: true }).click();
      await page.getByRole("button", { name: "Add agent" }).waitFor();
      await judge("settings");
      await page.getByRole("link", { name: "Blueprints" }).first().click();
      await page.getByRole("row").nth(1).waitFor();
      await judge("list");
      await page.getByRole("link", { name: "New blueprint" }).click();
      await page.getByRole("button", { name: "Create blueprint" }).waitFor();
      await judge("new");

      const blueprint = await Blueprint.create(page, { title: "Access", directory: folder });
      await judge("empty blueprint");
      await blueprint.place("command", "Good", { x: 420, y: 260 });
      await blueprint.place("command", "Bad", { x: 420, y: 400 });
      await blueprint.write("Good", "Command", "echo good");
      await blueprint.write("Bad", "Command", "exit 1");
      await blueprint.run();
      await blueprint.cardIn("Good", "Done").waitFor();
      await blueprint.cardIn("Bad", "Failed").waitFor();
      await blueprint.select("Good");
      for (const tab of ["Task", "Handoff", /^Attempts/]) {
        await blueprint.inspector.getByRole("tab", { name: tab }).click();
        await judge(`inspector ${tab}`);
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      await judge("palette");
      await page.keyboard.type("tidy");
      await page.getByRole("option").first().filter({ hasText: "Tidy" }).waitFor();
      await judge("palette, searching");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Keys" }).click();
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await judge("list of keys");
      await page.keyboard.press("Escape");
      await page.getByRole("radio", { name: "List" }).click();
      await judge("outline");
      await page.getByRole("link", { name: "Open timeline" }).click();
      await page.getByText("good", { exact: true }).waitFor();
      await judge("timeline");
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("link", { name: "Change keys" }).click();
      await page.getByRole("button", { name: "Add keys to Undo", exact: true }).waitFor();
      await judge("keys");
      assert.deepEqual(faults, []);
    },
  );
}
