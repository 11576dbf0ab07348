import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { TitleInput } from "./TitleInput";

afterEach(() => vi.restoreAllMocks());

/** Renders the field, 200 px wide, on a canvas at this zoom. */
function renderAt(zoom: number): HTMLElement {
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(200);
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(
    new DOMRect(0, 0, 200 * zoom, 24 * zoom),
  );
  vi.spyOn(window, "getComputedStyle").mockReturnValue({ fontSize: "13px" } as CSSStyleDeclaration);
  render(<TitleInput label="Node title" title="Build" onDone={() => undefined} />);
  return screen.getByLabelText("Node title");
}

test("where the canvas is zoomed out, the field is enlarged until its text is readable", () => {
  const [, scale] = /^scale\((.+)\)$/.exec(renderAt(0.13).style.transform) ?? [];
  expect(13 * 0.13 * Number(scale)).toBeCloseTo(12);
});

test("a field that is readable keeps its size", () => {
  expect(renderAt(1).style.transform).toBe("");
});
