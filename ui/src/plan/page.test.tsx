import { afterEach, expect, test, vi } from "vitest";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import { createPage, fitsInspectorBeside, showsMinimap } from "./page";

afterEach(() => {
  resetAppState();
  vi.unstubAllGlobals();
});

test("a new page restores the stored view state, but not transient state", () => {
  createPage().setState({ view: "list", drawerOpen: true, drawerTab: "history", stopping: true });
  expect(createPage().getState()).toMatchObject({
    view: "list",
    drawerOpen: true,
    drawerTab: "history",
    stopping: false,
  });
  expect(getAppStateValue("blueprint")).not.toHaveProperty("stopping");
});

test.each([null, "list", { view: "table", sideOpen: 0, drawerTab: 7 }])(
  "a stored %j changes nothing",
  (stored) => {
    setAppStateValue("blueprint", stored);
    expect(createPage().getState()).toMatchObject({
      view: "graph",
      sideOpen: true,
      drawerTab: "timeline",
    });
  },
);

test("a large plan shows the minimap by default, and the user's choice is remembered", () => {
  const page = createPage();
  expect([showsMinimap(page.getState(), 20), showsMinimap(page.getState(), 500)]).toEqual([
    false,
    true,
  ]);
  page.setState({ mapOpen: false });
  expect(showsMinimap(createPage().getState(), 500)).toBe(false);
});

test("the inspector opens beside the graph only if both fit, and a small window keeps the stored state", () => {
  expect([639, 640].map(fitsInspectorBeside)).toEqual([false, true]);
  createPage().setState({ drawerOpen: true });
  vi.stubGlobal("innerWidth", 500);
  const small = createPage();
  expect(small.getState().sideOpen).toBe(false);
  small.setState({ view: "list" });
  vi.stubGlobal("innerWidth", 1440);
  expect(createPage().getState()).toMatchObject({ sideOpen: true, view: "list", drawerOpen: true });
});
