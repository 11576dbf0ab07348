import { afterEach, expect, test } from "vitest";
import { forgetAppState, remember } from "./appState";
import { asTextSize, followTextSize } from "./textSize";

afterEach(forgetAppState);

test("the page follows the chosen size, and the usual one leaves the browser's setting alone", () => {
  const leave = followTextSize();
  remember("textSize", 150);
  expect(document.documentElement.style.fontSize).toBe("150%");
  remember("textSize", 100);
  expect(document.documentElement.style.fontSize).toBe("");
  leave();
  remember("textSize", 200);
  expect(document.documentElement.style.fontSize).toBe("");
});

test.each([undefined, "150", 151, Number.NaN, {}])("%s from a file is the usual size", (value) => {
  expect(asTextSize(value)).toBe(100);
});
