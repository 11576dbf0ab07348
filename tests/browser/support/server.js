/** `baton serve` with its own data directory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import path from "node:path";

const checkout = path.resolve(import.meta.dirname, "../../..");
/** The directory of the programs built for the tests. */
export const programs = process.env.BATON_TEST_PROGRAMS ?? path.join(checkout, "target/debug");

/** The command `baton`, for actions in a shell next to the browser. */
export const baton = path.join(programs, "baton");

/** How long the server may take to print its address, in milliseconds. */
const timeoutMs = 60_000;

export class Server {
  #folders;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #process;

  /** The address of the last start, with the token: what a person opens in another tab. */
  address = "";

  /** @param {{ home: string, log: string }} folders */
  constructor(folders) {
    this.#folders = folders;
  }

  /** The data directory, which outlives the server. */
  get data() {
    return path.join(this.#folders.home, "data");
  }

  /** The environment of a shell that uses the same data. */
  get environment() {
    return { ...process.env, BATON_DATA_DIR: this.data, HOME: this.#folders.home };
  }

  /**
   * Starts it on a free port, and later on the same one, with the data of the earlier start.
   *
   * @returns {Promise<string>} the address with the token
   */
  async start() {
    const { home, log } = this.#folders;
    const server = spawn(baton, ["serve"], {
      cwd: home,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = server;
    const file = createWriteStream(log, { flags: "a" });
    server.stdout.pipe(file, { end: false });
    server.stderr.pipe(file, { end: false });
    this.address = await announced(server);
    return this.address;
  }

  /** Kills the server, like a crash. Can be called repeatedly. */
  async kill() {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  }
}

/**
 * Waits for the line with the server's address.
 *
 * @param {import("node:child_process").ChildProcess} server
 * @returns {Promise<string>}
 */
function announced(server) {
  return new Promise((resolve, reject) => {
    let printed = "";
    const fail = (why) => reject(new Error(`baton serve ${why}; it printed: ${printed}`));
    const timer = setTimeout(() => fail(`did not print its address in ${timeoutMs} ms`), timeoutMs);
    const read = (chunk) => {
      printed += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*token=[\w-]+(?=\s)/.exec(printed);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[0]);
    };
    server.stdout?.setEncoding("utf8").on("data", read);
    server.stderr?.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
    });
    server.once("error", (error) => fail(`couldn't be started (${error.message})`));
    server.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
}
