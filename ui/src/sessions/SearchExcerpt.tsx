import type { ReactElement } from "react";
import { Link } from "react-router";
import type { TranscriptExcerpt } from "@/api/bindings";
import { paths } from "@/shell/paths";

/** The address of the place in its timeline, with the found word to mark there. */
export function excerptPath(id: string, excerpt: TranscriptExcerpt | undefined): string {
  const found = excerpt?.pieces.find((piece) => piece.found)?.text;
  // What a helper agent said has no place in this timeline.
  const at = excerpt?.at ?? null;
  return paths.session(id, at === null ? undefined : { at, find: found });
}

/** The text around a hit, as a way to it. What was found is marked; all of it is text and nothing else. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing but their order
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
