import { expect, test } from "vitest";
import { describeRetention, keepAll } from "./retentionText";

test.each([
  [{}, "Keeps all runs."],
  [{ keepLast: 1 }, "Keeps the newest run."],
  [{ keepLast: 1_000 }, "Keeps the newest 1,000 runs."],
  [{ keepDays: 1 }, "Keeps the runs of the last 1 day."],
  [{ keepLast: 50, keepDays: 30 }, "Keeps the newest 50 runs and those of the last 30 days."],
])("%j", (part, text) => expect(describeRetention({ ...keepAll, ...part })).toBe(text));
