import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = (folder) => `baton: 1
title: Release
cwd: ${folder}
nodes:
  - {id: build, title: Build, kind: command, command: "until [ -e go ]; do sleep 0.1; done"}
  - {id: test, title: Test, kind: command, command: exit 7, dependsOn: [build]}
  - {id: publish, title: Publish, kind: command, command: "true", dependsOn: [test]}
`;

/** Returns the accessibility tree as lines, without indentation. */
async function ariaLines(locator) {
  return (await locator.ariaSnapshot()).split("\n").map((line) => line.trim());
}

journey(
  "a graph, its run and its failure are accessible to a screen reader",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    // Collects all announcements in order: a region may contain one after another.
    await page.evaluate(() => {
      window.announced = [];
      new MutationObserver(() => {
        for (const region of document.querySelectorAll("[aria-live=polite], [role=status]")) {
          const text = region.textContent?.trim();
          if (text && !window.announced.includes(text)) window.announced.push(text);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const graph = await ariaLines(page.getByRole("application", { name: "Blueprint graph" }));
    for (const line of [
      /Test depends on Build/,
      /group "Build, command/,
      /group "Publish, command/,
    ]) {
      assert.ok(
        graph.some((each) => line.test(each)),
        `${line} in\n${graph.join("\n")}`,
      );
    }

    await page.getByRole("button", { name: "Run all" }).focus();
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Ready to run" });
    await question.waitFor();
    assert.match(
      (await question.getAttribute("aria-describedby")) ?? "",
      /./,
      "the dialog has a description",
    );
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.textContent === "Run all");

    await blueprint.run();
    await blueprint.cardIn("Build", "Running").waitFor();
    await writeFile(path.join(folder, "go"), "");
    await blueprint.cardIn("Test", "Failed").waitFor();
    await page.waitForFunction(() =>
      window.announced.some((text) => text.includes("'Test' ended with exit code 7")),
    );
    const after = await ariaLines(page.getByRole("application", { name: "Blueprint graph" }));
    for (const line of [
      /group "Build, command, Done/,
      /group "Test, command, Failed, Exit code 7"/,
      /group "Publish, command, Blocked, “Test” did not succeed"/,
    ]) {
      assert.ok(
        after.some((each) => line.test(each)),
        `${line} in\n${after.join("\n")}`,
      );
    }
    const announced = await page.evaluate(() => window.announced);
    assert.ok(announced.length < 20, `too many announcements: ${announced.join(" | ")}`);
  },
);

journey("lists are tables with names and column headers", async ({ page }) => {
  await page.getByRole("row").nth(1).waitFor();
  const list = await ariaLines(page.getByRole("grid", { name: "Blueprints" }));
  for (const head of ["Title", "Review", "Last run", "Progress", "Started", "Directory"]) {
    assert.ok(
      list.some((line) => line.includes(`columnheader "${head}"`)),
      `${head} in\n${list.join("\n")}`,
    );
  }
  const rail = await ariaLines(page.getByRole("navigation", { name: "Pages" }));
  assert.deepEqual(
    rail.filter((line) => /^- (link|button)/.test(line)),
    [
      '- link "Blueprints":',
      '- link "Runs":',
      '- link "Sessions":',
      '- link "Inbox":',
      '- link "Statistics":',
      '- button "Theme"',
      '- link "Help":',
      '- link "Doctor":',
      '- link "Settings":',
    ],
  );
});
