// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { contrastRatio } from "./contrastRatio";

const css = readFileSync(fileURLToPath(new URL("./tokens.css", import.meta.url)), "utf8");
const states = [
  "pending",
  "running",
  "waiting",
  "done",
  "failed",
  "interrupted",
  "blocked",
  "skipped",
];
const grounds = ["canvas", "surface", "raised", "overlay", "hover"];

type Tokens = Map<string, string>;

/** Reads the `light-dark()` colors of a rule. */
function colors(selector: string, side: "light" | "dark"): Tokens {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  const pairs = block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g);
  return new Map([...pairs].map((m) => [m[1] ?? "", (side === "light" ? m[2] : m[3]) ?? ""]));
}

function theme(selectors: string[], side: "light" | "dark"): Tokens {
  return new Map(selectors.flatMap((selector) => [...colors(selector, side)]));
}

const themes = [
  { name: "light", tokens: theme([":root"], "light"), text: 4.5 },
  { name: "dark", tokens: theme([":root"], "dark"), text: 4.5 },
  {
    name: "contrast, light",
    tokens: theme([":root", '[data-theme="contrast"]'], "light"),
    text: 7,
  },
  { name: "contrast, dark", tokens: theme([":root", '[data-theme="contrast"]'], "dark"), text: 7 },
];

describe.each(themes)("$name theme", ({ tokens, text }) => {
  function ratio(front: string, back: string): number {
    const [a, b] = [tokens.get(front), tokens.get(back)];
    if (!a || !b) throw new Error(`no such token: ${a ? back : front}`);
    return contrastRatio(a, b);
  }

  const textPairs = [
    ...["fg", "muted", "faint", "accent-fg", "danger-fg"].flatMap((front) =>
      grounds.map((ground) => [front, ground] as const),
    ),
    ["fg", "active"] as const,
    ["muted", "active"] as const,
    ["on-accent", "accent"] as const,
    ["on-accent", "accent-hover"] as const,
    ["on-accent", "accent-active"] as const,
    ["on-danger", "danger"] as const,
    ["on-danger", "danger-hover"] as const,
    ["on-danger", "danger-active"] as const,
    ["accent-fg", "accent-tint"] as const,
    ["danger-fg", "danger-tint"] as const,
    ["fg", "accent-tint"] as const,
    ["fg", "danger-tint"] as const,
    ...states.flatMap((state) => [
      ...grounds.map((ground) => [`state-${state}`, ground] as const),
      [`state-${state}`, `state-${state}-tint`] as const,
    ]),
  ];

  test.each(textPairs)("%s on %s is readable", (front, back) => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(text);
  });

  test.each(["canvas", "surface", "raised", "overlay"])(
    "controls and focus show on %s",
    (ground) => {
      // WCAG 1.4.11: control borders and focus indicators need 3:1.
      expect(ratio("line-strong", ground)).toBeGreaterThanOrEqual(3);
      expect(ratio("focus", ground)).toBeGreaterThanOrEqual(3);
    },
  );
});
