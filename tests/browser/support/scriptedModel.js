/** The real `claude`, which finds a model that answers by a script: see `tests/support/model_api/scenario.rs`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { programs } from "./server.js";

const checkout = path.resolve(import.meta.dirname, "../../..");
const claude =
  process.env.BATON_TEST_CLAUDE ??
  path.join(checkout, "target/tools/claude/node_modules/.bin/claude");

export class ScriptedModel {
  #process;
  #address;

  /** Starts the model, for all journeys of a file; the servers of this file find the real claude from now on. */
  static async start() {
    const model = new ScriptedModel();
    model.#process = spawn(path.join(programs, "examples/model_api"), {
      stdio: ["pipe", "pipe", 2],
    });
    const [line] = await once(model.#process.stdout.setEncoding("utf8"), "data");
    model.#address = line.trim();
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
   * Starts the server of a journey anew, so that its agents speak by this script.
   *
   * @param {import("./journey.js").Journey} journey
   * @param {string} scenario
   */
  async plays({ page, server }, scenario) {
    process.env.ANTHROPIC_BASE_URL = `${this.#address}${scenario}`;
    await server.kill();
    await page.goto(await server.start());
  }

  async end() {
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    await ended;
  }
}
