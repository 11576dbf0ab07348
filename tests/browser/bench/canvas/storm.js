/**
 * A proxy that shows a window a run of 1,000 nodes with 1,000 changes a second. The engine is not that fast on this
 * machine, so the proxy changes the server's responses: `run_progress` returns states that follow the clock, of all
 * nodes at first and then, like the server, of those that changed since and those that run; and the event stream
 * reports which nodes changed, batched per frame. The window itself is unchanged.
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
/** In milliseconds: changes within this time are reported together. */
const frame = 16;
/** Milliseconds between two changes of the same node. */
const period = (1_000 * size) / changesPerSecond;

/**
 * Starts a run of 1,000 nodes and kills it, so that there is one to show.
 *
 * @param {import("../../support/server.js").Server} server
 * @param {string} home
 */
export async function startRun(server, home) {
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

/**
 * Starts a proxy in front of a server.
 *
 * @param {string} address with its token
 */
export async function startProxy(address) {
  const target = new URL(address);
  /** The server's first complete response. */
  let run;
  let reported = 0;
  let begun = 0;
  let started = Date.now();
  const serving = createServer((request, answer) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { hostname, port, host } = target;
      const headers = { ...request.headers, host, "accept-encoding": "identity" };
      if (headers.origin) headers.origin = target.origin;
      delete headers.referer;
      const isLook = request.url === "/api/operations/run_progress";
      const body = Buffer.concat(chunks);
      const wish = isLook ? JSON.parse(body) : undefined;
      // The server doesn't know about the storm: ask for changes since its own last event.
      const asked = isLook ? JSON.stringify({ ...wish, after: run?.seq ?? 0 }) : body;
      if (isLook) headers["content-length"] = Buffer.byteLength(asked);
      const options = { hostname, port, path: request.url, method: request.method, headers };
      const onward = ask(options, (given) => {
        if (request.url === "/api/events") return tell(given, answer);
        if (isLook) return look(given, answer, wish.after);
        answer.writeHead(given.statusCode, given.headers);
        return given.pipe(answer);
      });
      onward.on("error", () => answer.destroy());
      onward.end(asked);
    });
  });

  async function look(given, answer, after) {
    let text = "";
    for await (const chunk of given.setEncoding("utf8")) text += chunk;
    run ??= JSON.parse(text);
    // Events are numbered by milliseconds: there is one in each.
    const [now, then] = [begun ? Math.floor(performance.now() - begun) : 0, after - run.seq];
    const views = run.nodes.map((_, at) => viewOf(at, now, started));
    const isReported = ({ state }, at) =>
      after === 0 || state.state === "running" || stepOf(at, now) !== stepOf(at, then);
    const nodes = run.nodes.map((node, at) => ({ ...node, ...views[at] })).filter(isReported);
    const summary = {
      ...run.summary,
      state: { state: "running", ending: null },
      attendance: { where: "here" },
      progress: views.map(({ state }) => state.state),
    };
    const { "content-length": _, ...headers } = given.headers;
    answer.writeHead(given.statusCode, headers);
    answer.end(JSON.stringify({ ...run, summary, seq: run.seq + now, nodes }));
  }

  function tell(given, answer) {
    answer.writeHead(given.statusCode, given.headers);
    given.pipe(answer, { end: false });
    const timer = setInterval(() => {
      if (!begun || !run) return;
      const now = performance.now();
      const changed = [];
      for (; reported < (changesPerSecond / 1_000) * (now - begun); reported += 1)
        changed.push(run.nodes[reported % size].node);
      const { plan, id } = run.summary;
      const news = { change: "run", run: id, plan, nodes: changed, whole: false };
      if (changed.length > 0) answer.write(`data: ${JSON.stringify(news)}\n\n`);
    }, frame);
    answer.on("close", () => clearInterval(timer));
  }

  serving.listen(0, "127.0.0.1");
  await once(serving, "listening");
  const here = `http://127.0.0.1:${serving.address().port}/${target.hash}`;
  return {
    address: here,
    begin: () => {
      [begun, started, reported] = [performance.now(), Date.now(), 0];
    },
    close: () => {
      serving.closeAllConnections();
      serving.close();
    },
  };
}

/** Returns how often a node has changed. Nodes change in turn, and a third is in each state. */
function stepOf(at, time) {
  return Math.floor(time / period + (3 * at) / size);
}

/**
 * Returns a node's state: pending, running, done, then pending again.
 *
 * @param {number} started in milliseconds since 1970
 */
function viewOf(at, time, started) {
  const step = stepOf(at, time);
  const since = started + Math.ceil((step - (3 * at) / size) * period);
  const attempt = 1 + Math.floor(step / 3);
  switch (step % 3) {
    case 0:
      return { state: { state: "pending" }, attempt, startedAt: null, endedAt: null };
    case 1:
      return { state: { state: "running" }, attempt, startedAt: since, endedAt: null };
    default: {
      const times = { startedAt: since - period, endedAt: since };
      return { state: { state: "done", byHand: false }, attempt, ...times };
    }
  }
}
