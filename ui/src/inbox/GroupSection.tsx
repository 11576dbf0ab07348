import type { ReactElement } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/formatCount";

export interface GroupSectionProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** The page that lists the same things. */
  to?: string;
  /** A note that applies to all items. */
  note?: string;
  /** The number of items, including those not rendered. */
  total: number;
  onMore: () => void;
  /** The rendered rows, each with a key. */
  children: readonly ReactElement[];
}

/** A section of the Inbox with all items of one kind. */
export function GroupSection(props: GroupSectionProps): ReactElement {
  const { id, title, to, note, total, onMore, children } = props;
  const left = total - children.length;
  return (
    <section aria-labelledby={`inbox-${id}`}>
      <h2 id={`inbox-${id}`} className="flex gap-1.5 pb-1 font-medium text-12 text-muted">
        {to === undefined ? (
          title
        ) : (
          <Link to={to} className="rounded-small hover:text-fg hover:underline">
            {title}
          </Link>
        )}{" "}
        <span className="text-faint tabular-nums">{formatNumber(total)}</span>
      </h2>
      {note !== undefined && <p className="pb-1.5 text-12 text-faint">{note}</p>}
      <ul className="flex flex-col divide-y divide-line border-y">
        {children.map((row) => (
          <li
            key={row.key}
            className="py-0.5 [contain-intrinsic-size:auto_72px] [content-visibility:auto]"
          >
            {row}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className="px-3 pt-2">
          <Button size="small" onClick={onMore}>
            Show more, {formatNumber(left)} left
          </Button>
        </div>
      )}
    </section>
  );
}
