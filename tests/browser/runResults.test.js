import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { goTo } from "./support/pages.js";

const plan = `
baton: 1
title: Release
cwd: FOLDER
nodes:
  - {id: pack, title: Pack, kind: command, command: sh pack.sh, dependsOn: [build]}
  - {id: build, title: Build, kind: command, command: sh build.sh}
`;
const build = `echo 'fn main() {}' > main.rs
echo '**41 passed**' >> "$BATON_SUMMARY"
`;

journey(
  "the results of a run are in one place, and lead to its nodes, files and card",
  async ({ page, folder }) => {
    await writeFile(path.join(folder, "build.sh"), build);
    await writeFile(path.join(folder, "pack.sh"), `echo Packed >> "$BATON_SUMMARY"\n`);
    const blueprint = await Blueprint.importFile(page, folder, plan.replace("FOLDER", folder));
    await blueprint.run();
    await blueprint.cardIn("Pack", "Done").waitFor();

    const tab = page.getByRole("tab", { name: "Summaries" });
    if (!(await tab.isVisible()))
      await page.getByRole("button", { name: "Timeline and history" }).click();
    await tab.click();
    const summaries = page.getByRole("region", { name: /^Summary of/ });
    await summaries.nth(1).waitFor();
    const texts = await summaries.allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.split(/\s*\n\s*/)),
      [
        ["Build", "41 passed"],
        ["Pack", "Packed"],
      ],
    );
    const note = page.getByRole("region", { name: "Your note" });
    await note.getByRole("button", { name: "Add a note to this run" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("The **release** of Friday");
    await page.keyboard.press("Control+Enter");
    await note.locator("strong").getByText("release").waitFor();
    assert.deepEqual(await seriousFaults(page), []);

    await summaries.first().getByRole("button", { name: "Build" }).click();
    const files = blueprint.inspector.getByRole("list", { name: "Files that changed" });
    await files.getByRole("button", { name: "main.rs" }).click();
    const dialog = page.getByRole("dialog", { name: "main.rs" });
    await dialog.locator(".code-keyword").getByText("fn").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await goTo(page, "/blueprints");
    await page.getByRole("radio", { name: "Cards" }).click();
    const card = page.getByRole("gridcell").filter({ hasText: "Release" });
    await card.locator("rect[data-state=done]").nth(1).waitFor();
    assert.equal(await card.locator("rect").count(), 2);

    await goTo(page, "/runs");
    const row = page.getByRole("row").filter({ hasText: "#1" });
    await row.getByText("The **release** of Friday").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
  },
);
