import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

/** Maps the path of each file to the files that it imports. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

const source = import.meta.dirname;
const forTests = /(\.test|Fixture)\.tsx?$/;
const importing = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])([@.][^"'\n]*)\1/g;

function readImportGraph(): ImportGraph {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !forTests.test(file),
  );
  return new Map(files.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(importing)].flatMap(([, , name = ""]) => {
    const path = name.startsWith("@/")
      ? name.slice(2)
      : normalize(relative(source, join(source, dirname(file), name)));
    const candidates = [`${path}.ts`, `${path}.tsx`, path];
    return candidates.find((candidate) => existsSync(join(source, candidate))) ?? [];
  });
}

/** Returns the first import circle, as the path from a file back to itself, or `undefined`. */
function findCircle(graph: ImportGraph): string[] | undefined {
  const finished = new Set<string>();
  const path: string[] = [];
  function visit(file: string): string[] | undefined {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (finished.has(file)) return undefined;
    path.push(file);
    for (const imported of graph.get(file) ?? []) {
      const circle = visit(imported);
      if (circle) return circle;
    }
    path.pop();
    finished.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle) return circle;
  }
  return undefined;
}

test("there are no import circles", () => {
  const graph = readImportGraph();
  expect(graph.size).toBeGreaterThan(500);
  expect([...graph.values()].flat().length).toBeGreaterThan(2000);
  expect(findCircle(graph)).toBeUndefined();
});

test("detects an import circle", () => {
  const graph = new Map([
    ["app.ts", ["plan/editor.ts", "plan/text.ts"]],
    ["plan/editor.ts", ["plan/text.ts"]],
    ["plan/text.ts", ["plan/access.ts", "api/bindings.ts"]],
    ["plan/access.ts", ["plan/editor.ts"]],
  ]);
  expect(findCircle(graph)).toEqual([
    "plan/editor.ts",
    "plan/text.ts",
    "plan/access.ts",
    "plan/editor.ts",
  ]);
  expect(findCircle(new Map([...graph, ["plan/access.ts", []]]))).toBeUndefined();
});
