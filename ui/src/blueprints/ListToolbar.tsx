import { LayoutGrid, Rows3, Search } from "lucide-react";
import { type ReactElement, type RefObject, useMemo } from "react";
import type { PlanSummary } from "@/api/bindings";
import { FilterChip } from "@/components/FilterChip";
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
  {
    id: "archived",
    label: "Archived",
    hint: "Hidden from the list. An edit or a run brings them back",
  },
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

  // Most people archive nothing, and don't need the chip.
  const offered = chips.filter(({ id }) => id !== "archived" || counts[id] > 0 || filter === id);
  const listed = plans.length - counts.archived;

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
      {offered.map(({ id, label, hint }) => (
        <FilterChip
          key={id}
          hint={hint}
          pressed={filter === id}
          onPress={() => setFilter(filter === id ? undefined : id)}
        >
          {label}
          <span className="tabular-nums opacity-80">{formatNumber(counts[id])}</span>
        </FilterChip>
      ))}
      <span className="ml-auto whitespace-nowrap text-12 text-faint tabular-nums" role="status">
        {filter === undefined && shown === listed
          ? formatCount(shown, "blueprint")
          : `${formatNumber(shown)} of ${formatNumber(filter === "archived" ? counts.archived : listed)}`}
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
