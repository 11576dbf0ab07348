import type { NodeTitles, PlanVersionRow, VersionChange } from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { displayTitle } from "@/plan/nodeText";

/** What the list of versions says about a version: "Renamed Lint to Check, added Test". */
export function describeVersion(row: Pick<PlanVersionRow, "changes">, isFirst: boolean): string {
  if (isFirst) return "Created the blueprint";
  if (row.changes === null) return "Edited";
  if (row.changes.length === 0) return "No change except the layout";
  return capitalize(row.changes.map(changePhrase).join(", "));
}

const maxPhrases = 3;

/** The same for several versions, newest first; at most three changes. */
export function describeVersions(rows: readonly Pick<PlanVersionRow, "changes">[]): string {
  const phrases = [...new Set(rows.flatMap(({ changes }) => (changes ?? []).map(changePhrase)))];
  if (phrases.length === 0) return formatCount(rows.length, "edit");
  const more = phrases.length - maxPhrases;
  const shown = phrases.slice(0, maxPhrases).join(", ");
  return capitalize(more > 0 ? `${shown} and ${formatCount(more, "more change")}` : shown);
}

/** One change, as part of a sentence: "renamed Lint to Check". */
export function changePhrase(change: VersionChange): string {
  switch (change.kind) {
    case "restored":
      return `restored version ${change.version}`;
    case "plan_renamed":
      return `renamed the blueprint to ${displayTitle(change.to)}`;
    case "nodes_added":
      return `added ${nameNodes(change)}`;
    case "nodes_removed":
      return `removed ${nameNodes(change)}`;
    case "node_renamed":
      return `renamed ${displayTitle(change.from)} to ${displayTitle(change.to)}`;
    case "nodes_changed":
      return `changed ${nameNodes(change)}`;
    case "edges_added":
      return `added ${formatCount(change.count, "edge")}`;
    case "edges_removed":
      return `removed ${formatCount(change.count, "edge")}`;
    case "groups_changed":
      return "changed the groups";
    case "settings_changed":
      return "changed the settings";
  }
}

/** "Build, Ship and 4 more". */
function nameNodes({ titles, count }: NodeTitles): string {
  const names = titles.map(displayTitle);
  const more = count - names.length;
  if (names.length === 0) return formatCount(count, "node");
  return formatList(more > 0 ? [...names, `${formatNumber(more)} more`] : names);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
