import type { ReactElement } from "react";
import { Tag } from "@/components/Pill";

const maxShown = 3;

/** The first tags of a blueprint on one line and the number of others, with all tags on hover. */
export function TagRow({ tags }: { tags: readonly string[] }): ReactElement | null {
  if (tags.length === 0) return null;
  const rest = tags.length - maxShown;
  return (
    <span className="flex min-w-0 items-center gap-1 overflow-hidden" title={tags.join(", ")}>
      {[...new Set(tags)].slice(0, maxShown).map((tag) => (
        // A long tag is shortened before a short one.
        <span key={tag} className="flex min-w-0" style={{ flexShrink: tag.length ** 8 }}>
          <Tag name={tag} />
        </span>
      ))}
      {rest > 0 && <span className="shrink-0 text-12 text-faint">+{rest}</span>}
    </span>
  );
}
