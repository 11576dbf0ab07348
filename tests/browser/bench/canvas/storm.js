/**
 * A run of 1,000 nodes that changes 1,000 times a second, for a window that looks at it. No engine does that on this
 * machine, so the server's own answers are changed on their way: `run_get` tells of states that follow the clock, and
 * the stream of news tells of each change. Everything in the window is as it always is.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as ask, createServer } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { planOf } from "../../support/layeredGraph.js";
import { baton } from "../../support/server.js";

export const stormTitle = "A run of 1000 nodes";
const size = 1_000;
const changesPerSecond = 1_000;
const interval = 10;

/** Begins a run of 1,000 nodes and breaks it off, so that there is one to look at @param {import("../../support/server.js").Server} server @param {string} home */
export async function beginRun(server, home) {
  const plan = planOf(size);
  const nodes = plan.nodes.map((node) => ({ ...node, command: "sleep 600" }));
  const file = path.join(home, "storm.json");
  await writeFile(file, JSON.stringify({ ...plan, title: stormTitle, nodes, autonomy: 4 }));
  const run = spawn(baton, ["run", file, "--yes"], {
    env: server.environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(run.stdout, "data");
  await pause(500);
  run.kill("SIGKILL");
  await once(run, "exit");
}

/** Stands before a server @param {string} address with its token */
export async function standBefore(address) {
  const target = new URL(address);
  let ids;
  let begun = 0;
  const serving = createServer((request, answer) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { hostname, port, host } = target;
      const headers = { ...request.headers, host, "accept-encoding": "identity" };
      if (headers.origin) headers.origin = target.origin;
      delete headers.referer;
      const options = { hostname, port, path: request.url, method: request.method, headers };
      const onward = ask(options, (given) => {
        if (request.url === "/api/events") return tell(given, answer);
        if (request.url !== "/api/operations/run_get") {
          answer.writeHead(given.statusCode, given.headers);
          return given.pipe(answer);
        }
        return change(given, answer);
      });
      onward.on("error", () => answer.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });

  async function change(given, answer) {
    let text = "";
    for await (const chunk of given.setEncoding("utf8")) text += chunk;
    const run = JSON.parse(text);
    ids = { plan: run.summary.plan, run: run.summary.id };
    const states = run.nodes.map((_, at) => stateAt(at, begun ? performance.now() - begun : 0));
    for (const [at, node] of run.nodes.entries()) Object.assign(node, viewOf(states[at]));
    run.summary.state = { state: "running", ending: null };
    run.summary.attendance = { where: "here" };
    run.summary.progress = states;
    const { "content-length": _, ...headers } = given.headers;
    answer.writeHead(given.statusCode, headers);
    answer.end(JSON.stringify(run));
  }

  function tell(given, answer) {
    answer.writeHead(given.statusCode, given.headers);
    given.pipe(answer, { end: false });
    const timer = setInterval(() => {
      if (!begun || !ids) return;
      const news = `data: ${JSON.stringify({ change: "run", ...ids })}\n\n`;
      answer.write(news.repeat((changesPerSecond * interval) / 1_000));
    }, interval);
    answer.on("close", () => clearInterval(timer));
  }

  serving.listen(0, "127.0.0.1");
  await once(serving, "listening");
  const here = `http://127.0.0.1:${serving.address().port}/${target.hash}`;
  return {
    address: here,
    begin: () => {
      begun = performance.now();
    },
    close: () => {
      serving.closeAllConnections();
      serving.close();
    },
  };
}

/** Each node changes once in a second, one after the other: waits, runs, is done, and begins anew. */
function stateAt(at, time) {
  const step = Math.floor((time / 1_000) * (changesPerSecond / size) + at / size);
  return ["pending", "running", "done"][step % 3];
}

function viewOf(state) {
  const times = { startedAt: state === "pending" ? null : Date.now() - 500, endedAt: null };
  if (state === "done") times.endedAt = Date.now();
  return { state: state === "done" ? { state, byHand: false } : { state }, attempt: 1, ...times };
}
