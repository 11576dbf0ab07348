/** All pages of the interface and their visually different states, with how to open each. */

/**
 * @typedef {object} Surroundings
 * @property {import("playwright-core").Page} page
 * @property {Record<string, import("./sampleData.js").SampleBlueprint>} plans the blueprints of `createSampleData`, by purpose
 */

const plain = (name, hash, ready) => ({
  name,
  async open({ page }) {
    await goTo(page, hash);
    await ready(page);
  },
});

const blueprint = (name, plan, ready) => ({
  name,
  async open({ page, plans }) {
    await goTo(page, `/blueprints/${plans[plan].id}`);
    await page.getByRole("radio", { name: "Graph", exact: true }).click();
    await ready(page);
  },
});

/**
 * Selects a node by search: in a small window its card may be out of view, or covered by the
 * inspector.
 */
async function selectNode(page, title) {
  await focusCanvas({ page });
  const find = page.getByRole("searchbox", { name: "Find a node" });
  await find.fill(title);
  await find.press("Enter");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  if (!(await inspector.isVisible())) await chooseFromMenu(page, "Show the inspector");
  await inspector.getByRole("heading", { name: title, exact: true }).waitFor();
  await find.fill("");
}

/** Closes an inspector that covers the graph. */
export async function focusCanvas({ page }) {
  const back = page.getByRole("button", { name: /^Back to the (graph|list|times)$/ });
  if (await back.isVisible()) await back.click();
}

/**
 * Opens or closes the drawer, with its button or, when the header has no room for it, from the
 * menu.
 */
export async function showDrawer(page, open) {
  const tab = page.getByRole("tab", { name: "History" });
  if ((await tab.isVisible()) === open) return;
  const button = page.getByRole("button", { name: "Timeline and history" });
  if (await button.isVisible()) await button.click();
  else await chooseFromMenu(page, open ? "Show the drawer" : "Hide the drawer");
}

/** Selects an item in the "More actions" menu. */
async function chooseFromMenu(page, line) {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: line }).click();
}

/** Closes all dialogs; an open tooltip takes the first Escape. */
export async function leave({ page }) {
  const over = page.locator("[role=dialog], [role=alertdialog]");
  while ((await over.count()) > 0) {
    await page.keyboard.press("Escape");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
}

/** `alike` names a place with the same components, for checks that need only one of them. */
const withAlike = (place, alike) => ({ ...place, alike });

const dialog = (name, plan, press, title) => ({
  name,
  async open({ page, plans }) {
    await goTo(page, plan === undefined ? "/settings" : `/blueprints/${plans[plan].id}`);
    await press(page);
    await page.getByRole("dialog", { name: title }).or(page.getByRole("alertdialog")).waitFor();
  },
  leave,
});

/** A tab of the drawer, with a node selected in the list. */
const drawerTab = (name, plan, title, show) => ({
  name,
  async open({ page, plans }) {
    await goTo(page, `/blueprints/${plans[plan].id}`);
    await page.getByRole("radio", { name: "List" }).click();
    await page.getByRole("option", { name: title }).click();
    await focusCanvas({ page });
    await showDrawer(page, true);
    await show(page);
  },
  async leave({ page }) {
    await page.getByRole("tab", { name: "History" }).click();
    await showDrawer(page, false);
  },
});

/** Terminals over HTTP are turned on only meanwhile. */
const terminal = {
  name: "drawer-terminal",
  async open({ page, plans }) {
    await switchTerminals(page, true);
    await opened.open({ page, plans });
  },
  async leave({ page }) {
    await page.getByRole("button", { name: "Close terminal of Write the report" }).click();
    await page.getByText("No terminal", { exact: true }).waitFor();
    await opened.leave({ page });
    await switchTerminals(page, false);
  },
};
const opened = drawerTab("", "done", "Write the report", async (page) => {
  await page.getByRole("tab", { name: "Terminal" }).click();
  await page.getByRole("button", { name: "Open terminal" }).first().click();
  await page.getByRole("textbox", { name: /^Terminal of / }).waitFor();
});

async function switchTerminals(page, on) {
  await goTo(page, "/settings?section=Terminal");
  await page.getByRole("switch", { name: "Terminals over HTTP", checked: !on }).click();
  await page.getByRole("switch", { name: "Terminals over HTTP", checked: on }).waitFor();
}

async function openChanges(page, { id, node }) {
  await goTo(page, `/blueprints/${id}/nodes/${node("Write")}`);
  await page.getByRole("tab", { name: "Changes" }).click();
  await page.getByRole("heading", { name: /changed file/ }).waitFor();
}

/** A changed file of the run with worktrees, opened from the handoff of its node. */
const preview = (name, file, ready) => ({
  name,
  async open({ page, plans }) {
    await goTo(page, `/blueprints/${plans.grouped.id}`);
    await page.getByRole("radio", { name: "Graph", exact: true }).click();
    await selectNode(page, "Join both");
    await page.getByRole("tab", { name: "Handoff" }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("button", { name: file }).first().click();
    await page.getByRole("dialog", { name: file }).waitFor();
    await ready(page);
  },
  leave,
});

/** The pages right after installation. */
export const emptyPages = [
  plain("blueprints-first", "/blueprints", (page) =>
    page.getByRole("link", { name: "Open example" }).waitFor(),
  ),
  plain("inbox-empty", "/inbox", (page) =>
    page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor(),
  ),
  plain("sessions-empty", "/sessions", (page) => page.getByText("No sessions").first().waitFor()),
  plain("runs-empty", "/runs", (page) => page.getByText("No runs yet").waitFor()),
  plain("compare-runs-empty", "/runs/compare", (page) =>
    page.getByRole("heading", { name: "Select two runs to compare" }).waitFor(),
  ),
  plain("statistics-empty", "/statistics", (page) => page.getByText("No runs yet").waitFor()),
  plain("no-such-page", "/nowhere", (page) =>
    page.getByRole("heading", { name: "This page doesn't exist" }).waitFor(),
  ),
  plain("no-such-blueprint", "/blueprints/00000000-0000-7000-8000-000000000000", (page) =>
    page.getByRole("alert").first().waitFor(),
  ),
];

/** The pages with data. */
export const pages = [
  plain("blueprints-table", "/blueprints", async (page) => {
    await page.getByRole("radio", { name: "Table" }).click();
    await page.getByRole("row").nth(5).waitFor();
  }),
  plain("blueprints-cards", "/blueprints", async (page) => {
    await page.getByRole("radio", { name: "Cards" }).click();
    await page.getByRole("gridcell").nth(2).waitFor();
  }),
  ...["blank", "generate", "template", "import", "command", "agent"].map((from) =>
    withAlike(
      plain(`new-${from}`, `/blueprints/new?from=${from}`, async (page) => {
        await page.getByRole("heading", { level: 1, name: /New blueprint/ }).waitFor();
        await page.locator("main form, main [role=radiogroup], main h2, main p").first().waitFor();
      }),
      ["blank", "command"].includes(from) ? "new-agent" : undefined,
    ),
  ),
  blueprint("graph-empty", "empty", (page) =>
    page.getByRole("heading", { name: "Add the first node" }).waitFor(),
  ),
  blueprint("graph-done", "done", async (page) => {
    await selectNode(page, "Write the report");
    await page.getByRole("tab", { name: "Task" }).click();
    await page.getByRole("textbox", { name: "Command" }).waitFor();
  }),
  blueprint("graph-done-handoff", "done", async (page) => {
    await selectNode(page, "Write the report");
    await page.getByRole("tab", { name: "Handoff" }).click();
    await page.getByRole("tabpanel").getByText("What was done").first().waitFor();
  }),
  blueprint("graph-failed", "failed", async (page) => {
    await selectNode(page, "Test in every browser");
    await page.getByRole("tab", { name: /^Attempts/ }).click();
  }),
  blueprint("graph-waiting", "waiting", async (page) => {
    await selectNode(page, "Pick a name");
    await page.getByRole("textbox", { name: "Answer", exact: true }).first().waitFor();
  }),
  withAlike(
    blueprint("graph-running", "running", (page) =>
      page.getByText("Copy the archive").first().waitFor(),
    ),
    "graph-done",
  ),
  // Two hundred nodes have the same components as three.
  withAlike(
    blueprint("graph-wide", "wide", (page) => page.locator(".react-flow").waitFor()),
    "graph-done",
  ),
  blueprint("graph-grouped", "grouped", async (page) => {
    await selectNode(page, "Tell everybody");
    await page.getByText("A note without a color.").first().waitFor();
  }),
  {
    ...blueprint("graph-past", "done", async (page) => {
      // A replay needs the run to be loaded.
      await page.locator('.react-flow__node[aria-label*=", Done"]').first().waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("h");
      await page.getByRole("region", { name: "Replay" }).waitFor();
    }),
    async leave({ page }) {
      const back = page.getByRole("button", { name: "Back to now" }).first();
      await back.click();
      await page.getByRole("region", { name: "Replay" }).waitFor({ state: "detached" });
    },
  },
  {
    name: "list-failed",
    alike: "drawer-failed",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.failed.id}`);
      await page.getByRole("radio", { name: "List" }).click();
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "list-wide",
    alike: "drawer-failed",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.wide.id}`);
      await page.getByRole("radio", { name: "List" }).click();
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "times-done",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.done.id}`);
      await page.getByRole("radio", { name: "Times" }).click();
      await page.getByText("Weigh the cargo").first().waitFor();
    },
  },
  {
    name: "drawer-failed",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.failed.id}`);
      await page.getByRole("radio", { name: "List" }).click();
      await showDrawer(page, true);
      await page.getByRole("tab", { name: "History" }).click();
    },
    leave: ({ page }) => showDrawer(page, false),
  },
  drawerTab("drawer-summaries", "grouped", "Join both", async (page) => {
    await page.getByRole("tab", { name: "Summaries" }).click();
    await page.getByRole("region", { name: "Summary of Join both" }).waitFor();
  }),
  drawerTab("drawer-terminal-off", "done", "Write the report", async (page) => {
    await page.getByRole("tab", { name: "Terminal" }).click();
    await page.getByText("Terminals are turned off in the browser").waitFor();
  }),
  terminal,
  {
    name: "node-timeline",
    async open({ page, plans }) {
      await goTo(
        page,
        `/blueprints/${plans.failed.id}/nodes/${plans.failed.node("Test in every browser")}`,
      );
      await page.getByText("3 of 40 failed").first().waitFor();
    },
  },
  {
    name: "agent-timeline",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.agent.id}/nodes/${plans.agent.node("Lamp")}`);
      await page.getByText("The lantern is lit.").first().waitFor();
    },
  },
  {
    name: "review",
    async open({ page, plans }) {
      await openChanges(page, plans.reviewed);
      const grid = page.getByRole("grid", { name: "Changes in hello.txt" });
      await grid.getByRole("row").filter({ hasText: "Good morning" }).focus();
      await page.keyboard.press("c");
      await page.keyboard.type("Say *good evening* instead, and say it to everybody who is there.");
      await page.keyboard.press("Control+Enter");
      await page.getByText("1 comment", { exact: true }).first().waitFor();
    },
    async leave({ page }) {
      const comment = page.getByRole("region", { name: /^Comment on/ });
      await comment.getByRole("button", { name: "Remove" }).click();
      await page.getByText("No comments", { exact: true }).waitFor();
    },
  },
  {
    name: "compare",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.changed.id}/compare`);
      await page.getByText("What stays under another title").first().waitFor();
    },
  },
  {
    name: "versions",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.changed.id}/versions`);
      await page.getByRole("region", { name: "Versions" }).getByRole("listitem").first().waitFor();
    },
  },
  {
    name: "proposal",
    async open({ page, plans }) {
      await goTo(page, `/proposals/${plans.proposed.id}`);
      await page.getByRole("button", { name: "Accept as draft" }).waitFor();
    },
  },
  plain("runs", "/runs", (page) => page.getByRole("row").nth(1).waitFor()),
  {
    name: "runs-selected",
    async open({ page }) {
      await selectTwoRuns(page);
    },
  },
  {
    name: "compare-runs",
    async open({ page }) {
      await selectTwoRuns(page);
      await page.getByRole("link", { name: "Compare" }).click();
      await page.getByRole("table", { name: "Totals" }).waitFor();
    },
  },
  plain("sessions", "/sessions", (page) => page.getByRole("row").nth(2).waitFor()),
  {
    name: "session",
    async open({ page }) {
      await openSession(page, (row) =>
        row.filter({ has: page.getByRole("img", { name: "Codex", exact: true }) }),
      );
    },
  },
  {
    name: "session-long",
    alike: "session",
    async open({ page }) {
      await openSession(page, (row) => row.filter({ hasText: "Your task Light the lamp" }));
    },
  },
  plain("inbox", "/inbox", (page) => page.getByRole("article").nth(1).waitFor()),
  plain("statistics", "/statistics", (page) =>
    page.getByRole("table", { name: "Attempts by kind" }).waitFor(),
  ),
  plain("help", "/help/run-history", (page) =>
    page.getByRole("article").getByRole("img").waitFor(),
  ),
  plain("doctor", "/doctor", async (page) => {
    await page.getByRole("heading", { level: 1, name: "Doctor" }).waitFor();
    await page.locator("main h2").first().waitFor();
  }),
  plain("settings", "/settings", (page) =>
    page.getByRole("button", { name: "Add agent" }).waitFor(),
  ),
  {
    name: "settings-end",
    alike: "settings",
    async open({ page }) {
      await goTo(page, "/settings");
      await page.getByRole("button", { name: "Add agent" }).waitFor();
      await page.locator("main h2").last().scrollIntoViewIfNeeded();
    },
  },
  plain("settings-keys", "/settings/keys", (page) =>
    page.getByRole("heading", { level: 1, name: /Keyboard shortcuts$/ }).waitFor(),
  ),
  {
    name: "palette",
    async open({ page }) {
      await goTo(page, "/statistics");
      await page.getByRole("table", { name: "Attempts by kind" }).waitFor();
      await page.keyboard.press("Control+K");
      await page.getByRole("dialog").waitFor();
      // Search results look different from the initial list, and this search has all kinds of
      // results.
      await page.getByRole("combobox", { name: "Commands" }).fill("go");
      await page.getByRole("option", { name: /^Go to Inbox/ }).waitFor();
    },
    leave,
  },
  dialog(
    "add-agent",
    undefined,
    (page) => page.getByRole("button", { name: "Add agent" }).click(),
    "Add an agent",
  ),
  dialog(
    "pre-flight",
    "wide",
    (page) => page.getByRole("button", { name: "Run all" }).click(),
    /run/,
  ),
  dialog(
    "stop-run",
    "running",
    (page) => page.getByRole("button", { name: "Stop", exact: true }).click(),
    "Stop this run?",
  ),
  {
    name: "keys",
    async open({ page }) {
      await goTo(page, "/statistics");
      await page.getByRole("table", { name: "Attempts by kind" }).waitFor();
      await page.keyboard.press("Shift+?");
      await page.getByRole("dialog").waitFor();
    },
    leave,
  },
  dialog(
    "work-of-run",
    "grouped",
    (page) => chooseFromMenu(page, "Open changes from this run"),
    "Changes from this run",
  ),
  {
    name: "pull-request",
    async open({ page, plans }) {
      await goTo(page, `/blueprints/${plans.grouped.id}`);
      await chooseFromMenu(page, "Open changes from this run");
      await page.getByRole("button", { name: "Open pull request…" }).click();
      const form = page.getByRole("dialog", { name: "Open pull request" });
      await form.getByRole("textbox", { name: "Title" }).waitFor();
    },
    leave,
  },
  preview("preview-text", "both.txt", (page) => page.locator(".cm-line").first().waitFor()),
  preview("preview-picture", "dot.gif", (page) => page.getByRole("img", { name: "dot.gif" })),
  withAlike(
    dialog("export", "done", (page) => chooseFromMenu(page, "Export blueprint"), /./),
    "palette",
  ),
  dialog("delete", "done", (page) => chooseFromMenu(page, "Delete blueprint"), /Delete/),
];

/**
 * Navigates to an address without reloading the window. The previous page stays, and takes clicks, until the next one
 * is rendered, so this goes through a page that is rendered at once.
 *
 * @param {import("playwright-core").Page} page
 */
export async function goTo(page, address) {
  const between = "/nowhere";
  if (address !== between) {
    await navigateTo(page, between);
    await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
  }
  await navigateTo(page, address);
}

async function navigateTo(page, address) {
  await page.evaluate((to) => {
    location.hash = to;
  }, address);
}

/**
 * Starts a killed server again and loads the page again, so that only stored data remains. The
 * server keeps its address and token: opening the address would not load the page again.
 *
 * @param {import("playwright-core").Page} page
 * @param {import("./server.js").Server} server
 */
export async function startAgain(page, server) {
  await server.start();
  await page.reload();
}

/**
 * Opens the address of a server in a new document, even if the page already shows that server: then
 * only the fragment would change.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} address
 */
export async function openNewDocument(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
}

/** Opens the list of runs and selects the first two. */
export async function selectTwoRuns(page) {
  await goTo(page, "/runs");
  const boxes = page.getByRole("checkbox");
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.getByText("2 runs selected").waitFor();
}

/** Opens a session from the list, by the link in its row. */
async function openSession(page, which) {
  await goTo(page, "/sessions");
  const link = which(page.getByRole("row")).first().getByRole("link").first();
  const address = await link.getAttribute("href");
  await goTo(page, address?.replace("#", ""));
  await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();
  await page.getByRole("feed", { name: "Timeline" }).getByRole("article").first().waitFor();
}
