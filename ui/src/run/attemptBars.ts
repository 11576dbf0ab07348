import type { NodeSnapshot } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { type StateHistory, waitsForPerson } from "./stateHistory";

/** What a run did when, as bars over time. Pure. */

/** What went on: a session worked, a person was waited for, or the time of the next attempt. */
type SegmentKind = "work" | "person" | "time";

/** A stretch of a bar in which one thing went on. */
export interface BarSegment {
  kind: SegmentKind;
  from: number;
  /** None: it still goes on. */
  to: number | undefined;
}

/** One attempt of a node, or the wait before the next one. */
export interface AttemptBar {
  attempt: number;
  from: number;
  /** None: it has not ended. */
  to: number | undefined;
  /** How it ended, or how it goes. */
  state: NodeStateName;
  segments: readonly BarSegment[];
}

/** The bars of the node at `place`, the first one first. Nothing, if nothing was done for it. */
export function attemptBars({ moments, tracks }: StateHistory, place: number): AttemptBar[] {
  const bars: OpenBar[] = [];
  const track = tracks[place];
  track?.moments.forEach((standing, step) => {
    const at = moments[track.indexes[step] ?? -1]?.at ?? 0;
    const kind = segmentKindOf(standing);
    const open = lastOpenBar(bars);
    if (open && (kind === undefined || kind === "time" || open.attempt !== standing.attempt))
      endBar(open, at, endState(standing));
    if (kind === undefined) return;
    const bar = lastOpenBar(bars) ?? startBar(bars, standing.attempt, at);
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
  // The wait for the next attempt is no attempt: it ends as it was.
  bar.state = last?.kind === "time" && bar.segments.length === 1 ? "waiting" : state;
}

function segmentKindOf({ state }: NodeSnapshot): SegmentKind | undefined {
  if (state.state === "running") return "work";
  if (state.state !== "waiting" || state.for.kind === "slot") return undefined;
  return waitsForPerson(state) ? "person" : "time";
}

/** How the attempt ended that this standing followed. */
function endState({ state }: NodeSnapshot): NodeStateName {
  // Only what failed is tried again.
  return state.state === "waiting" && state.for.kind === "retry_at" ? "failed" : state.state;
}

/** How many sessions worked from a moment on. */
export interface ConcurrencyStep {
  at: number;
  count: number;
}

/** How many sessions worked at once, over time: each change, in order. */
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

/** The most that worked at once. */
export function peakConcurrency(steps: readonly ConcurrencyStep[]): number {
  return steps.reduce((most, { count }) => Math.max(most, count), 0);
}
