import type { ReactElement } from "react";
import { Link } from "react-router";
import type { TranscriptExcerpt } from "@/api/bindings";
import { paths } from "@/shell/paths";

/** Returns the path to the excerpt in its timeline, with the matched text to highlight. */
export function excerptPath(id: string, excerpt: TranscriptExcerpt | undefined): string {
  const found = excerpt?.pieces.find((piece) => piece.found)?.text;
  // Messages of subagents are not part of this timeline.
  const at = excerpt?.at ?? null;
  return paths.session(id, at === null ? undefined : { at, find: found });
}

/**
 * The text around a search hit, linked to it. Rendered as plain text with the matches highlighted.
 */
export function SearchExcerpt({
  id,
  excerpt,
}: {
  id: string;
  excerpt: TranscriptExcerpt;
}): ReactElement {
  return (
    <Link
      to={excerptPath(id, excerpt)}
      tabIndex={-1}
      draggable={false}
      dir="auto"
      onClick={(event) => event.stopPropagation()}
      className="block h-5 truncate text-12 text-muted hover:text-fg"
    >
      {excerpt.pieces.map((piece, at) =>
        piece.found ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity than their order
          <mark key={at} className="rounded-small bg-state-waiting-tint px-px text-state-waiting">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </Link>
  );
}
