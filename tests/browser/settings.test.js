import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { startAgain } from "./support/pages.js";

journey("the theme survives a restart of Baton", async ({ page, server }) => {
  await page.getByRole("link", { name: "Settings" }).click();
  const kept = page.waitForResponse("**/settings_save");
  await page.getByRole("radio", { name: "Dark" }).click();
  await kept;
  await page.locator("html[data-theme=dark]").waitFor();

  await server.kill();
  await startAgain(page, server);
  await page.locator("html[data-theme=dark]").waitFor();
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Light" }).click();
  await page.locator("html[data-theme=light]").waitFor();
});

journey("the third-party notices are a page of the settings", async ({ page }) => {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Third-party notices" }).click();
  const notices = page.getByRole("region", { name: "Third-party notices" });
  for (const name of ["serde", "react", "@fontsource-variable/inter"])
    await notices
      .getByText(new RegExp(`^${name} \\d`, "m"))
      .first()
      .waitFor();
  await notices.getByText("Permission is hereby granted").first().waitFor();
});

journey(
  "a missing agent shows how to install it, and a custom agent works",
  async ({ page, folder }) => {
    await page.getByRole("link", { name: "Settings" }).click();
    const agents = page.getByRole("group", { name: "Default agent" });
    await agents.getByText("npm install -g @anthropic-ai/claude-code").waitFor();

    await page.getByRole("button", { name: "Add agent" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an agent" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("echo");
    await dialog.getByRole("textbox", { name: "Program" }).fill("tee");
    await dialog.getByRole("textbox", { name: "Argument 1" }).fill("prompt");
    await dialog.getByRole("button", { name: "Add agent" }).click();
    await dialog.waitFor({ state: "detached" });
    await agents.getByText("Custom", { exact: true }).waitFor();

    const blueprint = await Blueprint.create(page, { title: "Own agent", directory: folder });
    await blueprint.place("agent", "Tell", { x: 420, y: 300 });
    await blueprint.write("Tell", "Prompt", "Say what you were told.");
    await blueprint.inspector.getByRole("combobox", { name: "Agent" }).click();
    await page.getByRole("option", { name: /^echo/ }).click();
    await blueprint.waitUntilSaved();
    await blueprint.run();
    await page.locator('.react-flow__node[aria-label^="Tell, agent, Done"]').waitFor();

    assert.match(await readFile(path.join(folder, "prompt"), "utf8"), /Say what you were told\./);
    await blueprint.inspector.getByRole("tab", { name: /^Attempts/ }).click();
    await blueprint.inspector.getByRole("link", { name: "Open timeline" }).click();
    await page.getByText("Say what you were told.").first().waitFor();
  },
);
