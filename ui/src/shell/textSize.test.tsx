import { afterEach, expect, test } from "vitest";
import { resetAppState, setAppStateValue } from "./appState";
import { asTextSize, followTextSize } from "./textSize";

afterEach(resetAppState);

test("applies the chosen text size, and the default keeps the browser setting", () => {
  const leave = followTextSize();
  setAppStateValue("textSize", 150);
  expect(document.documentElement.style.fontSize).toBe("150%");
  setAppStateValue("textSize", 100);
  expect(document.documentElement.style.fontSize).toBe("");
  leave();
  setAppStateValue("textSize", 200);
  expect(document.documentElement.style.fontSize).toBe("");
});

test.each([undefined, "150", 151, Number.NaN, {}])(
  "%s from a file falls back to the default",
  (value) => {
    expect(asTextSize(value)).toBe(100);
  },
);
