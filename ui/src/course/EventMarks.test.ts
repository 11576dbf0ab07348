import { expect, test } from "vitest";
import { courseOf, done, running } from "@/run/courseFixture";
import { columnsOf } from "./EventMarks";

test("ten thousand events are no more marks than the line has columns", () => {
  const events = Array.from(
    { length: 10_000 },
    (_, at): [number, Record<string, typeof running>] => [at, { a: at % 2 === 0 ? running : done }],
  );
  const { moments } = courseOf(["a"], events);
  const { start, end } = columnsOf(moments, 300);
  expect(start.size).toBeLessThanOrEqual(300);
  expect(end.size).toBeLessThanOrEqual(300);
});
