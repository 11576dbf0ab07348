import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { done, failed } from "@/run/stateHistoryFixture";
import { terminalNavigation } from "@/shell/terminalNavigation";
import { useDeepLink } from "./useDeepLink";

const plan = planOf(["a", "b", "c"], []);

function Page() {
  useDeepLink();
  return null;
}

test("a state in the address selects the first node in it", () => {
  const run = runOf(plan, { a: done, b: failed, c: failed });
  const { editor } = openBlueprint(<Page />, {
    view: viewOf(plan),
    run,
    at: "/?run=run&state=failed",
  });
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("of the waiting nodes, the one that waits for the user is selected and asks", () => {
  const time = { state: "waiting", for: { kind: "retry_at", at: 5 } } as never;
  const person = {
    state: "waiting",
    for: { kind: "person", request: "q", question: "?" },
  } as never;
  const run = runOf(plan, { a: time, b: person });
  const { editor, page } = openBlueprint(<Page />, {
    view: viewOf(plan),
    run,
    at: "/?run=run&state=waiting",
  });
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect(page.getState().answering).toBe("b");
});

test("without a question, the first waiting node is selected", () => {
  const time = { state: "waiting", for: { kind: "retry_at", at: 5 } } as never;
  const { editor, page } = openBlueprint(<Page />, {
    view: viewOf(plan),
    run: runOf(plan, { b: time }),
    at: "/?run=run&state=waiting",
  });
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect(page.getState().answering).toBeUndefined();
});

test("the settings of the blueprint are shown, whatever was selected", () => {
  const { editor, page } = openBlueprint(<Page />, {
    view: viewOf(plan),
    at: "/?panel=settings",
  });
  expect([...editor.getState().selection]).toEqual([]);
  expect(page.getState().sideOpen).toBe(true);
});

test("a run that is still loading is awaited", () => {
  const { editor } = openBlueprint(<Page />, { view: viewOf(plan), at: "/?run=run&state=done" });
  expect([...editor.getState().selection]).toEqual([]);
  act(() => editor.getState().showRun("run", runOf(plan, { a: failed, b: done })));
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("a state without nodes selects nothing", () => {
  const run = runOf(plan, { a: done });
  const { editor } = openBlueprint(<Page />, {
    view: viewOf(plan),
    run,
    at: "/?run=run&state=failed",
  });
  expect([...editor.getState().selection]).toEqual([]);
});

test("only a navigation within the app opens a terminal", () => {
  const run = runOf(plan, { a: done });
  const search = "?run=run&node=a";
  const open = (state: unknown) => {
    const { page, unmount } = openBlueprint(<Page />, {
      view: viewOf(plan),
      run,
      at: { pathname: "/", search, state },
    });
    const { terminalRequest, drawerTab } = page.getState();
    unmount();
    return { terminalRequest, drawerTab };
  };
  expect(open(null)).toEqual({ terminalRequest: undefined, drawerTab: "timeline" });
  expect(open(terminalNavigation)).toEqual({
    terminalRequest: { kind: "node", run: "run", node: "a" },
    drawerTab: "terminal",
  });
});
