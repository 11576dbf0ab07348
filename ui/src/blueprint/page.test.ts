import { afterEach, expect, test } from "vitest";
import { forgetAppState, remember, remembered } from "@/app/appState";
import { createPage, showsMap } from "./page";

afterEach(forgetAppState);

test("the next page opens as the last one was left, without what passes", () => {
  createPage().setState({ view: "list", drawerOpen: true, drawerTab: "history", stopping: true });
  expect(createPage().getState()).toMatchObject({
    view: "list",
    drawerOpen: true,
    drawerTab: "history",
    stopping: false,
  });
  expect(remembered("blueprint")).not.toHaveProperty("stopping");
});

test.each([null, "list", { view: "table", sideOpen: 0, drawerTab: 7 }])(
  "a stored %j changes nothing",
  (stored) => {
    remember("blueprint", stored);
    expect(createPage().getState()).toMatchObject({
      view: "graph",
      sideOpen: true,
      drawerTab: "timeline",
    });
  },
);

test("a large plan has a map until somebody says otherwise, and what was said is remembered", () => {
  const page = createPage();
  expect([showsMap(page.getState(), 20), showsMap(page.getState(), 500)]).toEqual([false, true]);
  page.setState({ mapOpen: false });
  expect(showsMap(createPage().getState(), 500)).toBe(false);
});
