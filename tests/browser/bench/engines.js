/** The two engines in which pages must be fast, with a common interface. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { launch } from "../support/browser.js";
import { tasksOf } from "./canvas/tasks.js";

/** @typedef {{ tasks?: (act: () => Promise<void>) => Promise<number[]>, loaded?: (address: string) => Promise<number>, go: (address: string) => Promise<void>, ask: (code: Function, wish?: object) => Promise<any>, close: () => Promise<void> }} Page */

const size = { width: 1440, height: 900 };

const unpaced = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

/**
 * Headless Chromium. Unless `paced`, frames follow each other without waiting for a display, so that their times are
 * their cost.
 *
 * @returns {Promise<Page>}
 */
export async function chromium({ paced = false } = {}) {
  const browser = await launch(paced ? [] : unpaced);
  const page = await browser.newPage({ viewport: size });
  return {
    // A change of the fragment alone would not load the page.
    go: async (address) => {
      await page.goto("about:blank");
      await page.goto(address);
    },
    ask: (code, wish) => page.evaluate(`(${code})(${JSON.stringify(wish)})`),
    tasks: (act) => tasksOf(browser, page, act),
    loaded: (address) => scriptsOf(page, address),
    close: () => browser.close(),
  };
}

/**
 * Returns the gzipped size in bytes of the documents, scripts and styles that the first page loads.
 */
async function scriptsOf(page, address) {
  const bodies = [];
  const note = (answer) => {
    if (["script", "stylesheet", "document"].includes(answer.request().resourceType()))
      bodies.push(answer.body());
  };
  page.on("response", note);
  await page.goto("about:blank");
  await page.goto(address);
  await page.getByRole("heading", { name: "Blueprints" }).waitFor();
  await page.waitForLoadState("load");
  page.off("response", note);
  const packed = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  return packed.reduce((sum, length) => sum + length, 0);
}

const miniBrowsers = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/webkit2gtk-4.1/MiniBrowser`,
);

/**
 * WebKitGTK as in the desktop window: on any display, without DMA-BUF.
 *
 * @returns {Promise<Page>}
 */
export async function webKit() {
  const binary = miniBrowsers.find(existsSync);
  if (!binary) throw new Error("no MiniBrowser of WebKitGTK 4.1 on this machine");
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, GDK_BACKEND: "x11", WEBKIT_DISABLE_DMABUF_RENDERER: "1" },
    stdio: "ignore",
  });
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(value.message ?? value.error);
    return value;
  };
  const options = { binary, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = await untilItAnswers(() => call("POST", "/session", { capabilities }));
  const session = `/session/${sessionId}`;
  await call("POST", `${session}/window/rect`, { ...size, x: 0, y: 0 });
  await call("POST", `${session}/timeouts`, { script: 300_000, pageLoad: 60_000 });
  return {
    go: async (address) => {
      await call("POST", `${session}/url`, { url: "about:blank" });
      await call("POST", `${session}/url`, { url: address });
    },
    ask: async (code, wish) => {
      const script = `
        const [wish, done] = arguments;
        (${code})(wish).then((value) => done({ value }), (error) => done({ error: String(error) }));
      `;
      const answer = await call("POST", `${session}/execute/async`, { script, args: [wish ?? {}] });
      if (answer.error) throw new Error(answer.error);
      return answer.value;
    },
    close: async () => {
      await call("DELETE", session).catch(() => undefined);
      driver.kill();
    },
  };
}

async function untilItAnswers(ask) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline || error.cause === undefined) throw error;
      await pause(100);
    }
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
