import type { ReactElement } from "react";
import type { ChoicePrompt } from "./useChoicePrompt";
import type { PaletteLists } from "./usePaletteLists";

/**
 * The footer of the palette: loading state, errors, further results, and why a command wasn't run.
 */
export function PaletteFooter({
  lists,
  question,
  found,
  empty,
  more,
  notice,
}: {
  lists: PaletteLists;
  question: ChoicePrompt | undefined;
  /** The number of results; undefined without a search. */
  found: number | undefined;
  empty: boolean;
  more: number;
  notice: string;
}): ReactElement {
  const reading = question ? question.entries === undefined : lists.reading;
  const words = [
    empty && !reading && !question?.failure && "No matches. Try fewer letters.",
    reading && "Loading…",
    question?.failure,
    more > 0 && `${more} more. Keep typing to find them.`,
    !question && lists.missing.length > 0 && `Couldn't load ${lists.missing.join(", ")}.`,
  ].filter((line) => typeof line === "string");

  return (
    <div className="shrink-0 border-t px-4 py-1.5 text-12 text-faint has-[>:only-child.sr-only]:border-0 has-[>:only-child.sr-only]:py-0">
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p role="status" className={notice === "" ? "sr-only" : "text-fg"}>
        {notice !== "" ? notice : found !== undefined && `${found} found`}
      </p>
    </div>
  );
}
