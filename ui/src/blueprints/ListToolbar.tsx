import { LayoutGrid, Rows3, Search } from "lucide-react";
import { type ReactElement, type RefObject, useMemo } from "react";
import type { PlanSummary } from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import { type Filter, type ListFacts, matchesFilter } from "./filterAndSort";
import { useListView } from "./listView";

const chips: { id: Filter; label: string; hint: string }[] = [
  { id: "starred", label: "Starred", hint: "Blueprints that you starred" },
  { id: "running", label: "Running", hint: "The last run is in progress" },
  {
    id: "needsPerson",
    label: "Needs attention",
    hint: "Waiting for an answer, stalled, failed or interrupted",
  },
  { id: "drafts", label: "Drafts", hint: "Not approved yet" },
];

/** Search, filter chips and the layout switch above the list. */
export function ListToolbar({
  plans,
  facts,
  shown,
  searchRef,
}: {
  plans: readonly PlanSummary[];
  facts: ListFacts;
  /** How many blueprints match. */
  shown: number;
  searchRef: RefObject<HTMLInputElement | null>;
}): ReactElement {
  const { search, filter, shape, setSearch, setFilter, setShape } = useListView();
  const counts = useMemo(
    () =>
      Object.fromEntries(
        chips.map(({ id }) => [id, plans.filter((plan) => matchesFilter(plan, id, facts)).length]),
      ) as Record<Filter, number>,
    [plans, facts],
  );

  return (
    <>
      <div className="w-60">
        <TextField
          ref={searchRef}
          type="search"
          label="Search blueprints"
          labelHidden
          placeholder="Search title, goal, tag, directory"
          icon={<Search />}
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              setSearch("");
              event.currentTarget.blur();
            } else if (event.key === "ArrowDown" || event.key === "Enter") {
              event.preventDefault();
              document.getElementById("blueprints")?.focus();
            }
          }}
        />
      </div>
      {chips.map(({ id, label, hint }) => (
        <button
          key={id}
          type="button"
          title={hint}
          aria-pressed={filter === id}
          onClick={() => setFilter(filter === id ? undefined : id)}
          className="inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 font-medium text-12 text-muted transition-colors hover:bg-hover hover:text-fg aria-pressed:border-transparent aria-pressed:bg-accent-tint aria-pressed:text-accent-fg"
        >
          {label}
          <span className="tabular-nums opacity-80">{counts[id]}</span>
        </button>
      ))}
      <span className="ml-auto whitespace-nowrap text-12 text-faint tabular-nums" role="status">
        {shown === plans.length
          ? formatCount(shown, "blueprint")
          : `${formatNumber(shown)} of ${formatNumber(plans.length)}`}
      </span>
      <SegmentedControl
        label="Layout"
        options={[
          { id: "table", label: "Table", icon: <Rows3 /> },
          { id: "cards", label: "Cards", icon: <LayoutGrid /> },
        ]}
        value={shape}
        onChange={setShape}
      />
    </>
  );
}
