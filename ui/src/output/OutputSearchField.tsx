import { CaseSensitive, ChevronDown, ChevronUp, Regex, Search, X } from "lucide-react";
import type { KeyboardEvent, ReactElement, RefObject } from "react";
import { IconButton } from "@/components/IconButton";
import { TextField } from "@/components/TextField";
import type { OutputSearchState } from "./useOutputSearch";

export interface OutputSearchFieldProps {
  search: OutputSearchState;
  field: RefObject<HTMLInputElement | null>;
  /** Ends the search and returns the focus to the rows. */
  onLeave: () => void;
}

/** The search in an output. */
export function OutputSearchField({
  search,
  field,
  onLeave,
}: OutputSearchFieldProps): ReactElement {
  const { query, change, status, error, go, hits } = search;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="flex min-w-40 max-w-120 flex-1 items-start gap-1">
      <div className="relative min-w-32 flex-1">
        <TextField
          ref={field}
          label="Search output"
          labelHidden
          placeholder="Search"
          icon={<Search />}
          dir="auto"
          spellCheck={false}
          value={query.text}
          onChange={(text) => change({ text })}
          onKeyDown={onKeyDown}
          error={error}
          className="pr-14"
        />
        <span className="absolute top-0.5 right-0.5 flex">
          <IconButton
            size="small"
            label="Match case"
            icon={<CaseSensitive />}
            pressed={query.caseSensitive}
            onClick={() => change({ caseSensitive: !query.caseSensitive })}
          />
          <IconButton
            size="small"
            label="Use regular expression"
            icon={<Regex />}
            pressed={query.isRegex}
            onClick={() => change({ isRegex: !query.isRegex })}
          />
        </span>
      </div>
      {query.text !== "" && (
        <span className="flex h-7 items-center text-11 text-faint tabular-nums">
          <span role="status" className="whitespace-nowrap px-1">
            {error === undefined && status}
          </span>
          <IconButton
            size="small"
            label="Previous match"
            keys="Shift+F3"
            icon={<ChevronUp />}
            disabled={hits.length === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            size="small"
            label="Next match"
            keys="F3"
            icon={<ChevronDown />}
            disabled={hits.length === 0}
            onClick={() => go(1)}
          />
          <IconButton
            size="small"
            label="Clear search"
            keys="Escape"
            icon={<X />}
            onClick={onLeave}
          />
        </span>
      )}
    </div>
  );
}
