/** The server is killed and started again under an open page, which is never reloaded. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addressOf, callOperation, storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";
import { goTo } from "./support/pages.js";

const banner = (page) => page.getByText("Reconnecting…");

/** Kills the server, and waits until the page says so. */
async function loseServer(page, server) {
  await server.kill();
  await banner(page).waitFor();
}

/** Starts the server again, and waits until the page has found it. */
async function bringServerBack(page, server) {
  const { origin } = new URL(server.address);
  const address = await server.start();
  assert.equal(new URL(address).origin, origin, "the server is at the same address again");
  await banner(page).waitFor({ state: "detached" });
}

/** Marks the document, to notice a reload. */
async function markDocument(page) {
  await page.evaluate(() => {
    document.documentElement.dataset.restartTest = "same";
  });
}

async function assertSameDocument(page) {
  const mark = await page.evaluate(() => document.documentElement.dataset.restartTest);
  assert.equal(mark, "same", "the page was not reloaded");
}

journey("an edit made while the server is away is saved", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.create(page, {
    title: "Away",
    directory: folder,
  });
  await blueprint.place("command", "One", { x: 420, y: 260 });
  await blueprint.waitUntilSaved();
  await markDocument(page);

  // Killed in the middle of a drag: what is dropped afterwards counts.
  const box = await blueprint.card("One").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + 80, { steps: 4 });
  await loseServer(page, server);
  await page.mouse.move(box.x + box.width / 2 + 120, box.y + 172, {
    steps: 4,
  });
  await page.mouse.up();
  await blueprint.place("command", "Two", { x: 760, y: 260 });
  await page.getByRole("status").filter({ hasText: "Not saved, retrying" }).waitFor();

  await bringServerBack(page, server);
  await blueprint.waitUntilSaved();
  const plan = JSON.parse(await storedPlan(page, server));
  assert.deepEqual(plan.nodes.map((node) => node.title).sort(), ["One", "Two"]);
  await assertSameDocument(page);

  await page.reload();
  await blueprint.card("Two").waitFor();
});

const prompted = (folder) => `baton: 1
title: Prompts
cwd: ${folder}
nodes:
  - {id: lamp, title: Lamp, kind: agent, prompt: Light}
`;

journey("what is typed while the server dies is saved", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, prompted(folder));
  await blueprint.select("Lamp");
  const { inspector } = blueprint;
  const prompt = inspector.getByRole("textbox", { name: "Prompt", exact: true });
  await prompt.press("ControlOrMeta+End");
  await page.keyboard.type(" the");
  await loseServer(page, server);
  await page.keyboard.type(" harbor.");
  const title = inspector.getByRole("textbox", { name: "Title", exact: true });
  await title.fill("Great lamp");
  await bringServerBack(page, server);
  await title.press("End");
  await page.keyboard.type("s");
  await title.press("Tab");
  await blueprint.waitUntilSaved();
  const [node] = JSON.parse(await storedPlan(page, server)).nodes;
  assert.equal(node.title, "Great lamps");
  assert.match(JSON.stringify(node.kind), /Light the harbor\./);
});

journey("own notes survive a panel closed without the server", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, prompted(folder));
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1] ?? "";
  const notes = page.getByRole("textbox", { name: "Your notes" });
  // Loads the inspector, which a page can't do without the server.
  await blueprint.select("Lamp");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Advanced/ }).click();
  await notes.waitFor();
  await loseServer(page, server);
  await notes.fill("Ask Ann");
  await blueprint.select("Lamp");
  await notes.waitFor({ state: "hidden" });
  await bringServerBack(page, server);

  await page.reload();
  await blueprint.card("Lamp").waitFor();
  await page.keyboard.press("Escape");
  await notes.waitFor();
  assert.equal(await notes.inputValue(), "Ask Ann");
  for (const until = Date.now() + 30_000; ; await pause(20)) {
    const { plans } = await callOperation(server, "enrichments_get");
    if (plans[id]?.notes === "Ask Ann") break;
    assert.ok(Date.now() < until, "the notes were not saved");
  }
});

journey("an edit outlives a page that was closed unsaved", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.create(page, {
    title: "Closed",
    directory: folder,
  });
  await blueprint.place("command", "One", { x: 420, y: 260 });
  await blueprint.waitUntilSaved();
  const place = page.url().split("#")[1];
  await loseServer(page, server);
  await blueprint.place("command", "Two", { x: 760, y: 260 });
  await page.waitForFunction(() =>
    Object.keys(localStorage).some(
      (key) => key.includes("/plan/") && localStorage[key].includes('"Two"'),
    ),
  );
  const second = await page.context().newPage();
  await page.close();

  await server.start();
  await second.goto(addressOf(server, place));
  const again = new Blueprint(second);
  await again.card("Two").waitFor();
  await second.getByText("Unsaved changes restored", { exact: true }).waitFor();
  await again.waitUntilSaved();
  const plan = JSON.parse(await storedPlan(second, server));
  assert.deepEqual(plan.nodes.map((node) => node.title).sort(), ["One", "Two"]);
});

const waiting = (folder) => `baton: 1
title: Questions
cwd: ${folder}
nodes:
  - id: ask
    title: Pick a name
    kind: user_input
    question: What should the release be called?
    inputType: text
  - id: wait
    title: Wait for the file
    kind: command
    command: until [ -e go ]; do sleep 0.1; done
`;

journey("a run and a typed answer survive the server", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, waiting(folder));
  await blueprint.run();
  await blueprint.cardIn("Wait for the file", "Running").waitFor();
  await blueprint.cardIn("Pick a name", "Waiting for you").waitFor();
  await page.getByRole("link", { name: "Inbox, 1 waiting" }).click();
  const answer = page.getByRole("textbox", { name: "Answer", exact: true });
  await answer.fill("Harbor");
  await markDocument(page);

  await loseServer(page, server);
  assert.equal(await answer.inputValue(), "Harbor");
  await answer.press("Enter");
  await page.getByText("so nothing was changed").waitFor();
  await bringServerBack(page, server);
  await assertSameDocument(page);

  // A crash of the page doesn't lose the answer either.
  await page.reload();
  assert.equal(await answer.inputValue(), "Harbor");
  await answer.press("Enter");
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();

  await writeFile(path.join(folder, "go"), "");
  await page.getByRole("link", { name: "Blueprints" }).first().click();
  await page.getByRole("link", { name: "Questions" }).click();
  await blueprint.cardIn("Pick a name", "Done").waitFor();
  await blueprint.cardIn("Wait for the file", "Done").waitFor();
  assert.ok(existsSync(path.join(folder, "go")));
});

/** Starts a planner that proposes nothing, and waits for its end. */
async function failToPlan(server, folder) {
  const planner = { id: "silent", command: ["true"], protocol: "plain" };
  await callOperation(server, "agent_save", planner);
  const wish = { goal: "Light it.", cwd: folder, agent: "silent", model: null, constraints: [] };
  const { id } = (await callOperation(server, "plan_generate", wish)).summary;
  for (const until = Date.now() + 60_000; ; await pause(20)) {
    const { summary } = await callOperation(server, "proposal_get", { proposal: id });
    if (summary.state.state === "failed") return id;
    assert.ok(Date.now() < until, `the proposal is ${JSON.stringify(summary.state)}`);
  }
}

/** Runs a blueprint with one node twice, without the page. */
async function runTwice(server, folder) {
  const text = `baton: 1\ntitle: Twice\ncwd: ${folder}\nnodes:\n  - {id: lamp, title: Lamp, kind: command, command: echo lit}\n`;
  const { plan: imported } = await callOperation(server, "plan_import", {
    ...{ fileName: "twice.yaml", text, cwd: null },
  });
  const { plan, revision } = imported;
  await callOperation(server, "plan_approve", { plan: plan.id, revision, anyway: false });
  const goal = { want: "all" };
  const runs = [];
  for (let count = 0; count < 2; count += 1) {
    const start = { plan: plan.id, goal, limit: null };
    const { summary } = await callOperation(server, "run_start", start);
    for (const until = Date.now() + 60_000; ; await pause(20)) {
      const found = await callOperation(server, "run_get", { run: summary.id });
      if (found.summary.state.state === "completed") {
        runs.push(found);
        break;
      }
      assert.ok(Date.now() < until, "the run did not end");
    }
  }
  const [{ summary: run, nodes }, { summary: other }] = runs;
  return { run, other, node: nodes[0].node, session: nodes[0].session };
}

journey("no page is stranded, and each follows what changes", async ({ page, server, folder }) => {
  const blueprint = await Blueprint.importFile(page, folder, waiting(folder));
  const id = /\/blueprints\/([\w-]+)/.exec(page.url())?.[1];
  await blueprint.card("Pick a name").waitFor();
  const { run, other, node, session } = await runTwice(server, folder);
  const proposal = await failToPlan(server, folder);
  await markDocument(page);
  const places = [
    "/blueprints",
    "/blueprints/new",
    `/blueprints/${id}`,
    `/blueprints/${id}/compare`,
    `/blueprints/${id}/versions`,
    `/blueprints/${run.plan}/nodes/${node}`,
    "/runs",
    `/runs/compare?a=${run.id}&b=${other.id}`,
    "/inbox",
    `/proposals/${proposal}`,
    "/sessions",
    `/session/${session}`,
    `/session/${session}?view=changes`,
    "/statistics",
    "/doctor",
    "/settings",
    "/settings/keys",
    "/settings/licenses",
    "/help",
  ];
  for (const place of places) {
    await goTo(page, place);
    const heading = page.getByRole("heading").first();
    // The page between two places keeps its heading until the next one is rendered, and a page
    // has a plain heading until it knows what it shows.
    await heading.filter({ hasNotText: /^(Page not found|Node timeline|Session)$/ }).waitFor();
    const before = await heading.innerText();
    await loseServer(page, server);
    assert.equal(await heading.innerText(), before, `${place} keeps what it showed`);
    await bringServerBack(page, server);
    assert.equal(await heading.innerText(), before, `${place} is there again`);
    await assertSameDocument(page);
  }
  // The stream of changes is followed again.
  await goTo(page, "/blueprints");
  await callOperation(server, "plan_create", {
    title: "Made elsewhere",
    description: "",
    cwd: null,
  });
  await page.getByRole("link", { name: "Made elsewhere" }).waitFor();
});

journey("a page opens for the first time while the server is away", async ({ page, server }) => {
  await page.getByRole("heading", { name: "Blueprints" }).waitFor();
  // Pages are loaded in advance, the last one at the end.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/HelpPage")),
  );
  await loseServer(page, server);
  await goTo(page, "/help");
  await page.getByRole("heading", { name: "Help", exact: true }).first().waitFor();
  await bringServerBack(page, server);
});

journey(
  "an address opens in a second tab, and no page shows the token",
  async ({ page, server }) => {
    const token = /token=([\w-]+)/.exec(server.address)?.[1];
    assert.ok(token);
    await page.getByRole("heading", { name: "Blueprints" }).waitFor();
    const second = await page.context().newPage();
    await second.goto(addressOf(server, "/settings"));
    await second.getByRole("heading", { name: "Settings", exact: true }).waitFor();
    for (const each of [page, second]) {
      assert.ok(!each.url().includes(token));
      assert.ok(!(await each.content()).includes(token));
    }

    // Somebody may leave out the `#`.
    await second.goto(`${new URL(server.address).origin}/runs?state=failed`);
    await second.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    assert.match(second.url(), /\/#\/runs\?state=failed$/);

    // An address that is typed into an open page is read.
    await goTo(second, "/statistics");
    await second.getByRole("heading", { name: "Statistics", exact: true }).waitFor();
  },
);
