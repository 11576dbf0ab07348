import type { NodeMoment } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { asksPerson, type Course } from "./course";

/** What a run did when, as bars over time. Pure. */

/** What went on: a session worked, a person was waited for, or the time of the next attempt. */
type Going = "work" | "person" | "time";

/** A stretch of a bar in which one thing went on. */
export interface Stretch {
  going: Going;
  from: number;
  /** None: it still goes on. */
  to: number | undefined;
}

/** One attempt of a node, or the wait before the next one. */
export interface Bar {
  attempt: number;
  from: number;
  /** None: it has not ended. */
  to: number | undefined;
  /** How it ended, or how it goes. */
  state: NodeStateName;
  stretches: readonly Stretch[];
}

/** The bars of the node at `place`, the first one first. Nothing, if nothing was done for it. */
export function barsOf({ moments, tracks }: Course, place: number): Bar[] {
  const bars: OpenBar[] = [];
  const track = tracks[place];
  track?.standings.forEach((standing, step) => {
    const at = moments[track.indexes[step] ?? -1]?.at ?? 0;
    const going = goingOf(standing);
    const open = openOf(bars);
    if (open && (going === undefined || going === "time" || open.attempt !== standing.attempt))
      close(open, at, endOf(standing));
    if (going === undefined) return;
    const bar = openOf(bars) ?? begin(bars, standing.attempt, at);
    const last = bar.stretches.at(-1);
    if (last?.going !== going) {
      if (last) last.to = at;
      bar.stretches.push({ going, from: at, to: undefined });
    }
    bar.state = going === "work" ? "running" : "waiting";
  });
  return bars;
}

type OpenBar = Bar & { stretches: Stretch[] };

function openOf(bars: readonly OpenBar[]): OpenBar | undefined {
  const last = bars.at(-1);
  return last?.to === undefined ? last : undefined;
}

function begin(bars: OpenBar[], attempt: number, from: number): OpenBar {
  const bar: OpenBar = { attempt, from, to: undefined, state: "running", stretches: [] };
  bars.push(bar);
  return bar;
}

function close(bar: OpenBar, at: number, state: NodeStateName): void {
  const last = bar.stretches.at(-1);
  if (last) last.to = at;
  bar.to = at;
  // The wait for the next attempt is no attempt: it ends as it was.
  bar.state = last?.going === "time" && bar.stretches.length === 1 ? "waiting" : state;
}

function goingOf({ state }: NodeMoment): Going | undefined {
  if (state.state === "running") return "work";
  if (state.state !== "waiting" || state.for.kind === "slot") return undefined;
  return asksPerson(state) ? "person" : "time";
}

/** How the attempt ended that this standing followed. */
function endOf({ state }: NodeMoment): NodeStateName {
  // Only what failed is tried again.
  return state.state === "waiting" && state.for.kind === "retry_at" ? "failed" : state.state;
}

/** How many sessions worked from a moment on. */
export interface Step {
  at: number;
  count: number;
}

/** How many sessions worked at once, over time: each change, in order. */
export function widthOver(bars: readonly (readonly Bar[])[]): Step[] {
  const changes = new Map<number, number>();
  const add = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { going, from, to } of bars.flat().flatMap(({ stretches }) => stretches)) {
    if (going !== "work") continue;
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
export function mostAtOnce(steps: readonly Step[]): number {
  return steps.reduce((most, { count }) => Math.max(most, count), 0);
}
