import { expect, test } from "vitest";
import type { Signal } from "@/api/Backend";
import type { Change } from "@/api/bindings";
import { newsFor, type TimelineSource } from "./source";

const session: TimelineSource = { kind: "session", session: "s1" };
const transcript: TimelineSource = { kind: "transcript", transcript: "claude:a" };
const told = (event: Change): Signal => ({ kind: "event", event });

test.each<[string, TimelineSource, Signal, "lost" | "grown" | undefined]>([
  ["its own session", session, told({ change: "session", session: "s1", run: "r" }), "grown"],
  ["another session", session, told({ change: "session", session: "s2", run: "r" }), undefined],
  ["a transcript is no session", session, told({ change: "transcripts", ids: [] }), undefined],
  ["its own transcript", transcript, told({ change: "transcripts", ids: ["claude:a"] }), "grown"],
  ["another one", transcript, told({ change: "transcripts", ids: ["claude:b"] }), undefined],
  ["any of them", transcript, told({ change: "transcripts", ids: [] }), "grown"],
  ["news was lost", transcript, { kind: "gap" }, "lost"],
  ["everything changed", session, told({ change: "all" }), "lost"],
])("%s", (_, source, signal, meaning) => {
  expect(newsFor(source, signal)).toBe(meaning);
});
