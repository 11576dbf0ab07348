/** Sample data: blueprints in every state, sessions of agents, and items that wait for a person. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** How long a run may take to settle, in milliseconds. */
const timeoutMs = 60_000;

const recorded = path.resolve(import.meta.dirname, "../../fixtures/transcripts");

const histories = {
  "claude/write_bash_bypass.jsonl":
    ".claude/projects/-home-dev-project/22222222-2222-4222-8222-222222222222.jsonl",
  "claude/thinking.jsonl":
    ".claude/projects/-home-dev-project/22222222-2222-4222-8222-222222222223.jsonl",
  "codex/write_bash_ws.jsonl":
    ".codex/sessions/2026/11/21/rollout-2026-11-21T03-02-46-01a1fc0e-6bfd-70e3-9c5e-60a771c40a21.jsonl",
  "pi/write_bash.jsonl":
    ".pi/agent/sessions/--home-dev-project--/2026-11-21T03-02-46-000Z_a1.jsonl",
};

const command = (id, title, line, rest = {}) => ({
  ...{ id, title, kind: "command", command: line },
  ...rest,
});

/** The smallest picture, a summary in Markdown, and one with a table that is wider than a window. */
const writeResults = [
  "echo R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw== | base64 -d > dot.gif",
  `printf '## Both sides\\n\\n- **north**: 1 line\\n- **south**: 1 line\\n\\n| %s\\n|${" - |".repeat(12)}\\n' "${"a column with a long name | ".repeat(12)}" > "$BATON_SUMMARY"`,
].join("; ");

/** The sample plans. Together they contain every stable state of a node. */
const plans = {
  done: {
    title: "Harbour report",
    description: "Counts what lies in the harbour and writes it down.",
    tags: ["weekly", "harbour"],
    nodes: [
      command("count", "Count the boats", "echo 12 boats"),
      command("weigh", "Weigh the cargo", "echo 340 t"),
      command("write", "Write the report", "echo written > report", {
        dependsOn: ["count", "weigh"],
      }),
    ],
  },
  failed: {
    title: "Release the second edition",
    nodes: [
      command("build", "Build", "echo built"),
      command("test", "Test in every browser", "echo 3 of 40 failed >&2; exit 7", {
        dependsOn: ["build"],
      }),
      command("publish", "Publish", "true", { dependsOn: ["test"] }),
      { id: "why", kind: "note", text: "Publish only on weekdays." },
    ],
  },
  running: {
    title: "Nightly copy",
    nodes: [
      command("copy", "Copy the archive", "echo copying; sleep 600", { timeoutMs: 900_000 }),
      command("check", "Check the copy", "true", { dependsOn: ["copy"] }),
    ],
  },
  waiting: {
    title: "Christening",
    nodes: [
      {
        ...{ id: "name", title: "Pick a name", kind: "user_input" },
        ...{ question: "What should the release be called?", inputType: "text" },
      },
      command("paint", "Paint the name", "echo {{nodes.name.outputs.answer}}", {
        dependsOn: ["name"],
      }),
    ],
  },
  gates: {
    title: "Gates",
    autonomy: 0,
    nodes: [command("gate", "Open the gate", "touch gate")],
  },
  agent: {
    title: "Light",
    autonomy: 4,
    nodes: [
      { id: "lamp", title: "Lamp", kind: "agent", agent: "claude", prompt: "Light the lamp." },
    ],
  },
  grouped: {
    title: "Grouped",
    isolation: "worktree",
    groups: [
      { title: "Gather what is there", color: "teal", nodes: ["north", "south"] },
      { title: "Deliver", nodes: ["join", "later"] },
    ],
    nodes: [
      command("north", "North side", "echo north > north.txt"),
      command("south", "South side", "echo south > south.txt"),
      command("join", "Join both", `cat north.txt south.txt > both.txt; ${writeResults}`, {
        dependsOn: ["north", "south"],
      }),
      command("later", "Tell everybody", "true", { dependsOn: ["join"], disabled: true }),
      { id: "hint", kind: "note", text: "**North** first: it is *slower*.", color: "yellow" },
      { id: "plain", kind: "note", text: "A note without a color." },
    ],
  },
  reviewed: {
    title: "Greeting",
    autonomy: 4,
    isolation: "worktree",
    nodes: [
      { id: "write", title: "Write", kind: "agent", agent: "claude", prompt: "Write a greeting." },
    ],
  },
  changed: {
    title: "Changed since",
    nodes: [
      command("old", "What stays", "true"),
      command("gone", "What goes", "true", { dependsOn: ["old"] }),
    ],
  },
  wide: {
    title: "Two hundred nodes",
    nodes: Array.from({ length: 200 }, (_, at) =>
      command(`n${at}`, `Node ${at} with a title that says a little more than it must`, "true", {
        dependsOn: at < 20 ? [] : [`n${at - 20}`, ...(at % 20 === 0 ? [] : [`n${at - 21}`])],
      }),
    ),
  },
  empty: { title: "Nothing in it yet", nodes: [] },
};

/** The final node states of each started run, in plan order. */
const finalStates = {
  done: ["done", "done", "done"],
  agent: ["done"],
  reviewed: ["done"],
  failed: ["done", "failed", "blocked"],
  running: ["running", "pending"],
  waiting: ["waiting", "pending"],
  gates: ["waiting"],
  grouped: ["done", "done", "done", "skipped"],
};

/**
 * Calls an operation like the interface does.
 *
 * @param {import("./server.js").Server} server
 */
export async function operation(server, name, input) {
  const { origin, hash } = new URL(server.address);
  const response = await fetch(`${origin}/api/operations/${name}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${decodeURIComponent(hash.replace("#token=", ""))}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(input),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${name} was refused: ${answer.message}`);
  return answer;
}

/**
 * Copies recorded transcripts to the agents' own folders; call it before the server starts.
 *
 * @param {string} home
 */
export async function writeAgentHistories(home) {
  for (const [from, to] of Object.entries(histories)) {
    await mkdir(path.dirname(path.join(home, to)), { recursive: true });
    await copyFile(path.join(recorded, from), path.join(home, to));
  }
}

/**
 * @typedef {object} SampleBlueprint
 * @property {string} id of the blueprint
 * @property {(title: string) => string | undefined} node the id of one of its nodes
 */

/**
 * Imports the plans, starts their runs, and waits until each run has settled.
 *
 * @param {import("./server.js").Server} server
 * @param {string} folder where the nodes work
 * @returns {Promise<Record<keyof typeof plans, SampleBlueprint>>} the blueprints by purpose
 */
export async function createSampleData(server, folder) {
  const ids = {};
  const started = [];
  const repositoryFolder = await createRepository(`${folder}-apart`);
  for (const [name, plan] of Object.entries(plans)) {
    const cwd = plan.isolation === "worktree" ? repositoryFolder : folder;
    const text = JSON.stringify({ baton: 1, cwd, ...plan });
    const imported = await operation(server, "plan_import", {
      fileName: "p.json",
      text,
      cwd: null,
    });
    const { id, nodes } = imported.plan.plan;
    ids[name] = { id, node: (title) => nodes.find((node) => node.title === title)?.id };
    if (!(name in finalStates)) continue;
    await operation(server, "plan_approve", { plan: id, revision: imported.plan.revision });
    const goal = { want: "all" };
    const { summary } = await operation(server, "run_start", { plan: id, goal, limit: null });
    started.push([summary.id, finalStates[name]]);
  }
  await createSecondVersion(server, ids.changed.id);
  ids.proposed = { id: await propose(server, folder), node: () => undefined };
  for (const [run, words] of started) await waitUntilSettled(server, run, words);
  return ids;
}

/** Creates a git repository, in which nodes can work in worktrees. */
async function createRepository(folder) {
  const git = (...words) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: folder,
    });
  await mkdir(folder, { recursive: true });
  await git("init", "-q");
  await writeFile(path.join(folder, "readme.txt"), "first\n");
  await git("add", "--all");
  await git("commit", "-q", "-m", "first");
  const address = "https://github.com/acme/harbour";
  await git("init", "-q", "--bare", `${folder}-remote.git`);
  await git("config", `url.${folder}-remote.git.insteadOf`, address);
  await git("remote", "add", "origin", address);
  await git("push", "-q", "origin", "HEAD:main");
  return folder;
}

/** Approves a plan and saves a second version with another title and one node less. */
async function createSecondVersion(server, id) {
  const { revision } = await operation(server, "plan_get", { plan: id });
  const approved = await operation(server, "plan_approve", { plan: id, revision });
  const [first] = approved.plan.nodes;
  const nodes = [{ ...first, title: "What stays under another title" }];
  const plan = { ...approved.plan, nodes, edges: [] };
  await operation(server, "plan_save", { plan, baseRevision: approved.revision });
}

/** Starts a planner and waits until its proposal is ready. */
async function propose(server, cwd) {
  const wish = { goal: "Light the harbour.", cwd, agent: "claude", model: null, constraints: [] };
  const { id } = (await operation(server, "plan_generate", wish)).summary;
  let state;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause(50)) {
    state = (await operation(server, "proposal_get", { proposal: id })).summary.state;
    if (state.state === "ready") return id;
  }
  throw new Error(`the proposal is ${JSON.stringify(state)}`);
}

/** Waits until a run has settled: before that, the pages still change. */
export async function waitUntilSettled(server, run, words) {
  const wanted = words.join();
  let found;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause(50)) {
    const { summary } = await operation(server, "run_get", { run });
    found = summary.progress.join();
    if (found === wanted) return;
  }
  throw new Error(`the nodes of run ${run} are ${found}, not ${wanted}`);
}

/**
 * Creates many blueprints.
 *
 * @param {import("./server.js").Server} server
 * @param {string} folder
 * @param {number} count
 */
export async function createManyPlans(server, folder, count) {
  for (let number = 0; number < count; number += 1) {
    const plan = {
      ...{
        baton: 1,
        cwd: path.join(folder, "a/directory/that/lies/deep/below/the/home"),
        nodes: [],
      },
      title: `Blueprint ${number} whose title goes on and on, because somebody wrote a whole sentence as its title`,
      tags: ["a-long-tag-of-a-team", "weekly", "harbour"],
    };
    const text = JSON.stringify(plan);
    await operation(server, "plan_import", { fileName: "p.json", text, cwd: null });
  }
}
