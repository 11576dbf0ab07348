import { writeFile } from "node:fs/promises";
import path from "node:path";
import { waitUntilCanvasSettled } from "./canvasSettled.js";

/** A person's actions on a blueprint's page, using the pointer and visible texts. */
export class Blueprint {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    this.inspector = page.getByRole("complementary", { name: "Inspector" });
  }

  /**
   * Creates a blank blueprint and waits for its empty canvas.
   *
   * @param {import("playwright-core").Page} page on any page of the app
   * @param {{ title: string, directory: string }} wish
   */
  static async create(page, { title, directory }) {
    await page.getByRole("link", { name: "Blueprints" }).first().click();
    await page.getByRole("link", { name: "New blueprint" }).click();
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Directory").fill(directory);
    await page.getByRole("button", { name: "Create blueprint" }).click();
    await page.getByRole("heading", { name: "Add the first node" }).waitFor();
    return new Blueprint(page);
  }

  /**
   * Imports a plan file on the page, and opens it.
   *
   * @param {import("playwright-core").Page} page the list of blueprints
   * @param {string} folder where the file is written
   * @param {string} text its content, with nodes
   */
  static async importFile(page, folder, text) {
    const file = path.join(folder, "plan.yaml");
    await writeFile(file, text);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Import" }).click(),
    ]);
    await chooser.setFiles(file);
    await page.getByRole("application").or(page.locator(".react-flow")).first().waitFor();
    await waitUntilCanvasSettled(page);
    return new Blueprint(page);
  }

  /**
   * Returns the card of a node, in any state.
   *
   * @param {string} title
   */
  card(title) {
    return this.page
      .locator(".react-flow__node")
      .filter({ has: this.page.getByText(title, { exact: true }) });
  }

  /**
   * Returns the card of a node in a state such as "Done".
   *
   * @param {string} title
   * @param {string} state
   */
  cardIn(title, state) {
    return this.page.locator(
      `.react-flow__node[aria-label^=${JSON.stringify(`${title}, `)}][aria-label*=", ${state}"]`,
    );
  }

  /**
   * Drags a kind of node from the palette to a place and names it.
   *
   * @param {"agent" | "command" | "condition" | "note"} kind
   * @param {string} title
   * @param {{ x: number, y: number }} place in the page
   */
  async place(kind, title, { x, y }) {
    const offer = this.page
      .getByRole("region", { name: "Palette" })
      .getByRole("button", { name: `Add ${kind}` });
    await this.#drag(await middleOf(offer), { x, y });
    await this.#giveTitle(title);
  }

  async #giveTitle(title) {
    const field = this.page.getByRole("textbox", { name: "Node title" });
    await field.fill(title);
    await field.press("Enter");
    await this.card(title).waitFor();
  }

  /**
   * Draws an edge from the right end of a card to the left end of another.
   *
   * @param {string} parent
   * @param {string} child
   */
  async connect(parent, child) {
    await this.holdEdge(parent, child);
    await this.page.mouse.up();
  }

  /**
   * Draws an edge without releasing it, to check messages during the drag.
   *
   * @param {string} parent
   * @param {string} child
   */
  async holdEdge(parent, child) {
    const from = await middleOf(this.card(parent).locator(".card-handle").last());
    const to = await middleOf(this.card(child).locator(".card-handle-target"));
    await this.#move(from, to);
  }

  /**
   * Draws one of the two branches of a condition.
   *
   * @param {string} parent
   * @param {"true" | "false"} way
   * @param {string} child
   */
  async branch(parent, way, child) {
    await this.holdBranch(parent, way, child);
    await this.page.mouse.up();
  }

  /**
   * Draws a branch without releasing it.
   *
   * @param {string} parent
   * @param {"true" | "false"} way
   * @param {string} child
   */
  async holdBranch(parent, way, child) {
    const from = await middleOf(this.card(parent).locator(`.card-handle-${way}`));
    const to = await middleOf(this.card(child).locator(".card-handle-target"));
    await this.#move(from, to);
  }

  /**
   * Returns an edge by its accessible name.
   *
   * @param {string} label
   */
  edge(label) {
    return this.page.locator(`.react-flow__edge[aria-label=${JSON.stringify(label)}]`);
  }

  async #drag(from, to) {
    await this.#move(from, to);
    await this.page.mouse.up();
  }

  async #move(from, to) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 10, from.y + 10, { steps: 2 });
    await mouse.move(to.x, to.y, { steps: 8 });
  }

  /**
   * Selects a node, so that the inspector shows it.
   *
   * @param {string} title
   */
  async select(title) {
    await this.card(title).click();
    await this.inspector.getByRole("heading", { name: title, exact: true }).waitFor();
  }

  /**
   * Replaces the text of a node's field in the inspector.
   *
   * @param {string} title
   * @param {"Command" | "Condition" | "Prompt"} field
   * @param {string} text
   */
  async write(title, field, text) {
    await this.select(title);
    await this.inspector.getByRole("tab", { name: "Task" }).click();
    const box = this.inspector.getByRole("textbox", { name: field, exact: true });
    await box.fill(text);
    await box.press("Tab");
    await this.waitUntilSaved();
  }

  /** Waits until the server has stored all changes. */
  async waitUntilSaved() {
    await this.page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor();
  }

  /** Approves, runs everything, and agrees to the pre-flight. */
  async run() {
    await this.page.getByRole("button", { name: "Run all" }).click();
    await this.page
      .getByRole("dialog", { name: "Ready to run" })
      .getByRole("button", { name: /^(Approve and run|Run)$/ })
      .click();
  }
}

async function middleOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("the element to drag is not rendered");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
