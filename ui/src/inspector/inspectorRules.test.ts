import { expect, test } from "vitest";
import { changeNodes } from "@/plan/edits";
import { planOf } from "@/plan/planFixture";
import { commandText, parseArgv } from "./commandText";
import { envNameError, fromEnvRows, toEnvRows } from "./envRows";
import {
  ancestorNodes,
  nodesReferencing,
  referencesIn,
  renameInText,
  renameSlug,
} from "./references";
import { sharedValue } from "./sharedValue";
import { slugError } from "./slugError";
import { switchNodeKind } from "./switchNodeKind";

const reference = (slug: string, key = "x") => `{{nodes.${slug}.outputs.${key}}}`;

test("renames exact references only", () => {
  const text = `a ${reference("old")} b {{ nodes.old.outputs.y }} c ${reference("old-2")} {{nodes.old}}`;
  expect(referencesIn(text).map(({ slug }) => slug)).toEqual(["old", "old", "old-2"]);
  expect(renameInText("{{nodes.old.outputs.x | split}}", "old", "new")).toBe(
    "{{nodes.new.outputs.x | split}}",
  );
  expect(renameInText(text, "old", "new")).toBe(
    `a ${reference("new")} b {{ nodes.new.outputs.y }} c ${reference("old-2")} {{nodes.old}}`,
  );
});

function planWithReferences() {
  const plan = planOf(["a", "b", "c", "d"], ["a>b", "b>c"]);
  const commands = [
    "true",
    `echo ${reference("a")}`,
    ["echo", reference("a"), reference("b")],
    "x",
  ];
  return {
    ...plan,
    nodes: plan.nodes.map((node, at) => ({
      ...node,
      kind: { kind: "command" as const, command: commands[at] ?? "", env: {}, cwd: null },
    })),
  };
}

test("renaming an id updates prompts and commands that reference it", () => {
  const plan = planWithReferences();
  expect(nodesReferencing(plan, "a").map(({ id }) => id)).toEqual(["b", "c"]);
  const renamed = renameSlug(plan, "a", "first", true);
  expect(renamed.nodes.map(({ slug }) => slug)).toEqual(["first", "b", "c", "d"]);
  expect(renamed.nodes[1]?.kind).toMatchObject({ command: `echo ${reference("first")}` });
  expect(renamed.nodes[2]?.kind).toMatchObject({
    command: ["echo", reference("first"), reference("b")],
  });
  expect(renamed.nodes[3], "nodes without the reference keep their identity").toBe(plan.nodes[3]);
  expect(renameSlug(plan, "a", "first", false).nodes[1]).toBe(plan.nodes[1]);
  expect(renameSlug(plan, "a", "a", true)).toBe(plan);
});

test("a node can reference all its ancestors and nothing else", () => {
  const plan = planWithReferences();
  expect(ancestorNodes(plan, "c").map(({ slug }) => slug)).toEqual(["a", "b"]);
  expect(ancestorNodes(plan, "d")).toEqual([]);
});

test("IDs follow the same rule as in the backend", () => {
  const plan = planOf(["a", "b"], []);
  expect(slugError(plan, "a", "a")).toBeUndefined();
  expect(slugError(plan, "a", "b")).toContain("Title of b");
  expect(slugError(plan, "a", "-x")).toBeDefined();
  expect(slugError(plan, "a", "größe")).toBeDefined();
  expect(slugError(plan, "a", "x".repeat(81))).toContain("80");
  expect(slugError(plan, "a", "")).toBeDefined();
});

test("switching the kind keeps text and settings; a note loses its dependencies", () => {
  const plan = planWithReferences();
  const agent = switchNodeKind(plan, "c", "agent");
  expect(agent.nodes[2]).toMatchObject({
    slug: "c",
    kind: { kind: "agent", prompt: `echo '${reference("a")}' '${reference("b")}'` },
  });
  expect(agent.edges).toBe(plan.edges);
  const note = switchNodeKind(plan, "b", "note");
  expect(note.nodes[1]?.kind).toEqual({ kind: "note", text: `echo ${reference("a")}` });
  expect(note.edges).toEqual([]);
  expect(switchNodeKind(plan, "a", "command")).toBe(plan);
});

test("arguments round-trip through a shell command line", () => {
  const argvs = [["make"], ["echo", "a b", "it's", '"', "$HOME", ""], ["x\ny"]];
  for (const argv of argvs) expect(parseArgv(commandText(argv))).toEqual(argv);
  expect(parseArgv(`git  commit -m "a \\"b\\"" c\\ d`)).toEqual([
    "git",
    "commit",
    "-m",
    'a "b"',
    "c d",
  ]);
  expect(parseArgv("  ")).toEqual([]);
});

test("invalid variable names are reported", () => {
  const rows = [
    { name: "A", value: "1" },
    { name: "A", value: "2" },
    { name: "B C", value: "" },
    { name: "", value: "x" },
    { name: "BATON_RUN_ID", value: "x" },
  ];
  expect(rows.map((_, at) => envNameError(rows, at) === undefined)).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(fromEnvRows(rows.slice(3))).toEqual({ BATON_RUN_ID: "x" });
  expect(toEnvRows({ A: "1" })).toEqual([{ name: "A", value: "1" }]);
});

test("several nodes show shared values and change together", () => {
  const plan = planOf(["a", "b"], []);
  expect(sharedValue(plan.nodes, (node) => node.priority)).toBe(5);
  expect(sharedValue(plan.nodes, (node) => node.title)).toBeUndefined();
  const changed = changeNodes(plan, new Set(["a", "b"]), (node) => ({ ...node, maxRetries: 2 }));
  expect(changed.nodes.map((node) => node.maxRetries)).toEqual([2, 2]);
});
