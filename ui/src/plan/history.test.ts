// @vitest-environment node
import { expect, test } from "vitest";
import { createHistory, recordEdit, redo, undo } from "./history";
import { planOf } from "./planFixture";

const start = planOf([], []);
const titled = (title: string) => ({ ...start, title });

test("each edit is a step that can be undone and redone, by name", () => {
  let history = recordEdit(createHistory(start), "One", titled("1"), 0);
  history = recordEdit(history, "Two", titled("2"), 0);
  history = undo(history).history;
  expect([history.plan.title, history.past.at(-1)?.label, history.future.at(-1)?.label]).toEqual([
    "1",
    "One",
    "Two",
  ]);
  expect(redo(history).history.plan.title).toBe("2");
  expect(undo(undo(history).history).history.plan).toBe(start);
});

test("a new edit after undo clears the redo steps", () => {
  let history = recordEdit(createHistory(start), "One", titled("1"), 0);
  history = recordEdit(undo(history).history, "Other", titled("other"), 0);
  expect(redo(history).history).toBe(history);
});

test("keystrokes in one field are one step until a pause", () => {
  let history = createHistory(start);
  history = recordEdit(history, "Rename", titled("a"), 0, "title");
  history = recordEdit(history, "Rename", titled("ab"), 1_000, "title");
  history = recordEdit(history, "Rename", titled("abc"), 2_400, "title");
  expect(history.past).toHaveLength(1);
  history = recordEdit(history, "Rename", titled("abcd"), 4_000, "title");
  expect(history.past, "a pause of 1.6 s starts a new step").toHaveLength(2);
  history = recordEdit(history, "Change goal", titled("x"), 4_001, "goal");
  expect(history.past, "another field is another step").toHaveLength(3);
});

test("typing does not merge into a step that was just undone", () => {
  let history = recordEdit(createHistory(start), "Rename", titled("a"), 0, "title");
  history = recordEdit(undo(history).history, "Rename", titled("b"), 10, "title");
  expect(history.past).toHaveLength(1);
  expect(undo(history).history.plan).toBe(start);
});

test("an edit that changes nothing is not a step", () => {
  const history = createHistory(start);
  expect(recordEdit(history, "Nothing", start, 0)).toBe(history);
});

test("the oldest steps are dropped first", () => {
  let history = createHistory(start);
  for (let at = 0; at < 600; at += 1) history = recordEdit(history, `${at}`, titled(`${at}`), at);
  expect(history.past).toHaveLength(500);
  expect(history.past[0]?.label).toBe("100");
});
