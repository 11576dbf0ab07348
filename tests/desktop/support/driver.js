/** Starts and stops the WebDriver server for Tauri windows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const checkout = path.resolve(import.meta.dirname, "../../..");

const program =
  process.env.BATON_TEST_TAURI_DRIVER ?? path.join(checkout, "target/tools/bin/tauri-driver");

/** The built programs, side by side. */
export const programs = process.env.BATON_TEST_PROGRAMS ?? path.join(checkout, "target/debug");

/**
 * Starts a server, and waits until it accepts requests; the window that it opens later inherits `environment`.
 *
 * @param {{ environment: NodeJS.ProcessEnv, log: string }} options
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDriver({ environment, log }) {
  const [port, native] = await Promise.all([freePort(), freePort()]);
  const file = openSync(log, "a");
  const server = spawn(program, ["--port", `${port}`, "--native-port", `${native}`], {
    env: environment,
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  const ended = once(server, "exit");
  const url = `http://127.0.0.1:${port}/`;
  await Promise.race([
    waitUntilAnswering(`${url}status`, 20_000),
    ended.then(([code]) => {
      throw new Error(`tauri-driver ended with ${code}; its output is in ${log}`);
    }),
  ]);
  return {
    url,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) server.kill("SIGTERM");
      const force = setTimeout(() => server.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(force);
    },
  };
}

/** @returns {Promise<number>} a port that was free a moment ago */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port for the driver");
  return address.port;
}

/**
 * Waits until the native driver responds too: the server in front of it listens earlier, and drops requests that it
 * can't forward.
 *
 * @param {string} address
 * @param {number} timeoutMs
 */
async function waitUntilAnswering(address, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  const answers = () =>
    fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await answers())) {
    if (Date.now() > deadline) throw new Error(`no response from ${address}`);
    await pause(50);
  }
}
