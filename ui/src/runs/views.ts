import { defaultRunsQuery, parseRunsQuery, type RunsQuery, runsSearchParams } from "./runsQuery";

/** The app state key of the saved views: `[{ name, search }]`. */
export const viewsKey = "runs.views";

/** The largest number of saved views, and the longest name. */
const maxViews = 50;
export const maxViewName = 60;

/** A query of the Runs page with a name. `search` is the query as in the URL. */
export interface RunsView {
  name: string;
  search: string;
}

const builtIn = (name: string, part: Partial<RunsQuery>): RunsView => ({
  name,
  search: viewSearch({ ...defaultRunsQuery, ...part }),
});

/** The views that everybody has. */
export const builtInViews: readonly RunsView[] = [
  builtIn("All", {}),
  builtIn("Needs attention", { states: ["paused", "stalled", "failed"] }),
  builtIn("Running", { states: ["running"] }),
  builtIn("Last night", { period: "last_night" }),
];

/** Returns the text by which a query is stored and compared. */
export function viewSearch(query: RunsQuery): string {
  return runsSearchParams(query).toString();
}

/** Reads stored views. Invalid ones, and those with a name that is taken, are left out. */
export function parseViews(stored: unknown): RunsView[] {
  if (!Array.isArray(stored)) return [];
  const views: RunsView[] = [];
  for (const { name, search } of stored.filter(isView)) {
    if (views.length === maxViews || nameProblem(name, views) !== undefined) continue;
    // Parsed, because another version may have stored values that are unknown here.
    views.push({ name, search: viewSearch(parseRunsQuery(new URLSearchParams(search))) });
  }
  return views;
}

function isView(value: unknown): value is RunsView {
  const { name, search } = (value ?? {}) as { name?: unknown; search?: unknown };
  return typeof name === "string" && typeof search === "string";
}

/** Returns why a view can't have this name; `undefined` if it can. */
export function nameProblem(name: string, others: readonly RunsView[]): string | undefined {
  const key = name.trim().toLowerCase();
  if (key === "") return "Enter a name.";
  if (key.length > maxViewName) return `Use at most ${maxViewName} characters.`;
  const isTaken = [...builtInViews, ...others].some((view) => view.name.toLowerCase() === key);
  return isTaken ? "Another view has this name." : undefined;
}

/** Returns why no further view can be saved; `undefined` if one can. */
export function saveProblem(views: readonly RunsView[]): string | undefined {
  return views.length < maxViews ? undefined : `At most ${maxViews} views can be saved`;
}

export function addView(views: readonly RunsView[], view: RunsView): RunsView[] {
  return [...views, { ...view, name: view.name.trim() }];
}

export function renameView(views: readonly RunsView[], from: string, to: string): RunsView[] {
  return views.map((view) => (view.name === from ? { ...view, name: to.trim() } : view));
}

export function deleteView(views: readonly RunsView[], name: string): RunsView[] {
  return views.filter((view) => view.name !== name);
}
