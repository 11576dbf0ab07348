// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./canvas.css", import.meta.url), "utf8");
const theme = readFileSync(new URL("../design/theme.css", import.meta.url), "utf8");
const rule = (selector: string) => css.split(`${selector} {`)[1]?.split("}")[0] ?? "";

test("a card can show focus and selection at once: the ring is outside of the outline", () => {
  expect(rule(".react-flow__node:focus-visible > *")).toContain("outline-offset: 4px");
  expect(rule(".react-flow__node:focus-visible > *")).toContain("solid var(--fg)");
  expect(rule(".react-flow__node.selected:focus-visible > *")).toContain("var(--accent)");
  const card = readFileSync(new URL("./NodeCard.tsx", import.meta.url), "utf8");
  expect(card).toContain("outline-offset-0");
});

test("the browser's own cross in search fields is hidden", () => {
  const cross = theme.split('input[type="search"]::-webkit-search-cancel-button {')[1];
  expect(cross?.split("}")[0]).toContain("display: none");
});
