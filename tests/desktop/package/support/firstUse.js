/**
 * The first use of the installed programs: a plan is imported from a file, run in the window, and
 * read in the shell.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Blueprint } from "../../support/blueprint.js";
import { endProcessesOf } from "../../support/processes.js";
import { baton, environmentOf, Window } from "../../support/window.js";

const plan = `baton: 1
title: First hour
nodes:
  - id: fetch
    title: Fetch
    kind: command
    command: echo fetched | tee fetched.txt
  - id: count
    title: Count
    kind: command
    command: wc -l < fetched.txt > count.txt
    dependsOn: [fetch]
`;

/** Where the screenshot and the log are kept after a failure. */
const evidence = path.resolve(import.meta.dirname, "../../output/installed");

export async function runFirstUse() {
  const home = await mkdtemp(path.join(tmpdir(), "baton-installed-"));
  const folders = { home, data: path.join(home, "data"), evidence };
  await rm(evidence, { recursive: true, force: true });
  await Promise.all([folders.data, evidence].map((each) => mkdir(each, { recursive: true })));
  const file = path.join(home, "first.baton.yaml");
  await writeFile(file, plan);
  const window = await Window.open(folders);
  try {
    await window.get("link", "Blueprints");
    // Like a double click in a file manager.
    const env = environmentOf(folders);
    await promisify(execFile)(baton, [file], { env, timeout: 20_000 });
    await window.text("Nothing is imported yet");
    await window.click("button", "Import blueprint");
    const blueprint = new Blueprint(window);
    await blueprint.card("Fetch");
    await blueprint.run();
    await blueprint.card("Count", "Done");
    assert.equal((await readFile(path.join(home, "count.txt"), "utf8")).trim(), "1");

    const shell = path.join(path.dirname(baton), "baton");
    const { stdout } = await promisify(execFile)(shell, ["runs", "list", "--json"], { env });
    assert.match(stdout, /First hour/);
    await rm(evidence, { recursive: true });
  } catch (error) {
    await window.saveEvidence();
    throw error;
  } finally {
    await window.close();
    await endProcessesOf(folders.data);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
