import { expect, test } from "vitest";
import type { BackendEvent } from "@/api/Backend";
import type { Change } from "@/api/bindings";
import { type TimelineSource, timelineChangeFrom } from "./timelineSource";

const session: TimelineSource = { kind: "session", session: "s1" };
const transcript: TimelineSource = { kind: "transcript", transcript: "claude:a" };
const eventOf = (event: Change): BackendEvent => ({ kind: "event", event });

test.each<[string, TimelineSource, BackendEvent, "lost" | "grown" | undefined]>([
  ["its own session", session, eventOf({ change: "session", session: "s1", run: "r" }), "grown"],
  ["another session", session, eventOf({ change: "session", session: "s2", run: "r" }), undefined],
  [
    "transcripts don't change a session",
    session,
    eventOf({ change: "transcripts", ids: [] }),
    undefined,
  ],
  [
    "its own transcript",
    transcript,
    eventOf({ change: "transcripts", ids: ["claude:a"] }),
    "grown",
  ],
  [
    "another transcript",
    transcript,
    eventOf({ change: "transcripts", ids: ["claude:b"] }),
    undefined,
  ],
  ["any transcript", transcript, eventOf({ change: "transcripts", ids: [] }), "grown"],
  ["lost events", transcript, { kind: "gap" }, "lost"],
  ["everything changed", session, eventOf({ change: "all" }), "lost"],
])("%s", (_, source, signal, meaning) => {
  expect(timelineChangeFrom(source, signal)).toBe(meaning);
});
