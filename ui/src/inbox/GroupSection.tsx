import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/formatCount";

export interface GroupSectionProps {
  /** Tells the group from the others of the page. */
  id: string;
  title: string;
  /** What a person should know of all of them. */
  note?: string;
  /** How many wait, drawn or not. */
  total: number;
  onMore: () => void;
  /** The rows that are drawn, each with its key. */
  children: readonly ReactElement[];
}

/** The items of one kind below their heading. */
export function GroupSection(props: GroupSectionProps): ReactElement {
  const { id, title, note, total, onMore, children } = props;
  const left = total - children.length;
  return (
    <section aria-labelledby={`inbox-${id}`}>
      <h2 id={`inbox-${id}`} className="flex gap-1.5 pb-1 font-medium text-12 text-muted">
        {title} <span className="text-faint tabular-nums">{total}</span>
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
