/**
 * A fake desktop around the window: its tray and its notification server, over the real session
 * bus.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { programs } from "./driver.js";

const program =
  process.env.BATON_TEST_PLAYED_DESKTOP ?? path.join(programs, "examples/mock_desktop");

/** How long a change may take to arrive over the bus, in milliseconds. */
const timeoutMs = 20_000;

/**
 * @typedef {{ icon: string, label: string, rows: { label: string, enabled: boolean }[] }} Tray
 * @typedef {{ id: number, icon: string, title: string, body: string, actions: string[] }} Notice
 */

export class MockDesktop {
  #process;
  #lines;

  /** Starts the fake desktop. Start it before the window, which looks for a tray when it opens. */
  static async start() {
    const desktop = new MockDesktop();
    const { ready } = await desktop.#answer();
    if (!ready) throw new Error("the mock desktop did not start");
    return desktop;
  }

  constructor() {
    this.#process = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Waits until the tray meets a condition, and returns its state.
   *
   * @param {(tray: Tray) => boolean} fits
   * @param {string} shown the condition, for error messages
   */
  async tray(fits, shown) {
    return this.#until(
      { tray: null },
      (answer) => answer.rows !== undefined && fits(answer),
      shown,
    );
  }

  /**
   * Waits for a row of the tray's menu and selects it.
   *
   * @param {string} label the text or its beginning
   */
  async choose(label) {
    await this.#until({ choose: label }, (answer) => answer.chosen !== undefined, `row ${label}`);
  }

  /**
   * Waits for a notification and returns it.
   *
   * @param {(notice: Notice) => boolean} fits
   * @param {string} shown the condition, for error messages
   * @returns {Promise<Notice>}
   */
  async notice(fits, shown) {
    const { notices } = await this.#until(
      { notices: null },
      (answer) => answer.notices.some(fits),
      shown,
    );
    return notices.find(fits);
  }

  /**
   * Returns all notifications so far.
   *
   * @returns {Promise<Notice[]>}
   */
  async notices() {
    return (await this.#ask({ notices: null })).notices;
  }

  /**
   * Clicks a notification.
   *
   * @param {Notice} notice
   */
  async press({ id }) {
    await this.#ask({ press: id });
  }

  /** Stops the fake desktop, and waits until its names on the bus are released. */
  async stop() {
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await ended;
  }

  async #until(wish, fits, shown) {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.#ask(wish);
      if (fits(answer)) return answer;
      if (Date.now() > deadline)
        throw new Error(`the desktop did not see ${shown}, but ${JSON.stringify(answer)}`);
      await pause(100);
    }
  }

  async #ask(wish) {
    this.#process.stdin.write(`${JSON.stringify(wish)}\n`);
    return this.#answer();
  }

  async #answer() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the mock desktop has exited");
    return JSON.parse(value);
  }
}
