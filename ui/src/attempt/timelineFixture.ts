import type {
  TimelineEntry,
  TimelineKind,
  TimelinePage,
  TimelineRange,
  TimelineReading,
  ToolResult,
} from "@/api/bindings";

export function makeEntry(seq: number, kind: TimelineKind): TimelineEntry {
  return {
    seq,
    at: { stream: "stdout", offset: seq, atMs: 1_000 * seq },
    parent: null,
    leftOutBytes: 0,
    kind,
  };
}

export function makeToolCall(
  seq: number,
  name: string,
  summary: string,
  result: Partial<ToolResult> | null = {},
): TimelineEntry {
  const whole = { ok: true, denied: false, text: "", truncatedBytes: 0, diff: null };
  return makeEntry(seq, {
    type: "toolCall",
    id: `call-${seq}`,
    name,
    summary,
    input: { path: summary },
    result: result && { ...whole, ...result },
    ended: null,
  });
}

export function makeTextEntry(seq: number, markdown = `Text ${seq}`): TimelineEntry {
  return makeEntry(seq, { type: "text", markdown });
}

/** A session that answers like the backend and records the requested ranges. */
export class FakeSession {
  readonly asked: Omit<TimelineRange, "session">[] = [];
  revision = 1;
  ended = false;
  reading: TimelineReading | null = null;
  total: number;
  readonly #entryAt: (seq: number) => TimelineEntry;
  readonly #changedAt = new Map<number, number>();

  constructor(total: number, entryAt: (seq: number) => TimelineEntry = makeTextEntry) {
    this.total = total;
    this.#entryAt = entryAt;
  }

  /** Appends `count` entries. */
  grow(count: number): void {
    this.revision += 1;
    for (let seq = this.total; seq < this.total + count; seq += 1) {
      this.#changedAt.set(seq, this.revision);
    }
    this.total += count;
  }

  /** Changes an entry, whose content `entryAt` gives. */
  change(seq: number): void {
    this.revision += 1;
    this.#changedAt.set(seq, this.revision);
  }

  readonly read = async (range: Omit<TimelineRange, "session">): Promise<TimelinePage> => {
    this.asked.push(range);
    const from = range.from < 0 ? Math.max(0, this.total + range.from) : range.from;
    const entries = [];
    for (let seq = from; seq < Math.min(this.total, from + range.limit); seq += 1) {
      const isNew = range.since === null || (this.#changedAt.get(seq) ?? 1) > range.since;
      if (isNew) entries.push(this.#entryAt(seq));
    }
    const { total, revision, ended, reading } = this;
    return { entries, total, revision, ended, reading };
  };
}
