import type { KindName } from "@/blueprint/edits";

/** A kind of node as palette and picker offer it. */
export interface KindOffer {
  kind: KindName;
  title: string;
  note: string;
  /** Other words that find it. */
  keywords: string;
}

export const kindOffers: readonly KindOffer[] = [
  {
    kind: "agent",
    title: "Agent",
    note: "A coding agent works on a prompt",
    keywords: "claude codex prompt session task",
  },
  {
    kind: "command",
    title: "Command",
    note: "A program or a line of shell runs",
    keywords: "shell bash script program sh",
  },
  {
    kind: "note",
    title: "Note",
    note: "Words on the canvas; never runs",
    keywords: "sticky comment text markdown",
  },
];
