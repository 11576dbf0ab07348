import { expect, test } from "vitest";
import { formatNodePath, itemsInChildRuns } from "./childRunItems";
import { makeInboxItem } from "./inboxFixture";

const step = (run: string, node: string, title: string) => ({
  ...{ run, node, title, plan: `plan of ${run}`, planTitle: run, slug: node },
});

const deep = {
  ...makeInboxItem({ kind: "approval", question: "May it?" }),
  run: "inner",
  path: [step("outer", "release", "Release"), step("middle", "deploy", "Deploy")],
};

test("an item counts for every ancestor node, with its remaining path", () => {
  expect(itemsInChildRuns([deep], "outer", "release")).toEqual([deep]);
  expect(itemsInChildRuns([deep], "middle", "deploy")).toEqual([deep]);
  expect(itemsInChildRuns([deep], "outer", "another")).toEqual([]);
  expect(itemsInChildRuns([deep], "inner", deep.node?.id ?? "")).toEqual([]);
  expect(itemsInChildRuns(undefined, "outer", "release")).toEqual([]);
  expect(formatNodePath(deep, "outer")).toBe(`Release › Deploy › ${deep.node?.title}`);
  expect(formatNodePath(deep, "middle")).toBe(`Deploy › ${deep.node?.title}`);
});
