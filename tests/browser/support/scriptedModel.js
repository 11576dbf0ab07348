/** The real `claude` with a scripted model: see `tests/support/model_api/scenario.rs`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { startAgain } from "./pages.js";
import { programs } from "./server.js";

const checkout = path.resolve(import.meta.dirname, "../../..");
const claude =
  process.env.BATON_TEST_CLAUDE ??
  path.join(checkout, "target/tools/claude/node_modules/.bin/claude");

export class ScriptedModel {
  #process;
  /** What it prints, line by line @type {AsyncIterator<string>} */
  #lines;
  #address;

  /**
   * Starts the model for all journeys of a file; the servers in this file use the real claude from
   * now on.
   */
  static async start() {
    const model = new ScriptedModel();
    model.#process = spawn(path.join(programs, "examples/model_api"), {
      stdio: ["pipe", "pipe", 2],
    });
    const lines = createInterface({ input: model.#process.stdout });
    model.#lines = lines[Symbol.asyncIterator]();
    model.#address = await model.#line();
    Object.assign(process.env, {
      PATH: `${path.dirname(claude)}${path.delimiter}${process.env.PATH}`,
      ANTHROPIC_API_KEY: "sk-ant-fake",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      IS_SANDBOX: "1",
    });
    return model;
  }

  /**
   * Restarts the server of a journey, so that its agents use a scenario. The page stays where it is.
   *
   * @param {import("./journey.js").Journey} journey
   * @param {string} scenario
   */
  async playScenario({ page, server }, scenario) {
    process.env.ANTHROPIC_BASE_URL = `${this.#address}${scenario}`;
    await server.kill();
    await startAgain(page, server);
  }

  /**
   * Returns the first request to the model that contains a text.
   *
   * @param {string} words
   * @returns {Promise<string>} the complete request as JSON
   */
  async requestContaining(words) {
    this.#process.stdin.write("\n");
    const sent = JSON.parse(await this.#line());
    const found = sent.find((request) => request.includes(words));
    if (found === undefined) throw new Error(`no request to the model contains: ${words}`);
    return found;
  }

  async #line() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the scripted model has exited");
    return value;
  }

  async stop() {
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    await ended;
  }
}
