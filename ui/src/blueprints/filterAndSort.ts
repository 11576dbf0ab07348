import type { PlanSummary, ReviewState } from "@/api/bindings";
import { settledCount } from "@/components/progress";
import type { WaitingRuns } from "@/pending/useWaitingRuns";
import { isAbandoned, isRunning, isUnreadable, needsPerson } from "./planStatus";

/** The columns that the list can be sorted by. */
export type SortColumn =
  | "starred"
  | "title"
  | "review"
  | "run"
  | "progress"
  | "lastRun"
  | "directory"
  | "tags";

/** How the list is sorted. Without it, the latest change comes first. */
export interface Sort {
  column: SortColumn;
  direction: "ascending" | "descending";
}

/** The filter chips above the list. */
export type Filter = "starred" | "running" | "needsPerson" | "drafts" | "archived";

/** The search, filter and sort order of the list. */
export interface ListQuery {
  search: string;
  filter: Filter | undefined;
  sort: Sort | undefined;
}

/** What filters and sorting need besides the plans. */
export interface ListFacts {
  waitingRuns: WaitingRuns;
  /** IDs of starred plans. */
  starred: ReadonlySet<string>;
}

/** Returns the plans that match the query, in its order. Archived ones only if asked for. */
export function filterAndSortPlans(
  plans: readonly PlanSummary[],
  query: ListQuery,
  facts: ListFacts,
): PlanSummary[] {
  const words = query.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const { filter, sort } = query;
  const matching = plans.filter(
    (plan) =>
      (filter ? matchesFilter(plan, filter, facts) : !isArchived(plan)) &&
      matchesSearch(plan, words),
  );
  return sort ? sortPlans(matching, sort, facts) : matching;
}

/** Returns whether title, description, tags and directory contain every search word. */
function matchesSearch({ title, description, tags, cwd }: PlanSummary, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = [title, description, cwd ?? "", ...tags].join("\n").toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

export function isArchived({ archivedAt }: Pick<PlanSummary, "archivedAt">): boolean {
  return archivedAt !== null;
}

export function matchesFilter(plan: PlanSummary, filter: Filter, facts: ListFacts): boolean {
  if (isArchived(plan)) return filter === "archived";
  switch (filter) {
    case "archived":
      return false;
    case "starred":
      return facts.starred.has(plan.id);
    case "running":
      return plan.lastRun !== null && isRunning(plan.lastRun);
    case "needsPerson":
      return needsPerson(plan, facts.waitingRuns);
    case "drafts":
      return plan.review !== "approved" && !isUnreadable(plan);
  }
}

function sortPlans(
  plans: PlanSummary[],
  { column, direction }: Sort,
  facts: ListFacts,
): PlanSummary[] {
  const value = values[column];
  const sign = direction === "ascending" ? 1 : -1;
  const keyed = plans.map((plan) => ({ plan, key: value(plan, facts) }));
  keyed.sort((a, b) => {
    // Plans without a value sort last in both directions.
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ plan }) => plan);
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number"
    ? a - b
    : collator.compare(String(a), String(b));
}

const reviewOrder: ReviewState[] = [
  "needs_review",
  "proposed",
  "draft",
  "approved",
  "rejected",
  "cancelled",
];
const runOrder = [
  "abandoned",
  "stalled",
  "failed",
  "running",
  "replanning",
  "paused",
  "cancelled",
  "completed",
];

type ValueOf = (plan: PlanSummary, facts: ListFacts) => string | number | undefined;

const values: Record<SortColumn, ValueOf> = {
  starred: ({ id }, { starred }) => (starred.has(id) ? 0 : undefined),
  title: ({ title }) => title.trim(),
  review: ({ review }) => reviewOrder.indexOf(review),
  run: ({ lastRun }) =>
    lastRun
      ? runOrder.indexOf(isAbandoned(lastRun) ? "abandoned" : lastRun.state.state)
      : undefined,
  progress: ({ lastRun }) => (lastRun ? finishedShare(lastRun.progress) : undefined),
  lastRun: ({ lastRun }) => lastRun?.startedAt,
  directory: ({ cwd }) => cwd ?? undefined,
  tags: ({ tags }) => (tags.length > 0 ? tags.join(" ") : undefined),
};

function finishedShare(progress: NonNullable<PlanSummary["lastRun"]>["progress"]): number {
  return progress.length === 0 ? 0 : settledCount(progress) / progress.length;
}

/** Returns whether a stored value is the name of a column. */
export function isSortColumn(value: unknown): value is SortColumn {
  return typeof value === "string" && Object.hasOwn(values, value);
}

/**
 * Returns the sort order after a click on a column's header: one direction, the other, then the
 * default. Stars have one direction only.
 */
export function nextSort(sort: Sort | undefined, column: SortColumn): Sort | undefined {
  const first = column === "lastRun" || column === "progress" ? "descending" : "ascending";
  if (sort?.column !== column) return { column, direction: first };
  if (sort.direction !== first || column === "starred") return undefined;
  return { column, direction: first === "ascending" ? "descending" : "ascending" };
}
