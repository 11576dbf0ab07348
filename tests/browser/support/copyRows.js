/**
 * Makes a database large: copies a blueprint and a run in it, where thousands of each would take long to create with
 * operations. No server may use the database meanwhile. Needs the command `sqlite3`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * @typedef {object} Blueprint what tells a copy from the others
 * @property {string} title
 * @property {string[]} tags
 */

/**
 * Copies a blueprint without nodes, once for each of `blueprints`. Each copy is a second older than the one before.
 *
 * @param {string} database
 * @param {string} plan its id
 * @param {Blueprint[]} blueprints
 */
export async function copyBlueprint(database, plan, blueprints) {
  const content = `json_set(content, '$.id', copies.text_id, '$.title', copies.title, '$.tags', json(copies.tags))`;
  const older = (column) => `${column} - copies.number * 1000`;
  const copies = await Promise.all([
    insertCopies(database, "plans", `original.id = ${blob(plan)}`, {
      id: "copies.id",
      title: "copies.title",
      tags: "copies.tags",
      created_at: older("created_at"),
      updated_at: older("updated_at"),
    }),
    insertCopies(database, "plan_versions", `original.plan = ${blob(plan)}`, {
      plan: "copies.id",
      content,
    }),
  ]);
  const values = JSON.stringify(blueprints.map(({ title, tags }) => [title, JSON.stringify(tags)]));
  await execute(
    database,
    `CREATE TEMP TABLE copies AS
       SELECT key + 1 AS number, value ->> 0 AS title, value ->> 1 AS tags, randomblob(16) AS id, '' AS text_id
       FROM json_each(${quoted(values)});
     UPDATE copies SET text_id = ${uuidText("id")};
     ${copies.join("\n")}`,
  );
}

/**
 * Makes `count` copies of a run that has ended and has no sessions. Each is a second older than the one before.
 *
 * @param {string} database
 * @param {string} run its id
 * @param {number} count
 */
export async function copyRun(database, run, count) {
  const older = (column) => `${column} - copies.number * 1000`;
  const own = `original.run = ${blob(run)}`;
  const planOfRun = `plans.id = (SELECT plan FROM runs WHERE id = ${blob(run)})`;
  const copies = await Promise.all([
    insertCopies(database, "runs", `original.id = ${blob(run)}`, {
      id: "copies.id",
      number: "copies.run_number",
      created_at: older("created_at"),
      started_at: older("started_at"),
      ended_at: older("ended_at"),
    }),
    ...["run_goals", "node_states"].map((table) =>
      insertCopies(database, table, own, { run: "copies.id" }),
    ),
    insertCopies(database, "run_events", own, { run: "copies.id", at: older("at") }),
  ]);
  await execute(
    database,
    `CREATE TEMP TABLE copies AS
       WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
       SELECT number, next_run_number + number - 1 AS run_number, randomblob(16) AS id
       FROM numbers CROSS JOIN (SELECT next_run_number FROM plans WHERE ${planOfRun});
     ${copies.join("\n")}
     UPDATE plans SET next_run_number = next_run_number + ${count} WHERE ${planOfRun};`,
  );
}

/** An insert of a copy for each row of `copies`; columns that aren't in `changed` stay the same. */
async function insertCopies(database, table, where, changed) {
  const query = `SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`;
  const columns = (await execute(database, query)).trim().split("\n");
  const values = columns.map((column) => changed[column] ?? `original.${column}`);
  return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} AS original CROSS JOIN copies WHERE ${where};`;
}

/** The text of a UUID that is stored as bytes. */
function uuidText(column) {
  const digits = [1, 9, 13, 17, 21].map(
    (from, at) => `substr(lower(hex(${column})), ${from}, ${[8, 4, 4, 4, 12][at]})`,
  );
  return digits.join(" || '-' || ");
}

const blob = (id) => `x'${id.replaceAll("-", "")}'`;
const quoted = (value) => `'${value.replaceAll("'", "''")}'`;

/** @returns {Promise<string>} what the statements returned */
async function execute(database, statements) {
  const sqlite = spawn("sqlite3", ["-bail", database], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(sqlite, "close");
  sqlite.stdin.end(`.timeout 10000\nBEGIN IMMEDIATE;\n${statements};\nCOMMIT;\n`);
  const [printed, [code]] = await Promise.all([text(sqlite.stdout), ended]);
  if (code !== 0) throw new Error(`sqlite3 ended with exit code ${code}`);
  return printed;
}
