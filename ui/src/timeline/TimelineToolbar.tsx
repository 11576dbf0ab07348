import { ArrowDownToLine, ArrowUpToLine, CircleAlert, Hand, Search, X } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { useKeyBindings } from "@/commands/keyBindings";
import { IconButton } from "@/components/IconButton";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import { type EntryFilter, filterLabels } from "./entryFilters";
import type { JumpToEntry } from "./useJumpToEntry";
import type { TimelineSearchState } from "./useTimelineSearch";

export interface TimelineToolbarProps {
  filter: EntryFilter;
  onFilter: (filter: EntryFilter) => void;
  search: TimelineSearchState;
  searchField: RefObject<HTMLInputElement | null>;
  /** Moves to the next or previous hit. */
  onHit: (step: 1 | -1) => void;
  /** Clears the search and returns the focus to the entries. */
  onLeaveSearch: () => void;
  jump: JumpToEntry;
  onEnd: (end: "top" | "bottom") => void;
}

const filters = (Object.keys(filterLabels) as EntryFilter[]).map((id) => ({
  id,
  label: filterLabels[id],
}));

/** The toolbar above a timeline: filter, search and navigation. */
export function TimelineToolbar(props: TimelineToolbarProps): ReactElement {
  const { filter, onFilter, jump, onEnd } = props;
  const { keysOf } = useKeyBindings();
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b px-4 py-1">
      <SegmentedControl label="Entries" options={filters} value={filter} onChange={onFilter} />
      <SearchField {...props} />
      <span role="status" className="min-w-0 truncate text-12 text-faint">
        {jump.status}
      </span>
      <div className="ml-auto flex items-center">
        <IconButton
          label="Next question"
          keys={keysOf("timeline_next_question")[0] ?? ""}
          icon={<Hand />}
          onClick={() => jump.jump("question", 1)}
        />
        <IconButton
          label="Next error"
          keys={keysOf("timeline_next_error")[0] ?? ""}
          icon={<CircleAlert />}
          onClick={() => jump.jump("error", 1)}
        />
        <IconButton
          label="First entry"
          keys={keysOf("timeline_beginning")[0] ?? ""}
          icon={<ArrowUpToLine />}
          onClick={() => onEnd("top")}
        />
        <IconButton
          label="Last entry"
          keys={keysOf("timeline_end")[0] ?? ""}
          icon={<ArrowDownToLine />}
          onClick={() => onEnd("bottom")}
        />
      </div>
    </div>
  );
}

function SearchField(props: TimelineToolbarProps): ReactElement {
  const { search, searchField, onHit, onLeaveSearch } = props;
  return (
    <div className="relative min-w-32 max-w-64 flex-1">
      <TextField
        ref={searchField}
        label="Search this timeline"
        labelHidden
        placeholder="Search"
        icon={<Search />}
        value={search.text}
        onChange={search.setText}
        onKeyDown={(event) => {
          if (event.key === "Enter") onHit(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onLeaveSearch();
        }}
        className="pr-24"
      />
      {search.status && (
        <span className="absolute inset-y-0 right-1 flex items-center gap-1 text-11 text-faint tabular-nums">
          <span role="status">{search.status}</span>
          <IconButton
            size="small"
            label="Clear search"
            keys="Escape"
            icon={<X />}
            onClick={onLeaveSearch}
          />
        </span>
      )}
    </div>
  );
}
