import { expect, test } from "vitest";
import type { CheckpointView, HistoryRow } from "@/api/bindings";
import { rollbackLabel, rollbackTarget } from "./rollbackTarget";

const checkpoint = (number: number, at: number, name = `c${number}`): CheckpointView => ({
  ...{ number, name, at, data: null, done: 0, hasFiles: false, changedFiles: [] },
});
const checkpoints = [checkpoint(0, 10), checkpoint(1, 20), checkpoint(2, 30)];
const line = (at: number): Pick<HistoryRow, "at" | "event"> => ({
  at,
  event: { event: "node_started", node: "a", attempt: 1 },
});
const made = (at: number, name: string): Pick<HistoryRow, "at" | "event"> => ({
  at,
  event: { event: "checkpoint_made", name, data: null, files: null },
});

test.each<[string, Pick<HistoryRow, "at" | "event">, number | undefined]>([
  ["before the first checkpoint", line(5), undefined],
  ["after the first", line(15), 0],
  ["in the millisecond of the second", line(20), 0],
  ["after all", line(99), 2],
])("a line %s leads to the checkpoint before it", (_, row, number) => {
  const target = rollbackTarget(row, checkpoints);
  expect(target?.checkpoint.number).toBe(number);
  if (target) expect(rollbackLabel(target)).toBe("Roll back to before this…");
});

test("the line of a checkpoint leads to that checkpoint", () => {
  const target = rollbackTarget(made(20, "c1"), checkpoints);
  expect(target).toEqual({ checkpoint: checkpoints[1], exact: true });
  expect(target && rollbackLabel(target)).toBe("Roll back…");
});

test("of checkpoints made at the same time, the name tells which", () => {
  const both = [checkpoint(0, 10, "one"), checkpoint(1, 10, "two")];
  expect(rollbackTarget(made(10, "one"), both)?.checkpoint.number).toBe(0);
});

test("without checkpoints, a line leads nowhere", () => {
  expect(rollbackTarget(line(15), [])).toBeUndefined();
  expect(rollbackTarget(made(10, "gone"), [])).toBeUndefined();
});
