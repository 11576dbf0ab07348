/** A person's actions on a blueprint's page, in the real window. */
import { By, Key } from "selenium-webdriver";

export class Blueprint {
  /** @param {import("./window.js").Window} window */
  constructor(window) {
    this.window = window;
  }

  /**
   * Creates a blank blueprint and waits for its empty canvas.
   *
   * @param {import("./window.js").Window} window on the list of blueprints
   * @param {{ title: string, directory: string }} wish
   */
  static async create(window, { title, directory }) {
    await window.click("link", "New blueprint");
    await window.type("textbox", "Title", title);
    await window.type("textbox", "Directory", directory);
    await window.click("button", "Create blueprint");
    await window.text("Add the first node");
    return new Blueprint(window);
  }

  /**
   * Drags a command from the palette to a place and names it.
   *
   * @param {string} title
   * @param {import("./window.js").Point} place
   */
  async placeCommand(title, place) {
    const offer = By.css('[data-palette] [aria-label="Add command"]');
    await this.window.drag(await this.window.find(offer, "the palette"), place);
    await this.window.get("textbox", "Node title");
    await this.window.press(title, Key.ENTER);
    await this.card(title);
  }

  /**
   * Draws an edge from the right end of a card to another card.
   *
   * @param {string} parent
   * @param {string} child
   */
  async connect(parent, child) {
    const from = await this.card(parent);
    const handles = await from.findElements(By.css(".card-handle"));
    await this.window.drag(handles.at(-1), await this.card(child));
  }

  /**
   * Types into an empty field.
   *
   * @param {string} title
   * @param {string} field
   * @param {string} text
   */
  async write(title, field, text) {
    await (await this.card(title)).click();
    await this.window.get("heading", title);
    await this.window.click("textbox", field);
    await this.window.press(text);
    await this.window.text("Saved");
  }

  /**
   * Waits for the card of a node.
   *
   * @param {string} title
   * @param {string} [state] such as "Done"
   */
  card(title, state = "") {
    const name = `@aria-label, ${JSON.stringify(`${title}, command${state && `, ${state}`}`)}`;
    const shown = `the card "${title}" ${state}`;
    return this.window.find(
      By.xpath(`//*[contains(@class, "react-flow__node")][starts-with(${name})]`),
      shown,
    );
  }

  /** Approves, runs everything, and agrees to the pre-flight. */
  async run() {
    await this.window.click("button", "Approve blueprint");
    await this.window.text("Approved");
    await this.window.click("button", "Run all");
    await this.window.click("button", "Run");
  }
}
