import { expect, test } from "vitest";
import { applicableEntries } from "./applicableEntries";
import type { MenuEntry } from "./Menu";

const act = (label: string, reason?: string): MenuEntry => ({
  kind: "act",
  label,
  reason,
  onSelect: () => undefined,
});
const line: MenuEntry = { kind: "line" };
const heading: MenuEntry = { kind: "heading", label: "Arrange" };
const more = (...entries: MenuEntry[]): MenuEntry => ({ kind: "more", label: "More", entries });

function labels(entries: readonly MenuEntry[]): string {
  return entries.map((entry) => (entry.kind === "line" ? "-" : entry.label)).join(" ");
}

test.each([
  [[act("A"), act("B", "No run"), act("C")], "A C"],
  [[act("A", "No run"), line, act("B"), line, line, act("C"), line], "B - C"],
  [[act("A"), line, act("B", "No run"), line, act("C")], "A - C"],
  [[line, act("A", "No run")], ""],
  [[act("A"), line, heading, act("B")], "A - Arrange B"],
  [[act("A"), heading, act("B", "No run"), line, act("C")], "A - C"],
  [[act("A"), more(act("B", "No run"))], "A"],
  [[act("A"), more(act("B"), line, act("C", "No run"))], "A More"],
])("what can't apply is left out (%#)", (entries, shown) => {
  expect(labels(applicableEntries(entries))).toBe(shown);
});
