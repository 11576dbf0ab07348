import { expect, test } from "vitest";
import { asksBelow, pathWords } from "./below";
import { itemOf } from "./inboxFixture";

const step = (run: string, node: string, title: string) => ({
  ...{ run, node, title, plan: `plan of ${run}`, planTitle: run, slug: node },
});

const deep = {
  ...itemOf({ kind: "approval", question: "May it?" }),
  run: "inner",
  path: [step("outer", "release", "Release"), step("middle", "deploy", "Deploy")],
};

test("a question counts for every node that leads to it, with the rest of its path", () => {
  expect(asksBelow([deep], "outer", "release")).toEqual([deep]);
  expect(asksBelow([deep], "middle", "deploy")).toEqual([deep]);
  expect(asksBelow([deep], "outer", "another")).toEqual([]);
  expect(asksBelow([deep], "inner", deep.node?.id ?? "")).toEqual([]);
  expect(asksBelow(undefined, "outer", "release")).toEqual([]);
  expect(pathWords(deep, "outer")).toBe(`Release › Deploy › ${deep.node?.title}`);
  expect(pathWords(deep, "middle")).toBe(`Deploy › ${deep.node?.title}`);
});
