import { asRecord } from "@/commands/keyBindings";

/** Times in milliseconds until which items are hidden, by the key of the item. */
export type Snoozes = Readonly<Record<string, number>>;

export interface SnoozeChoice {
  label: "Later today" | "Tomorrow" | "Next week";
  until: number;
}

/** When a day begins for somebody who snoozes an item to it. */
const morning = 9;
const laterHours = 3;
/** More are never open at once. A bound for keys of items that are long gone. */
const maxSnoozes = 500;

/** The times to choose from. Late in the evening, there is no later today. */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const later = new Date(now);
  later.setHours(now.getHours() + laterHours);
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  const choices: SnoozeChoice[] = [
    { label: "Tomorrow", until: morningAfter(now, 1) },
    { label: "Next week", until: morningAfter(now, daysToMonday) },
  ];
  return later.getDate() === now.getDate()
    ? [{ label: "Later today", until: later.getTime() }, ...choices]
    : choices;
}

function morningAfter(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning).getTime();
}

/** Reads stored times and ignores what is not understood: the file may come from elsewhere. */
export function parseSnoozes(stored: unknown): Snoozes {
  const times = Object.entries(asRecord(stored)).flatMap(([key, until]) =>
    typeof until === "number" ? [[key, until] as const] : [],
  );
  return Object.fromEntries(times);
}

/** Hides an item until a time, or shows it again if there is none. Forgets what is over. */
export function withSnooze(
  snoozes: Snoozes,
  key: string,
  until: number | undefined,
  now: number,
): Snoozes {
  const others = Object.entries(snoozes).filter(([other, end]) => other !== key && end > now);
  const next = until === undefined ? others : [...others, [key, until] as const];
  return Object.fromEntries(next.slice(-maxSnoozes));
}

/** The time at which the next item comes back. */
export function nextReturn(snoozes: Snoozes, now: number): number | undefined {
  const ahead = Object.values(snoozes).filter((until) => until > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

/** A day and a time such as "tomorrow, 9:00 AM" or "Mon, Dec 7, 9:00 AM". */
export function formatReturn(until: number, now: Date): string {
  const date = new Date(until);
  const time = date.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  if (date.toDateString() === now.toDateString()) return `today, ${time}`;
  if (date.toDateString() === tomorrow.toDateString()) return `tomorrow, ${time}`;
  const day = date.toLocaleDateString("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
  });
  return `${day}, ${time}`;
}
