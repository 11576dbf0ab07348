import { expect, test } from "vitest";
import type { CheckpointView, HistoryRow } from "@/api/bindings";
import { rollbackLabel, rollbackRows, rollbackTarget } from "./rollbackTarget";

const checkpoint = (number: number, at: number, name = `c${number}`): CheckpointView => ({
  ...{ number, name, at, data: null, done: 0, hasFiles: false, changedFiles: [] },
});
const checkpoints = [checkpoint(0, 10), checkpoint(1, 20), checkpoint(2, 30)];
type Line = Pick<HistoryRow, "at" | "seq" | "event">;

const line = (at: number): Line => ({
  ...{ at, seq: at },
  event: { event: "node_started", node: "a", attempt: 1 },
});
const made = (at: number, name: string): Line => ({
  ...{ at, seq: at },
  event: { event: "checkpoint_made", name, data: null, files: null },
});
const rolledBack = (at: number, checkpoint: number): Line => ({
  ...{ at, seq: at },
  event: { event: "rolled_back", checkpoint, files: false },
});

test.each<[string, Line, number | undefined]>([
  ["before the first checkpoint", line(5), undefined],
  ["after the first", line(15), 0],
  ["in the millisecond of the second", line(20), 0],
  ["after all", line(99), 2],
])("a line %s leads to the checkpoint before it", (_, row, number) => {
  const target = rollbackTarget(row, checkpoints, []);
  expect(target?.checkpoint.number).toBe(number);
  if (target) expect(rollbackLabel(target)).toBe("Roll back to before this…");
});

test("the line of a checkpoint leads to that checkpoint", () => {
  const target = rollbackTarget(made(20, "c1"), checkpoints, []);
  expect(target).toEqual({ checkpoint: checkpoints[1], exact: true });
  expect(target && rollbackLabel(target)).toBe("Roll back…");
});

test("of checkpoints made at the same time, the name tells which", () => {
  const both = [checkpoint(0, 10, "one"), checkpoint(1, 10, "two")];
  expect(rollbackTarget(made(10, "one"), both, [])?.checkpoint.number).toBe(0);
});

test("without checkpoints, a line leads nowhere", () => {
  expect(rollbackTarget(line(15), [], [])).toBeUndefined();
  expect(rollbackTarget(made(10, "gone"), [], [])).toBeUndefined();
});

test.each<[string, Line, number[][], number | undefined]>([
  ["after a rollback", line(50), [[40, 0]], 0],
  ["in the millisecond of a rollback, but later", { ...line(40), seq: 41 }, [[40, 0]], 0],
  ["before it", line(35), [[40, 0]], 2],
  ["of the rollback itself", rolledBack(40, 0), [[40, 0]], 2],
  ["after a checkpoint that was made since", line(50), [[25, 0]], 2],
  ["between that rollback and the checkpoint", line(28), [[25, 0]], 0],
  [
    "after two rollbacks, the second one forward",
    line(60),
    [
      [50, 2],
      [40, 0],
    ],
    2,
  ],
  [
    "between them",
    line(45),
    [
      [50, 2],
      [40, 0],
    ],
    0,
  ],
  ["after a rollback to an unknown checkpoint", line(50), [[40, 9]], undefined],
])("a line %s leads to the state that the run was at", (_, row, rollbacks, number) => {
  const rows = rollbacks.map(([at = 0, to = 0]) => rolledBack(at, to));
  expect(rollbackTarget(row, checkpoints, rows)?.checkpoint.number).toBe(number);
});

test("rollbacks are found among other lines", () => {
  const rows = [rolledBack(3, 1), line(2), rolledBack(1, 0)] as HistoryRow[];
  expect(rollbackRows(rows).map(({ seq }) => seq)).toEqual([3, 1]);
});
