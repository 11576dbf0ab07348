import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { seriousFaults } from "./support/axe.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = (folder) => `baton: 1
title: Christening
cwd: ${folder}
nodes:
  - id: ask
    title: Pick a name
    kind: user_input
    question: What should the release be called?
    inputType: text
  - id: write
    title: Write it down
    kind: command
    dependsOn: [ask]
    command: echo {{nodes.ask.outputs.answer}} > name
`;

journey(
  "a person answers a node from the Inbox, and the run continues",
  async ({ page, folder }) => {
    const blueprint = await Blueprint.importFile(page, folder, plan(folder));
    await blueprint.run();
    await blueprint.cardIn("Pick a name", "Waiting for you").waitFor();

    await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
    const item = page.getByRole("article", { name: /^What should the release be called\?/ });
    await item.waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await item.getByRole("link", { name: "Pick a name" }).click();
    await blueprint.inspector.getByRole("heading", { name: "Pick a name", exact: true }).waitFor();
    await blueprint.inspector.getByRole("textbox", { name: "Answer", exact: true }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await page.goBack();

    const answer = item.getByRole("textbox", { name: "Answer", exact: true });
    await answer.press("Enter");
    await item.getByText("Enter an answer.").waitFor();
    await answer.fill("Harbour");
    await answer.press("Enter");
    await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();

    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await page.getByRole("link", { name: "Christening" }).click();
    await blueprint.cardIn("Write it down", "Done").waitFor();
    assert.equal(await readFile(path.join(folder, "name"), "utf8"), "Harbour\n");
  },
);

journey("the number of waiting items is beside the Inbox icon", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, plan(folder));
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).waitFor();
  await page.route(/\binbox_list\b/, async (route) => {
    const response = await route.fetch();
    const [item] = await response.json();
    const items = Array.from({ length: 120 }, (_, at) => ({ ...item, since: item.since + at }));
    await route.fulfill({ response, json: items });
  });
  await page.reload();
  const link = page.getByRole("link", { name: "Inbox, 120 waiting" });
  const [icon, number] = await Promise.all([
    link.locator("svg").boundingBox(),
    link.getByText("99+").boundingBox(),
  ]);
  assert.ok(icon && number);
  assert.ok(number.y + number.height <= icon.y, "the number is above the icon");
  assert.ok(number.x >= 0 && number.x + number.width <= 48, "the number is in the rail");
});

const gated = (folder) => `baton: 1
title: Gates
cwd: ${folder}
autonomy: 0
nodes:
  - {id: good, title: Good, kind: command, command: touch good}
  - {id: bad, title: Bad, kind: command, command: touch bad}
`;

journey("nodes are approved and rejected with keys", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, gated(folder));
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 2 waiting" }).click();
  await page.getByRole("article", { name: /Good in Gates$/ }).focus();
  await page.keyboard.press("a");
  await page.locator("button:focus", { hasText: "Approve" }).waitFor();
  await page.keyboard.press("Enter");
  // The remaining item gets the focus.
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).waitFor();
  await page.locator("article:focus", { hasText: "Bad" }).waitFor();
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();

  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("link", { name: "Gates" }).click();
  await blueprint.cardIn("Good", "Done").waitFor();
  await blueprint.cardIn("Bad", "Skipped").waitFor();
});

const colored = (folder) => `baton: 1
title: Paint
cwd: ${folder}
nodes:
  - {id: ask, title: Pick a color, kind: user_input, question: Which color?, inputType: choice, options: [blue, green]}
  - {id: write, title: Write it down, kind: command, dependsOn: [ask], command: "echo {{nodes.ask.outputs.answer}} > color"}
  - {id: other, title: Pick another, kind: user_input, question: And the frame?, inputType: choice, options: [oak, steel]}
`;

journey("number keys answer questions", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, colored(folder));
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 2 waiting" }).click();
  await page.getByRole("article", { name: /^Which color\?/ }).focus();
  await page.keyboard.press("2");
  await page.locator("article:focus", { hasText: "And the frame?" }).waitFor();

  await page.getByRole("link", { name: "Pick another" }).click();
  const question = blueprint.inspector.getByRole("region", { name: "Question from this node" });
  await question.getByRole("radio", { name: "oak" }).focus();
  await page.keyboard.press("1");
  await blueprint.cardIn("Pick another", "Done").waitFor();
  await blueprint.cardIn("Write it down", "Done").waitFor();
  assert.equal(await readFile(path.join(folder, "color"), "utf8"), "green\n");
});

journey("a snoozed item is hidden until later, also after a reload", async ({ page, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, plan(folder));
  await blueprint.run();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
  const item = page.getByRole("article", { name: /^What should the release be called\?/ });
  await item.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("menuitem", { name: /^Next week/ }).click();
  const snoozed = page.getByRole("region", { name: "Snoozed 1" });
  await snoozed.waitFor();
  assert.equal(await item.count(), 0);
  assert.deepEqual(await seriousFaults(page), []);
  await page.reload();
  await snoozed.waitFor();
  await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
  await snoozed.getByRole("button", { name: /^Show now/ }).click();
  await item.waitFor();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).waitFor();
});
