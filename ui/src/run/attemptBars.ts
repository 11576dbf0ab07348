import type { NodeSnapshot } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { type StateHistory, waitsForPerson } from "./stateHistory";

/** The attempts of a run as bars over time. Pure functions. */

/** A session was active, or the node waited for a person or for the time of the next attempt. */
type SegmentKind = "work" | "person" | "time";

/** A part of a bar with a single kind of activity. */
export interface BarSegment {
  kind: SegmentKind;
  from: number;
  /** `undefined` while it lasts. */
  to: number | undefined;
}

/** One attempt of a node, or the wait before the next one. */
export interface AttemptBar {
  attempt: number;
  from: number;
  /** `undefined` while it lasts. */
  to: number | undefined;
  /** The final state, or the current one. */
  state: NodeStateName;
  segments: readonly BarSegment[];
}

/** Returns the bars of the node at index `place` in order; empty if it never started. */
export function attemptBars({ moments, tracks }: StateHistory, place: number): AttemptBar[] {
  const bars: OpenBar[] = [];
  const track = tracks[place];
  track?.moments.forEach((snapshot, step) => {
    const at = moments[track.indexes[step] ?? -1]?.at ?? 0;
    const kind = segmentKindOf(snapshot);
    const open = lastOpenBar(bars);
    if (open && (kind === undefined || kind === "time" || open.attempt !== snapshot.attempt))
      endBar(open, at, endState(snapshot));
    if (kind === undefined) return;
    const bar = lastOpenBar(bars) ?? startBar(bars, snapshot.attempt, at);
    const last = bar.segments.at(-1);
    if (last?.kind !== kind) {
      if (last) last.to = at;
      bar.segments.push({ kind, from: at, to: undefined });
    }
    bar.state = kind === "work" ? "running" : "waiting";
  });
  return bars;
}

type OpenBar = AttemptBar & { segments: BarSegment[] };

function lastOpenBar(bars: readonly OpenBar[]): OpenBar | undefined {
  const last = bars.at(-1);
  return last?.to === undefined ? last : undefined;
}

function startBar(bars: OpenBar[], attempt: number, from: number): OpenBar {
  const bar: OpenBar = { attempt, from, to: undefined, state: "running", segments: [] };
  bars.push(bar);
  return bar;
}

function endBar(bar: OpenBar, at: number, state: NodeStateName): void {
  const last = bar.segments.at(-1);
  if (last) last.to = at;
  bar.to = at;
  // The wait for the next attempt is not an attempt: it stays `waiting`.
  bar.state = last?.kind === "time" && bar.segments.length === 1 ? "waiting" : state;
}

function segmentKindOf({ state }: NodeSnapshot): SegmentKind | undefined {
  if (state.state === "running") return "work";
  if (state.state !== "waiting" || state.for.kind === "slot") return undefined;
  return waitsForPerson(state) ? "person" : "time";
}

/** Returns the final state of the attempt that this snapshot follows. */
function endState({ state }: NodeSnapshot): NodeStateName {
  // Only failed attempts are retried.
  return state.state === "waiting" && state.for.kind === "retry_at" ? "failed" : state.state;
}

/** The number of active sessions from a moment on. */
export interface ConcurrencyStep {
  at: number;
  count: number;
}

/** Returns the number of active sessions over time: each change, in order. */
export function concurrencyOverTime(bars: readonly (readonly AttemptBar[])[]): ConcurrencyStep[] {
  const changes = new Map<number, number>();
  const add = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { kind, from, to } of bars.flat().flatMap(({ segments }) => segments)) {
    if (kind !== "work") continue;
    add(from, 1);
    if (to !== undefined) add(to, -1);
  }
  let count = 0;
  return [...changes]
    .sort(([one], [other]) => one - other)
    .map(([at, by]) => {
      count += by;
      return { at, count };
    });
}

/** Returns the highest number of simultaneously active sessions. */
export function peakConcurrency(steps: readonly ConcurrencyStep[]): number {
  return steps.reduce((most, { count }) => Math.max(most, count), 0);
}
