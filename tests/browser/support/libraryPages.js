/** The pages that show what a library of `library.js` has: its lists, a plan in every view, and what opens over them. */
import { focusCanvas, goTo, leave, selectTwoRuns, showDrawer } from "./pages.js";

/**
 * @typedef {object} Surroundings
 * @property {import("playwright-core").Page} page
 * @property {{ work: string, questions: string, failed: string }} library
 */

const list = (name, address, ready) => ({
  name,
  async open({ page }) {
    await goTo(page, address);
    await ready(page);
  },
});

const view = (name, plan, radio, ready) => ({
  name,
  async open({ page, library }) {
    await goTo(page, `/blueprints/${library[plan]}`);
    await page.getByRole("radio", { name: radio, exact: true }).click();
    await ready(page);
  },
});

const waitForCanvas = (page) => page.locator(".react-flow").waitFor();

/** The first plan with its failed node in the inspector. */
const inspector = (name, tab) => ({
  name,
  async open({ page, library }) {
    await goTo(page, `/blueprints/${library.work}?node=${library.failed}`);
    await page.getByRole("radio", { name: "List", exact: true }).click();
    await page.getByRole("option").nth(1).click();
    await page.getByRole("tab", { name: tab }).click();
  },
});

/** Something that lies over a page until it is left with Escape. */
const over = (name, from, press) => ({
  name,
  async open(surroundings) {
    await from.open(surroundings);
    await press(surroundings.page);
    await surroundings.page
      .locator("[role=dialog], [role=alertdialog], [role=menu]")
      .first()
      .waitFor();
  },
  async leave(surroundings) {
    await leave(surroundings);
  },
});

const fromMenu = (line) => async (page) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: line }).click();
};

const table = list("blueprints-table", "/blueprints", async (page) => {
  await page.getByRole("radio", { name: "Table" }).click();
  await page.getByRole("row").nth(1).waitFor();
});
const work = view("graph", "work", "Graph", waitForCanvas);
const runs = list("runs", "/runs", (page) => page.getByRole("row").nth(1).waitFor());

/** The pages whose content grows with the library. */
export const listPages = [
  table,
  list("blueprints-cards", "/blueprints", async (page) => {
    await page.getByRole("radio", { name: "Cards" }).click();
    await page.getByRole("gridcell").first().waitFor();
  }),
  runs,
  list("sessions", "/sessions", (page) => page.getByRole("row").nth(1).waitFor()),
  list("inbox", "/inbox", (page) => page.getByRole("article").first().waitFor()),
  list("statistics", "/statistics", (page) =>
    page.getByRole("table", { name: "Attempts by kind" }).waitFor(),
  ),
  view("graph-questions", "questions", "Graph", waitForCanvas),
  view("list-questions", "questions", "List", (page) => page.getByRole("option").first().waitFor()),
  view("times-questions", "questions", "Times", (page) =>
    page.getByRole("radio", { name: "Times", checked: true }).waitFor(),
  ),
  over("palette", table, async (page) => {
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox", { name: "Commands" }).fill("1");
    await page.getByRole("option").first().waitFor();
  }),
];

/** The pages about one plan, run or session. */
export const detailPages = [
  work,
  inspector("inspector-task", "Task"),
  inspector("inspector-handoff", "Handoff"),
  inspector("inspector-attempts", /^Attempts/),
  view("list", "work", "List", (page) => page.getByRole("option").first().waitFor()),
  view("times", "work", "Times", (page) =>
    page.getByRole("radio", { name: "Times", checked: true }).waitFor(),
  ),
  {
    name: "drawer",
    async open({ page, library }) {
      await goTo(page, `/blueprints/${library.work}`);
      await page.getByRole("radio", { name: "List", exact: true }).click();
      await page.getByRole("option").nth(1).click();
      await focusCanvas({ page });
      await showDrawer(page, true);
    },
    async leave({ page }) {
      await focusCanvas({ page });
      await showDrawer(page, false);
    },
  },
  {
    name: "node",
    async open({ page, library }) {
      await goTo(page, `/blueprints/${library.work}/nodes/${library.failed}`);
      await page.getByText("longlong").first().waitFor();
    },
  },
  {
    name: "versions",
    async open({ page, library }) {
      await goTo(page, `/blueprints/${library.work}/versions`);
      await page.getByRole("region", { name: "Versions" }).getByRole("listitem").first().waitFor();
    },
  },
  {
    name: "session",
    async open({ page }) {
      await goTo(page, "/sessions");
      const link = page.getByRole("row").nth(1).getByRole("link").first();
      await goTo(page, (await link.getAttribute("href")).replace("#", ""));
      await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();
      await page.getByRole("feed", { name: "Timeline" }).getByRole("article").first().waitFor();
    },
  },
  {
    name: "runs-selected",
    open: ({ page }) => selectTwoRuns(page),
  },
  {
    name: "compare-runs",
    async open({ page }) {
      await selectTwoRuns(page);
      await page.getByRole("link", { name: "Compare" }).click();
      await page.getByRole("table", { name: "Totals" }).waitFor();
    },
  },
  over("row-menu", table, (page) => page.getByRole("row").nth(1).click({ button: "right" })),
  over("more-actions", work, (page) => page.getByRole("button", { name: "More actions" }).click()),
  over("delete", work, fromMenu("Delete blueprint")),
  over("export", work, fromMenu("Export blueprint")),
];
