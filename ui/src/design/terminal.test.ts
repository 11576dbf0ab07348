// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { contrastRatio, readableTextOn } from "./contrastRatio";

const css = ["tokens.css", "terminal.css"]
  .map((file) => readFileSync(fileURLToPath(new URL(`./${file}`, import.meta.url)), "utf8"))
  .join("\n");

type Side = "light" | "dark";

/** The `light-dark()` colors of a rule, in all of the files. */
function colors(selector: string, side: Side): [string, string][] {
  return css
    .split(`\n${selector} {`)
    .slice(1)
    .flatMap((rest) => {
      const block = rest.slice(0, rest.indexOf("\n}"));
      const pairs = block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g);
      return [...pairs].map(([, name = "", light = "", dark = ""]): [string, string] => [
        name,
        side === "light" ? light : dark,
      ]);
    });
}

const contrast = [":root", '[data-theme="contrast"]'];
const themes = [
  { name: "light", selectors: [":root"], side: "light", least: 4.5 },
  { name: "dark", selectors: [":root"], side: "dark", least: 4.5 },
  { name: "contrast, light", selectors: contrast, side: "light", least: 7 },
  { name: "contrast, dark", selectors: contrast, side: "dark", least: 7 },
] as const;

describe.each(themes)("$name theme", ({ selectors, side, least }) => {
  const tokens = new Map(selectors.flatMap((selector) => colors(selector, side)));
  const color = (name: string) => tokens.get(name) ?? "";
  const palette = Array.from({ length: 16 }, (_, index) => `terminal-${index}`);
  const pairs = ["canvas", "terminal-stderr"].flatMap((ground) =>
    [...palette, "fg", "faint"].map((front) => [front, ground] as const),
  );

  test.each([...pairs, ["fg", "terminal-match"] as const])(
    "%s on %s is readable",
    (front, ground) => {
      expect(contrastRatio(color(front), color(ground))).toBeGreaterThanOrEqual(least);
    },
  );

  test("the palette's colors differ", () => {
    expect(new Set(palette.map(color)).size).toBe(16);
  });
});

test("text on any color is readable", () => {
  expect(readableTextOn("#ffff00")).toBe("#000000");
  expect(readableTextOn("#000080")).toBe("#ffffff");
  expect(readableTextOn("#000080", "#ffff00")).toBe("#ffff00");
  expect(readableTextOn("#000080", "#000090")).toBe("#ffffff");
});
