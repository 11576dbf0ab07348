/** Starts the WebDriver server of Tauri windows and ends it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const checkout = path.resolve(import.meta.dirname, "../../..");

const program =
  process.env.BATON_TEST_TAURI_DRIVER ?? path.join(checkout, "target/tools/bin/tauri-driver");

/** The built programs, side by side. */
export const programs = process.env.BATON_TEST_PROGRAMS ?? path.join(checkout, "target/debug");

/**
 * Starts a server; the window that it opens later inherits `environment`.
 *
 * @param {{ environment: NodeJS.ProcessEnv, log: string }} options
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDriver({ environment, log }) {
  const [port, native] = [await freePort(), await freePort()];
  const file = openSync(log, "a");
  const server = spawn(program, ["--port", `${port}`, "--native-port", `${native}`], {
    env: environment,
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  const ended = once(server, "exit");
  await Promise.race([
    listening(port, 20_000),
    ended.then(([code]) => {
      throw new Error(`tauri-driver ended with ${code}; its words are in ${log}`);
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}/`,
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
 * @param {number} port
 * @param {number} patience in milliseconds
 */
async function listening(port, patience) {
  const deadline = Date.now() + patience;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const reached = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (reached) return;
    if (Date.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await pause(50);
  }
}
