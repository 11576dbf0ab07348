import { expect, test } from "vitest";
import { done, running, stateHistoryOf } from "@/run/stateHistoryFixture";
import { columnsOf } from "./EventMarks";

test("ten thousand events need at most one mark per pixel column", () => {
  const events = Array.from(
    { length: 10_000 },
    (_, at): [number, Record<string, typeof running>] => [at, { a: at % 2 === 0 ? running : done }],
  );
  const { moments } = stateHistoryOf(["a"], events);
  const { start, end } = columnsOf(moments, 300);
  expect(start.size).toBeLessThanOrEqual(300);
  expect(end.size).toBeLessThanOrEqual(300);
});
