import { ChevronRight } from "lucide-react";
import type { KeyboardEvent, ReactElement } from "react";
import { lineId, listId } from "./paletteIds";

/** The search field of the palette. It keeps the focus and points to the active row. */
export function PaletteField({
  question,
  value,
  active,
  onChange,
  onKeyDown,
}: {
  question: string | undefined;
  value: string;
  active: string | undefined;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  return (
    <div className="flex shrink-0 items-center gap-2 border-b px-4">
      {question && (
        <span className="flex max-w-[45%] shrink-0 items-center gap-1 text-muted">
          <span className="truncate">{question}</span>
          <ChevronRight className="size-3.5 shrink-0" aria-hidden="true" />
        </span>
      )}
      <input
        type="text"
        role="combobox"
        aria-label={question ?? "Commands"}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : lineId(active)}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={question ? "Choose" : "Search commands, blueprints, nodes, sessions"}
        className="h-11 w-full min-w-0 bg-transparent text-15 outline-none placeholder:text-faint"
      />
    </div>
  );
}
