import type { ReactElement, RefObject } from "react";
import type { RunsSort, StartedByFilter } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Combobox } from "@/components/Combobox";
import { ListSearchField } from "@/components/ListSearchField";
import { runStateLabel } from "@/components/RunStateLabel";
import { Select } from "@/components/Select";
import { displayTitle } from "@/plan/nodeText";
import { RunsViews } from "./RunsViews";
import {
  isStartDay,
  type Period,
  periodStart,
  periods,
  type RunsQuery,
  runStates,
  runsSorts,
  type StartDay,
  starters,
} from "./runsQuery";

const starterLabels: Record<StartedByFilter, string> = {
  person: "You",
  session: "Agents",
  program: "Programs",
  run: "Other runs",
};
const periodLabels: Record<Period, string> = {
  last_night: "Last night",
  day: "Last 24 hours",
  week: "Last 7 days",
  month: "Last 30 days",
};
const sortLabels: Record<RunsSort, string> = {
  newest: "Newest",
  oldest: "Oldest",
  longest: "Longest",
  costliest: "Costliest",
};

const any = "any";

/** Formats a day: "Nov 20, 2026". */
function formatDay(day: StartDay): string {
  return new Date(periodStart(day, 0)).toLocaleDateString("en-US", { dateStyle: "medium" });
}

export interface RunsToolbarProps {
  query: RunsQuery;
  onChange: (part: Partial<RunsQuery>) => void;
  /** Replaces the whole query. */
  onShow: (query: RunsQuery) => void;
  searchField: RefObject<HTMLInputElement | null>;
  /** Moves the focus to the list. */
  onLeaveSearch: () => void;
}

/** Views, search, filters and sort order of the Runs page. */
export function RunsToolbar(props: RunsToolbarProps): ReactElement {
  return (
    <>
      <RunsViews query={props.query} onShow={props.onShow} />
      <SearchField {...props} />
      <Filters {...props} />
    </>
  );
}

function SearchField({ query, onChange, searchField, onLeaveSearch }: RunsToolbarProps) {
  return (
    <div className="w-56 shrink-0">
      <ListSearchField
        label="Search runs"
        placeholder="Search title or #number"
        text={query.text}
        onSearch={(text) => onChange({ text })}
        field={searchField}
        onLeave={onLeaveSearch}
      />
    </div>
  );
}

function Filters({ query, onChange }: Pick<RunsToolbarProps, "query" | "onChange">): ReactElement {
  const { data: plans } = useOperation("plans_list", {});
  const day = query.period && isStartDay(query.period) ? query.period : undefined;
  return (
    <>
      <div className="w-36">
        <Combobox
          label="State"
          labelHidden
          multiple
          placeholder="Any state"
          options={runStates.map((id) => ({ id, label: runStateLabel(id) }))}
          value={query.states}
          onChange={(states) => onChange({ states })}
        />
      </div>
      <div className="w-40">
        <Combobox
          label="Blueprint"
          labelHidden
          options={[
            { id: any, label: "Any blueprint" },
            ...(plans ?? []).map(({ id, title }) => ({ id, label: displayTitle(title) })),
          ]}
          value={[query.plan ?? any]}
          onChange={([id]) => onChange({ plan: id === any ? undefined : id })}
        />
      </div>
      <Select
        label="Started by"
        labelHidden
        options={[
          { id: any, label: "Started by anyone" },
          ...starters.map((id) => ({ id, label: starterLabels[id] })),
        ]}
        value={query.startedBy ?? any}
        onChange={(id) => onChange({ startedBy: starters.find((starter) => starter === id) })}
      />
      <Select
        label="Period"
        labelHidden
        options={[
          { id: any, label: "Any time" },
          ...periods.map((id) => ({ id, label: periodLabels[id] })),
          ...(day === undefined ? [] : [{ id: day, label: `Since ${formatDay(day)}` }]),
        ]}
        value={query.period ?? any}
        onChange={(id) => onChange({ period: [...periods, day].find((period) => period === id) })}
      />
      <Select
        label="Sort by"
        labelHidden
        options={runsSorts.map((id) => ({ id, label: sortLabels[id] }))}
        value={query.sort}
        onChange={(sort) => onChange({ sort })}
      />
    </>
  );
}
