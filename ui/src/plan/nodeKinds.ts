import type { KindName } from "./kinds";

/** A kind of node as shown in the palette and the picker. */
export interface KindOffer {
  kind: KindName;
  title: string;
  note: string;
  /** Further search terms. */
  keywords: string;
}

export interface KindGroup {
  title: string;
  offers: readonly KindOffer[];
}

export const kindGroups: readonly KindGroup[] = [
  {
    title: "Agents",
    offers: [
      {
        kind: "agent",
        title: "Agent",
        note: "A coding agent works on a prompt",
        keywords: "claude codex prompt session task llm",
      },
      {
        kind: "llm_decision",
        title: "Decision",
        note: "An agent picks an answer",
        keywords: "llm choose choice choices judge classify",
      },
    ],
  },
  {
    title: "Commands and tools",
    offers: [
      {
        kind: "command",
        title: "Command",
        note: "Runs a program or a shell command",
        keywords: "shell bash script program sh",
      },
      {
        kind: "tool_call",
        title: "Tool call",
        note: "One tool, without an agent",
        keywords: "mcp http read write glob file request function",
      },
      {
        kind: "parallel",
        title: "Parallel",
        note: "Several tool calls at once",
        keywords: "fan out concurrent batch together",
      },
    ],
  },
  {
    title: "People",
    offers: [
      {
        kind: "user_input",
        title: "Question",
        note: "Waits for a person's answer",
        keywords: "ask human input confirm approve choice form",
      },
    ],
  },
  {
    title: "Flow",
    offers: [
      {
        kind: "condition",
        title: "Condition",
        note: "Takes one of two branches",
        keywords: "if else branch fork switch",
      },
      {
        kind: "loop",
        title: "Loop",
        note: "A tool or blueprint, repeated",
        keywords: "repeat while iterate until",
      },
      {
        kind: "sub_plan",
        title: "Sub-plan",
        note: "Runs another blueprint",
        keywords: "nested child plan blueprint reuse",
      },
      {
        kind: "note",
        title: "Note",
        note: "Text on the canvas; never runs",
        keywords: "sticky comment text markdown",
      },
    ],
  },
];

export const kindOffers: readonly KindOffer[] = kindGroups.flatMap(({ offers }) => offers);
