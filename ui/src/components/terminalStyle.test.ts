// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { TerminalColor, TerminalStyle } from "@/api/bindings";
import { contrastRatio } from "@/design/contrastRatio";
import { paletteColor, terminalStyleProps } from "./terminalStyle";

const palette = (index: number): TerminalColor => ({ kind: "palette", index });

test("the first 16 colors follow the theme, the others are computed", () => {
  expect(paletteColor(palette(0))).toBe("var(--terminal-0)");
  expect(paletteColor(palette(15))).toBe("var(--terminal-15)");
  expect(paletteColor(palette(16))).toBe("#000000");
  expect(paletteColor(palette(67))).toBe("#5f87af");
  expect(paletteColor(palette(231))).toBe("#ffffff");
  expect(paletteColor(palette(232))).toBe("#080808");
  expect(paletteColor(palette(255))).toBe("#eeeeee");
  expect(paletteColor({ kind: "rgb", rgb: [1, 171, 255] })).toBe("#01abff");
});

test("attributes become classes, colors become styles", () => {
  expect(terminalStyleProps({})).toEqual({ className: "" });
  expect(terminalStyleProps({ bold: true, underline: true, foreground: palette(1) })).toEqual({
    className: "font-semibold underline",
    style: { color: "var(--terminal-1)" },
  });
  expect(terminalStyleProps({ inverse: true })).toEqual({
    className: "",
    style: { backgroundColor: "var(--fg)", color: "var(--canvas)" },
  });
  expect(terminalStyleProps({ underline: true, strikethrough: true }).className).toBe(
    "[text-decoration-line:underline_line-through]",
  );
});

test("text is readable on every background", () => {
  const yellow: TerminalColor = { kind: "rgb", rgb: [255, 255, 0] };
  const color = (style: TerminalStyle) => terminalStyleProps(style).style?.color;
  expect(color({ background: yellow })).toBe("#000000");
  expect(color({ background: palette(16), foreground: yellow })).toBe("#ffff00");
  expect(color({ background: palette(16), foreground: palette(17) })).toBe("#ffffff");
  expect(color({ inverse: true, foreground: yellow })).toBe("#000000");
  // The colors of the theme are chosen for its canvas, not for each other.
  expect(color({ background: palette(7), foreground: palette(0) })).toBe("var(--fg)");
  expect(color({ inverse: true, background: palette(7), foreground: palette(0) })).toBe(
    "var(--canvas)",
  );
});

const css = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../design/${name}.css`, import.meta.url)), "utf8");

/** Reads the `light-dark()` colors of a rule. */
function colors(file: string, selector: string, side: "light" | "dark"): [string, string][] {
  const text = css(file);
  const start = text.indexOf(`${selector} {`);
  const block = text.slice(start, text.indexOf("\n}", start));
  const pairs = block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g);
  return [...pairs].map((m) => [m[1] ?? "", (side === "light" ? m[2] : m[3]) ?? ""]);
}

const themes = (["light", "dark"] as const).flatMap((side) => [
  { name: side, side, selectors: [":root"], ratio: 4.5 },
  {
    name: `contrast, ${side}`,
    side,
    selectors: [":root", '[data-theme="contrast"]'],
    ratio: 7,
  },
]);

describe.each(themes)("$name theme", ({ side, selectors, ratio }) => {
  const tokens = new Map(
    selectors.flatMap((selector) => [
      ...colors("tokens", selector, side),
      ...colors("terminal", selector, side),
      ...colors("syntax", selector, side),
    ]),
  );
  const token = (name: string): string => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`no such token: ${name}`);
    return value;
  };
  const mixed = (color: string, share: number, ground: string): string =>
    `#${[1, 3, 5]
      .map((at) => {
        const [a, b] = [color, ground].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
        return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share))
          .toString(16)
          .padStart(2, "0");
      })
      .join("")}`;

  test.each(Array.from({ length: 16 }, (_, index) => index))("color %i is readable", (index) => {
    for (const ground of ["canvas", "surface", "raised"]) {
      expect(contrastRatio(token(`terminal-${index}`), token(ground))).toBeGreaterThanOrEqual(
        ratio,
      );
    }
    // As a background it carries text of the theme's color.
    const ground = mixed(token(`terminal-${index}`), 0.22, token("canvas"));
    expect(contrastRatio(token("fg"), ground)).toBeGreaterThanOrEqual(ratio);
  });

  test.each(["keyword", "string", "number", "type", "function", "property", "comment"])(
    "code colored as %s is readable, also in a diff",
    (name) => {
      for (const ground of [
        "canvas",
        "surface",
        "raised",
        "state-done-tint",
        "state-failed-tint",
      ]) {
        expect(contrastRatio(token(`code-${name}`), token(ground))).toBeGreaterThanOrEqual(ratio);
      }
    },
  );
});
