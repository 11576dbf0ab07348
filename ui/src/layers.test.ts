import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

/**
 * The folders, lowest layer first. A file imports only from its own folder and from lower layers,
 * not from other folders of its layer.
 */
const layers: readonly (readonly string[])[] = [
  // The backend's API and the visual design.
  ["api", "design"],
  ["components"],
  ["shell"],
  ["commands", "run"],
  ["plan"],
  ["attempt"],
  ["pending"],
  // Features.
  [
    "gantt",
    "graph",
    "inspector",
    "mergeBack",
    "outline",
    "output",
    "planner",
    "playback",
    "pullRequest",
    "review",
    "simulation",
    "terminal",
    "timeline",
  ],
  // Pages, composed of features.
  [
    "apiReference",
    "blueprint",
    "blueprints",
    "desktop",
    "doctor",
    "help",
    "inbox",
    "proposals",
    "runs",
    "sessions",
    "settings",
    "statistics",
    "versions",
  ],
  ["app"],
];

const source = import.meta.dirname;
const levels = new Map(layers.flatMap((names, level) => names.map((name) => [name, level])));

/** Test fixtures may be imported from any folder. */
const forTests =
  /(\.test|Fixture|\/fakeBackend|\/renderWithBackend|\/renderApp|\/renderSettings)(\.tsx?)?$/;

const importing = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])([@.][^"'\n]*)\1/g;

function filesOf(): string[] {
  const all = readdirSync(source, { recursive: true, encoding: "utf8" });
  return all.filter((file) => /\.tsx?$/.test(file) && file !== "api/bindings.ts");
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(importing)].flatMap(([, , name]) => {
    if (name?.startsWith("@/")) return [name.slice(2)];
    if (!name?.startsWith(".")) return [];
    return [normalize(relative(source, join(source, dirname(file), name)))];
  });
}

const folderOf = (path: string): string => path.split("/")[0] ?? "";

function isAllowed(file: string, target: string): boolean {
  // Data of the build, such as the document of the REST API.
  if (target.startsWith("../") && target.endsWith("?raw")) return true;
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to) return true;
  if (forTests.test(file) && forTests.test(target)) return true;
  return (levels.get(to) ?? Number.POSITIVE_INFINITY) < (levels.get(from) ?? -1);
}

test("every folder belongs to a layer", () => {
  const folders = filesOf().filter((file) => file.includes("/"));
  const unknown = folders.map(folderOf).filter((folder) => !levels.has(folder));
  expect([...new Set(unknown)]).toEqual([]);
});

test("folders import only from lower layers", () => {
  const files = filesOf().filter((file) => file.includes("/"));
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !isAllowed(file, target))
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("detects imports from the same or a higher layer", () => {
  expect(isAllowed("graph/Canvas.tsx", "plan/edits")).toBe(true);
  expect(isAllowed("plan/edits.ts", "graph/Canvas")).toBe(false);
  expect(isAllowed("graph/Canvas.tsx", "inspector/Field")).toBe(false);
  expect(isAllowed("graph/Canvas.test.tsx", "proposals/ProposalPage")).toBe(false);
  expect(isAllowed("graph/Canvas.test.tsx", "proposals/proposalFixture")).toBe(true);
});
