import type { ReactElement } from "react";
import type { PaletteLists } from "./usePaletteLists";
import type { Question } from "./useQuestion";

/** Below the lines: what is still read or was not, how much more there is, and why a line was not carried out. */
export function PaletteFoot({
  lists,
  question,
  found,
  empty,
  more,
  notice,
}: {
  lists: PaletteLists;
  question: Question | undefined;
  /** How much a search found; none without one. */
  found: number | undefined;
  empty: boolean;
  more: number;
  notice: string;
}): ReactElement {
  const reading = question ? question.entries === undefined : lists.reading;
  const words = [
    empty && !reading && !question?.failure && "Nothing is called so. Try fewer letters.",
    reading && "Reading…",
    question?.failure,
    more > 0 && `${more} more. Go on typing to find them.`,
    !question &&
      lists.missing.length > 0 &&
      `${lists.missing.join(", ")} could not be read and are left out.`,
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
