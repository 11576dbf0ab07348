/**
 * Libraries of any size for the pages that list things: as many blueprints, runs, sessions, inbox items and nodes of one
 * plan as wanted, created with the operations that the interface uses. From `mostCreated` on, blueprints and runs are
 * copies of created ones.
 */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { copyBlueprint, copyRun } from "./copyRows.js";
import { operation, waitUntilSettled } from "./sampleData.js";

/** Requests at a time; more don't make the server faster. */
const parallel = 8;

/** How many blueprints and runs are created with operations: ten thousand would take 18 minutes. */
const mostCreated = 200;

/**
 * Writes sessions of claude that were held outside Baton. Call it before the server starts.
 *
 * @param {string} home
 * @param {number} count
 * @param {(number: number) => string} titleOf
 */
export async function writeSessions(home, count, titleOf) {
  const folder = path.join(home, ".claude/projects/-home-dev-library");
  await mkdir(folder, { recursive: true });
  await inParallel(count, async (number) => {
    const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
    const common = { sessionId, cwd: "/home/dev/library", version: "2.1.329", timestamp };
    const asked = { role: "user", content: titleOf(number) };
    const said = {
      ...{ id: `msg_${number}`, role: "assistant", model: "claude-opus-5-5" },
      content: [{ type: "text", text: `Done: ${titleOf(number + 1)}` }],
      usage: { input_tokens: 1_234_567, output_tokens: 98_765 },
    };
    const records = [
      { type: "user", uuid: `u${number}`, parentUuid: null, message: asked },
      { type: "assistant", uuid: `a${number}`, parentUuid: `u${number}`, message: said },
    ];
    const lines = records.map((record) => `${JSON.stringify({ ...common, ...record })}\n`);
    await writeFile(path.join(folder, `${sessionId}.jsonl`), lines.join(""));
  });
}

/**
 * Creates `count` blueprints and runs, and a plan of `count` questions, all of which wait in the inbox.
 *
 * @param {import("./server.js").Server} server
 * @param {string} cwd
 * @param {number} count
 * @param {(number: number) => string} titleOf
 * @returns {Promise<{ work: string, questions: string, failed: string }>} the plans to open, and
 *   the failed node of the first
 */
export async function createLibrary(server, cwd, count, titleOf) {
  const create = (plan) => createPlan(server, { baton: 1, cwd, ...plan });
  const created = Math.min(count, mostCreated);
  await inParallel(created, (number) =>
    create({ title: titleOf(number), tags: tagsOf(titleOf, number), nodes: [] }),
  );

  // Nothing is executed for a disabled node, so these runs end at once.
  const nodes = [{ ...{ id: "off", title: titleOf(1) }, ...{ kind: "command", command: "true" } }];
  const idle = await create({ title: titleOf(0), nodes: [{ ...nodes[0], disabled: true }] });
  const runs = [];
  await inParallel(created - 1, async () => runs.push(await start(server, idle)), 1);
  if (count > created) {
    const empty = await create({ title: titleOf(created), nodes: [] });
    const [last] = runs.slice(-1);
    await waitUntilSettled(server, last, ["skipped"]);
    await server.kill();
    const database = path.join(server.data, "baton.db");
    const blueprints = Array.from({ length: count - created - 1 }, (_, at) => {
      const number = created + 1 + at;
      return { title: titleOf(number), tags: tagsOf(titleOf, number) };
    });
    await copyBlueprint(database, empty.plan.id, blueprints);
    await copyRun(database, last, count - created);
    await server.start();
  }

  const work = await create(workPlan(titleOf));
  const first = await start(server, work);
  const failed = work.plan.nodes.find(({ title }) => title === titleOf(3)).id;

  const questions = await create(questionsPlan(count, titleOf));
  await start(server, questions);
  await waitUntilSettled(server, first, ["done", "failed", "blocked"]);
  await assertCounts(server, count);
  return { work: work.plan.id, questions: questions.plan.id, failed };
}

/** The server reads copied rows like created ones. */
async function assertCounts(server, count) {
  const all = { plan: null, states: [], startedBy: null, search: "", since: null, until: null };
  const page = { ...all, sort: "newest", after: null, limit: 1 };
  const { total } = await operation(server, "runs_page", page);
  assert.equal(total, count + 1, "the idle runs, one of the work plan and one of the questions");
  const plans = await operation(server, "plans_list", {});
  assert.ok(plans.length >= count + 3, `${plans.length} blueprints`);
}

const tagsOf = (titleOf, number) => [[...titleOf(number)].slice(0, 60).join(""), "weekly"];

/** A plan of three nodes, of which one succeeds, one fails, and one is blocked. */
function workPlan(titleOf) {
  const command = (id, title, line, rest) => ({
    id,
    title,
    kind: "command",
    command: line,
    ...rest,
  });
  const output = "seq 1 200; echo ".concat("long".repeat(200), " >&2");
  return {
    title: titleOf(1),
    description: titleOf(2),
    tags: [...tagsOf(titleOf, 1), "a", "b"],
    nodes: [
      command("one", titleOf(2), `${output}; echo '# ${titleOf(2)}' > ${"f".repeat(120)}.md`),
      command("two", titleOf(3), `${output}; exit 7`, { dependsOn: ["one"] }),
      command("three", titleOf(4), "true", { dependsOn: ["two"] }),
      { id: "note", kind: "note", text: titleOf(5) },
    ],
    groups: [{ title: titleOf(1), nodes: ["one", "two"] }],
  };
}

function questionsPlan(count, titleOf) {
  return {
    title: titleOf(0),
    nodes: Array.from({ length: count }, (_, number) => ({
      ...{ id: `q${number}`, title: titleOf(number), kind: "user_input" },
      ...{ question: titleOf(number + 1), inputType: "text" },
      position: { x: (number % 20) * 284, y: Math.floor(number / 20) * 104 },
    })),
  };
}

async function createPlan(server, plan) {
  const text = JSON.stringify(plan);
  const input = { fileName: "p.json", text, cwd: null };
  return (await operation(server, "plan_import", input)).plan;
}

/** Approves the plan and starts a run of all nodes. */
async function start(server, { plan, revision }) {
  await operation(server, "plan_approve", { plan: plan.id, revision }).catch(() => undefined);
  const wish = { plan: plan.id, goal: { want: "all" }, limit: null };
  return (await operation(server, "run_start", wish)).summary.id;
}

async function inParallel(count, create, width = parallel) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await create(number);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
