/**
 * A run of 1,000 nodes that changes 1,000 times a second, for a window that looks at it. No engine does that on this
 * machine, so the server's own answers are changed on their way: `run_progress` tells of states that follow the clock,
 * of all nodes at first and then, as the server does, of those that moved since and those that run; and the stream of
 * news tells which node each change is of, those of one frame together. Everything in the window is as it always is.
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
/** Milliseconds: what changes meanwhile the server tells together. */
const frame = 16;
/** Milliseconds between two changes of one node. */
const period = (1_000 * size) / changesPerSecond;

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
export async function startProxy(address) {
  const target = new URL(address);
  /** The server's whole answer; nothing until it has given one. */
  let run;
  let told = 0;
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
      // The server knows nothing of the storm: it is asked what moved since its own last event.
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
    // Events are numbered by the millisecond, as there is one in each.
    const [now, then] = [begun ? Math.floor(performance.now() - begun) : 0, after - run.seq];
    const views = run.nodes.map((_, at) => viewOf(at, now, started));
    const isTold = ({ state }, at) =>
      after === 0 || state.state === "running" || stepOf(at, now) !== stepOf(at, then);
    const nodes = run.nodes.map((node, at) => ({ ...node, ...views[at] })).filter(isTold);
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
      for (; told < (changesPerSecond / 1_000) * (now - begun); told += 1)
        changed.push(run.nodes[told % size].node);
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
      [begun, started, told] = [performance.now(), Date.now(), 0];
    },
    close: () => {
      serving.closeAllConnections();
      serving.close();
    },
  };
}

/** How often a node has changed, each once in a second, one after the other; a third is in each state. */
function stepOf(at, time) {
  return Math.floor(time / period + (3 * at) / size);
}

/** Waits, runs, is done, and begins anew @param {number} started when all this began, in milliseconds of the calendar */
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
