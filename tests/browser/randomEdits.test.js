import assert from "node:assert/strict";
import { storedPlan } from "./support/api.js";
import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

const plan = `baton: 1
title: Anything goes
nodes:
  - {id: fetch, title: Fetch, kind: command, command: "true", position: {x: 0, y: 0}}
  - {id: fork, title: Fork, kind: condition, condition: "true", trueStep: build, falseStep: spare, dependsOn: [fetch], position: {x: 300, y: 0}}
  - {id: build, title: Build, kind: command, command: "true", position: {x: 600, y: 0}}
  - {id: ship, title: Ship, kind: command, command: "true", dependsOn: [build], position: {x: 900, y: 0}}
  - {id: spare, title: Spare, kind: command, command: "true", position: {x: 600, y: 200}}
  - {id: remark, title: Remark, kind: note, text: "Remember", position: {x: 0, y: 200}}
groups:
  - {title: Making, color: purple, nodes: [build, spare]}
`;

const count = Number(process.env.BATON_TEST_ACTS ?? 60);
const seed = Number(process.env.BATON_TEST_SEED ?? 20);

// For a longer manual test: BATON_TEST_ACTS=200, and BATON_TEST_SEED for another order.
journey(
  "edits in random order are undone to the first plan and redone to the last",
  async ({ page, server, folder }) => {
    console.log(`${count} edits with BATON_TEST_SEED=${seed}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const laidOut = layoutsSettled(page);
    const blueprint = await Blueprint.importFile(page, folder, plan);
    await blueprint.card("Fetch").waitFor();
    const first = await storedPlan(page, server);

    const random = createRandom(seed);
    const done = [];
    for (let times = 0; times < count; times += 1) {
      const [name, act] = edits[Math.floor(random() * edits.length)];
      // After repeated doubling, rendering would take all the time.
      const full = grows.has(name) && (await page.locator(".react-flow__node").count()) > mostCards;
      done.push(full ? "Delete" : name);
      await (full ? page.keyboard.press("Delete") : act(page, random));
      await backToGraph(page);
      await laidOut();
    }
    // Edits that were undone last are redone first.
    await undoOrRedoAll(page, "Redo");
    await blueprint.waitUntilSaved();
    const last = await storedPlan(page, server);
    const said = `seed ${seed}: ${done.join(", ")}`;
    assert.notEqual(last, first, said);

    assert.ok((await undoOrRedoAll(page, "Undo")) > count / 10, `the edits have effects; ${said}`);
    await blueprint.waitUntilSaved();
    assert.equal(await storedPlan(page, server), first, said);
    await undoOrRedoAll(page, "Redo");
    await blueprint.waitUntilSaved();
    assert.equal(await storedPlan(page, server), last, said);
  },
);

const mostCards = 30;
const grows = new Set(["Control+d", "Control+v", "Control+Shift+v"]);

/** Undoes or redoes everything. Returns the minimum number of steps. */
async function undoOrRedoAll(page, verb) {
  const nothing = page.getByRole("button", {
    name: `Nothing to ${verb.toLowerCase()}`,
    exact: true,
  });
  const several = 5;
  let steps = 0;
  for (; (await nothing.count()) === 0; steps += several)
    for (let times = 0; times < several; times += 1) await page.keyboard.press(keys[verb]);
  return steps;
}

const keys = { Undo: "Control+z", Redo: "Control+Shift+z" };

const kinds = ["agent", "command", "condition", "note", "user input"];

/** @type {[string, (page: import("playwright-core").Page, chance: () => number) => Promise<void>][]} */
const edits = [
  ...["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowLeft"].map(
    press,
  ),
  ...["ArrowRight", "ArrowDown", "Control+a", "Escape"].map(press),
  ...[
    "Control+d",
    "Control+d",
    "Delete",
    "Control+Delete",
    "d",
    "Control+g",
    "Control+Shift+g",
  ].map(press),
  ...["Control+c", "Control+x", "Control+v", "Control+Shift+v", "Shift+Alt+t", "Shift+Alt+k"].map(
    press,
  ),
  ...["Control+z", "Control+z", "Control+Shift+z", "Alt+g", "Shift+Alt+g"].map(press),
  [
    "add",
    async (page, random) => {
      await page.keyboard.press("n");
      await page.keyboard.type(kinds[Math.floor(random() * kinds.length)]);
      await page.keyboard.press("Enter");
      await enterTitle(page, random);
    },
  ],
  [
    "replace",
    async (page, random) => {
      await page.keyboard.press("r");
      if (!(await page.getByPlaceholder("Replace with").isVisible())) return;
      await page.keyboard.type(kinds[Math.floor(random() * 3)]);
      await page.keyboard.press("Enter");
    },
  ],
  [
    "rename",
    async (page, random) => {
      await page.keyboard.press("F2");
      await enterTitle(page, random);
    },
  ],
  [
    "connect",
    async (page) => {
      for (const key of ["c", "ArrowRight", "Enter", "c", "ArrowDown", "Enter"])
        await page.keyboard.press(key);
    },
  ],
  ...[
    "align left",
    "align middles",
    "distribute horizontally",
    "make the selected edges soft",
    "tidy selection",
  ].map(runCommand),
];

function press(key) {
  return [key, (page) => page.keyboard.press(key)];
}

function runCommand(words) {
  return [
    words,
    async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Commands" }).fill(words);
      await page
        .getByRole("option")
        .first()
        .filter({ hasText: new RegExp(words, "i") })
        .waitFor();
      await page.keyboard.press("Enter");
    },
  ];
}

async function enterTitle(page, random) {
  const title = page.getByRole("textbox", { name: "Node title" });
  if (!(await title.isVisible())) return;
  await title.fill(`Node ${Math.floor(random() * 1000)}`);
  await title.press("Enter");
}

/** Closes what an action opened, so that the next key goes to the graph. */
async function backToGraph(page) {
  const field = () =>
    document.activeElement?.matches("input, textarea, [contenteditable=true]") === true;
  for (let tries = 0; tries < 3 && (await page.evaluate(field)); tries += 1)
    await page.keyboard.press("Escape");
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/**
 * Waits until every requested layout has arrived. Edits made before that would be kept, but the order of the steps
 * would be random.
 */
function layoutsSettled(page) {
  const asked = new Set();
  page.on("request", (request) => {
    if (request.url().endsWith("/plan_arrange")) asked.add(request.response().catch(() => null));
  });
  return async () => {
    for (const response of await Promise.all(asked)) await response?.finished();
    asked.clear();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  };
}

/** Returns a generator of pseudorandom numbers between 0 and 1 (mulberry32). */
function createRandom(from) {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
