/** The example in the pictures of README and Help: a small repository and its release. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const commits = ["Boil water", "Keep it warm", "Stop when empty"];

const command = (id, title, line, rest = {}) => ({
  ...{ id, title, kind: "command", command: line, timeoutMs: 900_000 },
  ...rest,
});

/** A command that runs until it is stopped. */
const longRunning = "sleep 600";

const gathering = [
  command("commits", "Collect commits", "git log --format=%s"),
  command("tests", "Run the tests", `cat tests.txt; ${longRunning}`, { dependsOn: ["commits"] }),
  command(
    "licenses",
    "Check the licenses",
    'echo 42 licenses, all permissive; echo count=42 >> "$BATON_OUTPUT"',
    {
      dependsOn: ["commits"],
    },
  ),
  command("size", "Measure the binaries", longRunning, { dependsOn: ["commits"] }),
];

const groups = [{ title: "Checks", color: "teal", nodes: ["tests", "licenses", "size"] }];

/** A run in progress: one node is done, one running, and one asks a question. */
export const release = {
  title: "Release 2.4",
  description: "Check and publish version 2.4.",
  groups,
  nodes: [
    ...gathering,
    {
      ...{ id: "name", title: "Name the release", kind: "user_input" },
      // Soft edges don't delay the question; the layout places it after all three.
      dependsOn: ["licenses", { node: "tests", soft: true }, { node: "size", soft: true }],
      ...{ question: "What is the release called?", inputType: "text" },
    },
    command("notes", "Draft release notes", "true", { dependsOn: ["tests", "licenses", "size"] }),
  ],
};

/** A blueprint that is not approved yet. */
export const draft = {
  title: "Weekly report",
  description: "Collect what happened this week and write it down.",
  nodes: [
    command("collect", "Collect changes", "git log --format=%s > changes.txt"),
    command("count", "Count them", "wc -l < changes.txt", { dependsOn: ["collect"] }),
    command("write", "Write the report", "cp changes.txt report.md", { dependsOn: ["count"] }),
  ],
};

/** A run that finishes, with distinguishable durations. */
export const finished = {
  title: "Nightly check",
  description: "Build, test and pack what is there.",
  nodes: [
    command("build", "Build", "sleep 1.2; echo built > build.txt"),
    command("lint", "Lint", "sleep 0.6; echo no warnings", { dependsOn: ["build"] }),
    command("test", "Test", "sleep 1.8; echo 128 tests passed", { dependsOn: ["build"] }),
    command("docs", "Build the docs", "sleep 0.9; echo 40 pages > docs.txt", {
      dependsOn: ["build"],
    }),
    command("pack", "Pack", "sleep 0.7; cat build.txt docs.txt > packed.txt", {
      dependsOn: ["lint", "test", "docs"],
    }),
  ],
};

/**
 * Creates a repository with a reproducible history.
 *
 * @param {string} folder
 */
export async function createExampleRepository(folder) {
  await mkdir(folder, { recursive: true });
  const when = "2026-01-05T09:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
  const git = (...words) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd: folder,
      env,
    });
  await git("init", "-q");
  for (const subject of commits) await git("commit", "-q", "--allow-empty", "-m", subject);
  const tests = ["stops_when_empty", "keeps_warm", "opens_by_lever", "pours_without_drips"];
  await writeFile(
    path.join(folder, "tests.txt"),
    tests.map((name) => `test ${name} ... ok\n`).join(""),
  );
}
