import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSearchDraft } from "./useSearchDraft";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function field(first: string) {
  const sent: string[] = [];
  const hook = renderHook(({ text }) => useSearchDraft(text, (each) => sent.push(each)), {
    initialProps: { text: first },
  });
  const write = (text: string) => act(() => hook.result.current.write(text));
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  return { sent, write, wait, hook, draft: () => hook.result.current.draft };
}

test("a lagging URL does not remove typed letters", () => {
  const { sent, write, wait, hook, draft } = field("");
  write("bu");
  wait(200);
  write("buil");
  hook.rerender({ text: "bu" });
  expect(draft()).toBe("buil");
  wait(200);
  hook.rerender({ text: "buil" });
  expect(draft()).toBe("buil");
  expect(sent).toEqual(["bu", "buil"]);
});

test("typing is debounced into one search", () => {
  const { sent, write, wait } = field("");
  for (const text of ["b", "bu", "bui", "buil"]) {
    write(text);
    wait(30);
  }
  wait(200);
  expect(sent).toEqual(["buil"]);
});

test("navigating back or clearing updates the field", () => {
  const { sent, write, wait, hook, draft } = field("");
  write("build");
  wait(200);
  hook.rerender({ text: "build" });
  hook.rerender({ text: "" });
  expect(draft()).toBe("");
  wait(200);
  expect(sent, "no new search").toEqual(["build"]);
});
