/** Baton's real window, and a person's actions in it. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Builder, Capabilities } from "selenium-webdriver";
import { programs, startDriver } from "./driver.js";
import { named, withText } from "./locator.js";
import { processesOf } from "./processes.js";
import { requestClose } from "./x11.js";

/** The program under test. */
export const baton = path.join(programs, "baton-desktop");

/**
 * Returns the app's environment, isolated from the user's own settings.
 *
 * @param {{ home: string, data: string }} folders
 */
export function environmentOf({ home, data }) {
  return {
    ...process.env,
    BATON_DATA_DIR: data,
    GDK_BACKEND: "x11",
    HOME: home,
    WEBKIT_DISABLE_DMABUF_RENDERER: "1",
    XDG_CACHE_HOME: path.join(home, ".cache"),
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local/share"),
  };
}

/**
 * A script for the page. The web view takes a screenshot with the next frame that the page paints, and an idle page
 * paints none. An animation doesn't help, as it runs in the compositor.
 */
const drawAWhile = `
  const dot = document.body.appendChild(document.createElement("div"));
  dot.style = "position: fixed; top: 0; left: 0; height: 1px; background: currentColor; opacity: 0.01";
  let width = 0;
  const timer = setInterval(() => {
    dot.style.width = (width++ % 2) + 1 + "px";
    if (width < 100) return;
    clearInterval(timer);
    dot.remove();
  }, 30);
`;

/** How long something may take to appear, in milliseconds: debug build, no GPU, two busy cores. */
const timeoutMs = 20_000;

/**
 * @typedef {import("selenium-webdriver").By} By
 * @typedef {import("selenium-webdriver").WebElement} Element
 * @typedef {{ x: number, y: number }} Point in the page, in CSS pixels
 */

export class Window {
  /** @type {import("selenium-webdriver").WebDriver} For what this class does not offer. */
  driver;
  #folders;
  #stopDriver;

  /**
   * Opens the app with its own folders, isolated from the user's data.
   *
   * @param {{ home: string, data: string, evidence: string }} folders
   * @param {string} [application] another Tauri program instead of Baton, for comparison
   */
  static async open(folders, application = baton) {
    const environment = environmentOf(folders);
    const server = await startDriver({ environment, log: path.join(folders.evidence, "log.txt") });
    try {
      const capabilities = new Capabilities({ "tauri:options": { application } });
      capabilities.setBrowserName("wry");
      const driver = await new Builder()
        .withCapabilities(capabilities)
        .usingServer(server.url)
        .build();
      return new Window(driver, folders, server.stop);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  constructor(driver, folders, stopDriver) {
    this.driver = driver;
    this.#folders = folders;
    this.#stopDriver = stopDriver;
  }

  /**
   * Waits for a visible element.
   *
   * @param {string} role
   * @param {string} name
   */
  get(role, name) {
    return this.#visible(named(role, name), `${role} "${name}"`);
  }

  /**
   * Waits until the window shows `text`.
   *
   * @param {string} text
   */
  text(text) {
    return this.#visible(withText(text), `"${text}"`);
  }

  /**
   * Waits for a visible element by locator.
   *
   * @param {By} locator
   * @param {string} shown
   */
  find(locator, shown) {
    return this.#visible(locator, shown);
  }

  /**
   * Resizes the page, in CSS pixels.
   *
   * @param {number} width
   * @param {number} height
   */
  async resize(width, height) {
    await this.driver.manage().window().setRect({ width, height });
    // The driver responds before the window has the new size.
    await this.waitForSize(width, height);
  }

  /**
   * Waits until the page has this size, in CSS pixels.
   *
   * @param {number} width
   * @param {number} height
   */
  async waitForSize(width, height) {
    const size = () => this.driver.executeScript("return [innerWidth, innerHeight].join()");
    const is = async () => (await size()) === `${width},${height}`;
    await this.driver.wait(is, timeoutMs, `the page is ${width} by ${height}`);
  }

  /**
   * Waits until the element is gone.
   *
   * @param {string} role
   * @param {string} name
   */
  async waitUntilGone(role, name) {
    const left = async () => (await this.driver.findElements(named(role, name))).length === 0;
    await this.driver.wait(left, timeoutMs, `${role} "${name}" is still there`);
  }

  /**
   * @param {string} role
   * @param {string} name
   */
  async click(role, name) {
    await (await this.get(role, name)).click();
  }

  /**
   * Types into a field, after its current text.
   *
   * @param {string} role
   * @param {string} name
   * @param {string} text
   */
  async type(role, name, text) {
    await (await this.get(role, name)).sendKeys(text);
  }

  /**
   * Presses keys at the current focus; `Key` of selenium-webdriver names them.
   *
   * @param {...string} keys
   */
  async press(...keys) {
    await this.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /**
   * Drags with the pointer, in steps, because the graph tracks its path.
   *
   * @param {Element} from
   * @param {Element | Point} to
   */
  async drag(from, to) {
    const isPoint = "x" in to && typeof to.x === "number";
    const target = isPoint ? to : center(await to.getRect());
    const start = center(await from.getRect());
    const steps = [0.1, 0.5, 0.9, 1].map((part) => ({
      x: Math.round(start.x + (target.x - start.x) * part),
      y: Math.round(start.y + (target.y - start.y) * part),
    }));
    const actions = this.driver.actions().move({ origin: from }).press();
    for (const step of steps) actions.move({ ...step, duration: 60 });
    await actions.release().perform();
  }

  /**
   * Saves a screenshot with the evidence.
   *
   * @param {string} name
   */
  async screenshot(name) {
    await this.driver.executeScript(drawAWhile);
    const png = await this.driver.takeScreenshot();
    await writeFile(path.join(this.#folders.evidence, `${name}.png`), png, "base64");
  }

  /** Saves the current content of the window. Never throws: the journey has already failed. */
  async saveEvidence() {
    await within(10_000, this.screenshot("failed"));
    const source = await within(10_000, this.driver.getPageSource());
    if (source !== undefined) {
      await writeFile(path.join(this.#folders.evidence, "page.html"), source);
    }
  }

  /**
   * Clicks a button that closes the window: the driver's own click waits for a response of the window, which a closed
   * one never sends.
   *
   * @param {string} name
   */
  async clickToClose(name) {
    const button = await this.get("button", name);
    await this.driver.executeScript("setTimeout((it) => it.click(), 50, arguments[0])", button);
  }

  /** Presses the close button in the window's title bar. */
  async closeByUser() {
    await requestClose("Baton");
  }

  /**
   * Waits until the window is visible or hidden.
   *
   * @param {boolean} wanted
   */
  async waitForVisibility(wanted) {
    const state = async () => this.driver.executeScript("return document.visibilityState");
    const is = async () => ((await state()) === "visible") === wanted;
    await this.driver.wait(is, timeoutMs, `the window is ${wanted ? "not " : ""}shown`);
  }

  /** Waits until the app has exited. */
  async waitForExit() {
    const deadline = Date.now() + timeoutMs;
    while (processesOf(this.#folders.data, baton).length > 0) {
      if (Date.now() > deadline) throw new Error("the app has not exited");
      await pause(50);
    }
    await this.close();
  }

  /** Kills the app, like a crash. */
  async kill() {
    const [pid] = processesOf(this.#folders.data, baton);
    if (pid === undefined) throw new Error("the app is not running, so it cannot be killed");
    process.kill(pid, "SIGKILL");
    await this.close();
  }

  /** Closes the window and its driver. May be called again. */
  async close() {
    await within(5_000, this.driver.quit());
    await this.#stopDriver();
  }

  async #visible(locator, shown) {
    const found = async () => {
      for (const element of await this.driver.findElements(locator)) {
        if (await element.isDisplayed().catch(() => false)) return element;
      }
      return null;
    };
    return this.driver.wait(found, timeoutMs, `${shown} did not show`);
  }
}

/**
 * Waits for a driver command that may never complete because the app is gone. Then there is no result and no error.
 *
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
function within(milliseconds, promise) {
  const silent = promise.catch(() => undefined);
  return Promise.race([silent, pause(milliseconds, undefined, { ref: false })]);
}

function center({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}
