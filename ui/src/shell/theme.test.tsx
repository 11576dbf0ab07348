import { beforeEach, expect, test, vi } from "vitest";
import { followTheme, useTheme } from "./theme";

const contrast = Object.assign(new EventTarget(), { matches: false });

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => contrast);
  contrast.matches = false;
  localStorage.clear();
  useTheme.setState({ choice: "system" });
});

test("a chosen theme is applied and stored; the system theme sets no attribute", () => {
  useTheme.getState().choose("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(localStorage.getItem("baton.theme")).toBe("dark");
  useTheme.getState().choose("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test("the system contrast preference applies with the system theme", () => {
  followTheme();
  contrast.matches = true;
  contrast.dispatchEvent(new Event("change"));
  expect(document.documentElement.dataset.theme).toBe("contrast");
  useTheme.getState().choose("light");
  expect(document.documentElement.dataset.theme).toBe("light");
});
