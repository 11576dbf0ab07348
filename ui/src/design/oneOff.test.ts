import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const source = path.resolve(import.meta.dirname, "..");
/** Colors and sizes are defined in these files; `bindings.ts` contains none. */
const named = ["design/", "api/bindings.ts", "graph/canvas.css"];
/** The graph has its own zoom and uses plain pixels. */
const onTheGraph = ["graph/"];

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.|[fF]ixture/.test(file))
  .filter((file) => !named.some((folder) => file.startsWith(folder)));

/** Returns the lines that match `pattern`, in all files except `except`. */
function linesWith(pattern: RegExp, except: readonly string[] = []): string[] {
  return files
    .filter((file) => !except.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      readFileSync(path.join(source, file), "utf8")
        .split("\n")
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
}

test("style sources are found", () => {
  expect(files.length).toBeGreaterThan(300);
  expect(linesWith(/className=/).length).toBeGreaterThan(500);
});

test("no color outside the design tokens", () => {
  expect(linesWith(/["'`(: ,]#(?:[0-9a-f]{3,4}){1,2}\b(?!\()|\b(?:rgb|hsl|oklch)a?\(/i)).toEqual(
    [],
  );
});

test("no font size outside the scale", () => {
  expect(
    linesWith(/\btext-\[\d|font-size: *[\d.]+(?:px|r?em)|fontSize: *["'`\d]+(?:px|,| )/),
  ).toEqual([]);
});

test("no spacing in pixels that ignores the text size", () => {
  const room =
    "(?:[wh]|size|gap|inset|leading|basis|m[trblxy]?|p[trblxy]?|(?:min|max)-[wh]|grid-cols)";
  // Pixels in calc() are margins to the window's edge.
  expect(
    linesWith(new RegExp(`(?<![\\w-])${room}-\\[(?!calc)[^\\]]*\\d{2,}px`), onTheGraph),
  ).toEqual([]);
});
