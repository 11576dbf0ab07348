import { expect, test } from "vitest";
import type { BackendEvent } from "@/api/Backend";
import type { Change } from "@/api/bindings";
import { type TimelineSource, timelineChangeFrom } from "./timelineSource";

const session: TimelineSource = { kind: "session", session: "s1" };
const transcript: TimelineSource = { kind: "transcript", transcript: "claude:a" };
const told = (event: Change): BackendEvent => ({ kind: "event", event });

test.each<[string, TimelineSource, BackendEvent, "lost" | "grown" | undefined]>([
  ["its own session", session, told({ change: "session", session: "s1", run: "r" }), "grown"],
  ["another session", session, told({ change: "session", session: "s2", run: "r" }), undefined],
  ["a transcript is no session", session, told({ change: "transcripts", ids: [] }), undefined],
  ["its own transcript", transcript, told({ change: "transcripts", ids: ["claude:a"] }), "grown"],
  ["another one", transcript, told({ change: "transcripts", ids: ["claude:b"] }), undefined],
  ["any of them", transcript, told({ change: "transcripts", ids: [] }), "grown"],
  ["news was lost", transcript, { kind: "gap" }, "lost"],
  ["everything changed", session, told({ change: "all" }), "lost"],
])("%s", (_, source, signal, meaning) => {
  expect(timelineChangeFrom(source, signal)).toBe(meaning);
});
