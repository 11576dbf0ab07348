import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { callOperation } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

/** Opens the palette with its key and returns its field. */
async function openPalette(page) {
  const field = page.getByRole("combobox", { name: "Commands" });
  // A page that was just rendered may miss keys, so they are repeated.
  for (let tries = 0; tries < 10 && !(await field.isVisible()); tries += 1) {
    await page.keyboard.press("Control+k");
    await field.waitFor({ timeout: 3_000 }).catch(() => undefined);
  }
  await field.waitFor();
  return field;
}

/** Waits until the first option of the palette contains a text. */
async function bestMatch(page, words) {
  await page.getByRole("option").first().filter({ hasText: words }).waitFor();
}

journey("text typed before the palette has loaded is kept", async ({ page }) => {
  await page.getByRole("heading", { name: "Blueprints" }).waitFor();
  let letCome;
  const typed = new Promise((resolve) => {
    letCome = resolve;
  });
  await page.route(/\/Palette-[^/]*\.js$/, async (route) => {
    await typed;
    await route.continue();
  });
  // The page loads the palette by itself, once it listens for keys; the one before did too.
  await page.reload({ waitUntil: "commit" });
  await page.waitForRequest(/\/Palette-[^/]*\.js$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("go to doctor");
  await page.keyboard.press("Enter");
  letCome();
  await page.waitForURL(/doctor/);
  await page.getByRole("heading", { name: "Doctor" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

journey("a long title leaves room for the second text of its row", async ({ page, server }) => {
  const tags = ["a tag that says a little more than it must", "weekly", "of the second edition"];
  for (const title of ["Harbour report", "Harbour at night ".repeat(25).trim()]) {
    const text = JSON.stringify({ baton: 1, title, tags, nodes: [] });
    await callOperation(server, "plan_import", { fileName: "p.json", text, cwd: null });
  }
  await page.getByRole("link", { name: "Harbour report", exact: true }).waitFor();
  await openPalette(page);
  await page.keyboard.type("harbour");
  const widthsOf = async (name) => {
    const texts = page.getByRole("option", { name }).locator("[title]");
    await texts.nth(1).waitFor();
    return texts.evaluateAll((each) => each.map(({ clientWidth }) => clientWidth));
  };
  const [title, second] = await widthsOf(/at night/);
  assert.ok(second > 150 && title >= second, `${title} and ${second} pixels`);
  const [, whole] = await widthsOf(/report/);
  assert.ok(whole > second, `a short title leaves the rest of the row: ${whole} pixels`);
});

journey(
  "a blueprint is created, run and found using only the palette",
  async ({ page, folder }) => {
    const { keyboard } = page;
    await page.getByRole("heading", { name: "Blueprints" }).waitFor();
    await openPalette(page);
    await keyboard.type("new bluepr");
    await bestMatch(page, "New blueprint");
    await keyboard.press("Enter");
    await page.getByLabel("Title").waitFor();
    await page.getByLabel("Title").focus();
    await keyboard.type("From the palette");
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.type(folder);
    await keyboard.press("Enter");
    const blueprint = new Blueprint(page);
    await page.getByRole("heading", { name: "Add the first node" }).waitFor();

    await openPalette(page);
    await keyboard.type("undo");
    await bestMatch(page, "Nothing to undo");
    await keyboard.press("Enter");
    await page.getByText("Undo: Nothing to undo").waitFor();
    await keyboard.press("Escape");

    await keyboard.press("n");
    await page.getByPlaceholder("Add a node").waitFor();
    await keyboard.type("shell");
    await keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Node title" }).waitFor();
    await keyboard.type("Greet");
    await keyboard.press("Enter");
    await blueprint.card("Greet").waitFor();
    await blueprint.inspector.getByRole("textbox", { name: "Command" }).focus();
    await keyboard.type("echo hello");
    await blueprint.waitUntilSaved();

    // Works in a text field, too.
    await openPalette(page);
    await keyboard.type("approve");
    await bestMatch(page, "Approve blueprint");
    await keyboard.press("Enter");
    await page.getByText("Approved", { exact: true }).waitFor();
    await openPalette(page);
    await keyboard.type("run all");
    await bestMatch(page, "Run all");
    await keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Ready to run" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).focus();
    await keyboard.press("Enter");
    await blueprint.cardIn("Greet", "Done").waitFor();

    await openPalette(page);
    await keyboard.type("show run");
    await bestMatch(page, "Show run");
    await keyboard.press("Enter");
    await page
      .getByRole("option")
      .filter({ hasText: /^#1 .*completed/ })
      .waitFor();
    await keyboard.type("blueprint only");
    await bestMatch(page, "Blueprint only");
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "No run shown" }).waitFor();

    await openPalette(page);
    await keyboard.type("go to stat");
    await bestMatch(page, "Go to Statistics");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Statistics" }).waitFor();
    // The opened blueprint is at the top, also after a reload, and the last command before it.
    await page.reload();
    await page.getByRole("heading", { name: "Statistics" }).waitFor();
    await openPalette(page);
    const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
    await recent.first().filter({ hasText: "Go to Statistics" }).waitFor();
    await recent.filter({ hasText: "From the palette" }).waitFor();
    await keyboard.type("palette from");
    await bestMatch(page, "From the palette");
    await keyboard.press("Enter");
    await blueprint.card("Greet").waitFor();
  },
);

journey("a shortcut is changed, and every window follows", async ({ page, server, folder }) => {
  await Blueprint.create(page, { title: "Keys", directory: folder });
  const blueprint = new Blueprint(page);
  await blueprint.place("command", "One", { x: 420, y: 260 });
  await blueprint.waitUntilSaved();
  const other = await page.context().newPage();
  await other.goto(server.address);
  await openPalette(other);
  await other.keyboard.type("change keys");
  await bestMatch(other, "Change keyboard shortcuts");
  await other.keyboard.press("Enter");
  await other.getByRole("searchbox", { name: "Search shortcuts" }).fill("zoom fit");
  await other.getByRole("button", { name: "Add shortcut for Zoom to fit" }).click();
  await other.keyboard.press("Control+t");
  await other.getByText("Ctrl+T is reserved by the browser").waitFor();
  await other.keyboard.press("Control+d");
  await other.getByText("is already assigned to “Duplicate”").waitFor();
  await other.getByRole("button", { name: "Reassign" }).click();
  await other.getByRole("button", { name: "Remove Ctrl+D from Zoom to fit" }).waitFor();

  // The shortcut list in the window that stayed open shows the new bindings.
  await page.bringToFront();
  await blueprint.card("One").focus();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const row = keys
    .locator("div")
    .filter({ has: page.getByText("Zoom to fit", { exact: true }) })
    .last();
  await row.getByText("D", { exact: true }).waitFor();
  await keys.getByRole("textbox", { name: "Search shortcuts" }).fill("duplicate");
  await keys.getByText("No matches").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });

  await blueprint.card("One").focus();
  await page.keyboard.press("Control+d");
  assert.equal(
    await page.locator(".react-flow__node").count(),
    1,
    "the old command has lost its key",
  );
  const zoom = () => page.getByRole("toolbar", { name: "Graph view" }).textContent();
  await page.keyboard.press("0");
  await page.getByRole("toolbar", { name: "Graph view" }).getByText("100%").waitFor();
  for (let times = 0; times < 4; times += 1) await page.keyboard.press("-");
  await page.waitForFunction(
    () =>
      !document
        .querySelector("[role=toolbar][aria-label='Graph view']")
        ?.textContent?.includes("100%"),
  );
  await page.keyboard.press("Control+d");
  await page.getByRole("toolbar", { name: "Graph view" }).getByText("100%").waitFor();
  assert.match((await zoom()) ?? "", /100%/);

  await other.bringToFront();
  await other.getByRole("button", { name: "Reset all shortcuts" }).click();
  await other
    .getByRole("dialog")
    .or(other.getByRole("alertdialog"))
    .getByRole("button", { name: "Reset all shortcuts" })
    .click();
  await page.bringToFront();
  await page.keyboard.press("?");
  await keys.getByText("Duplicate", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await blueprint.card("One").click();
  await page.keyboard.press("Control+d");
  await page.locator(".react-flow__node").nth(1).waitFor();
});

journey(
  "a running plan can be edited, and the page says when the change takes effect",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.create(page, { title: "Long", directory: folder });
    await blueprint.place("command", "Wait", { x: 420, y: 260 });
    await blueprint.place("command", "After", { x: 420, y: 420 });
    await blueprint.write("Wait", "Command", "while [ ! -e go ]; do sleep 0.1; done");
    await blueprint.write("After", "Command", "echo after");
    await blueprint.connect("Wait", "After");
    await blueprint.run();
    await blueprint.cardIn("Wait", "Running").waitFor();
    const row = page.getByText(/This run uses version \d+/);
    assert.equal(await row.count(), 0, "nothing was edited yet");

    await blueprint.write("After", "Command", "echo something else");
    await row.waitFor();
    await page.getByText("take effect in the next run: 1 node changed").waitFor();
    await blueprint.inspector.getByText(/Your change takes effect in the next run/).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Commands" }).waitFor();
    await page.keyboard.type("delete blue");
    await bestMatch(page, "A run is active; stop it first");
    await page.keyboard.press("Escape");

    // An undo step works during a run; after it, the run matches the plan again.
    await blueprint.card("Wait").click();
    await page.getByRole("button", { name: /^Undo / }).click();
    await row.waitFor({ state: "detached" });
    await writeFile(path.join(folder, "go"), "");
    await blueprint.cardIn("After", "Done").waitFor();
  },
);
