import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { numberWords } from "@/components/countWords";
import { type InboxGroup, itemKey } from "./ask";
import { InboxRow, type InboxRowProps } from "./InboxRow";

export interface GroupSectionProps {
  /** What of the group is drawn. */
  group: InboxGroup;
  /** How many wait in all. */
  total: number;
  itemProps: (key: string) => Omit<InboxRowProps, "item" | "onDone">;
  onDone: (words: string) => void;
  onMore: () => void;
}

/** The items of one kind below their heading. */
export function GroupSection(props: GroupSectionProps): ReactElement {
  const { group, total, itemProps, onDone, onMore } = props;
  const left = total - group.items.length;
  return (
    <section aria-labelledby={`inbox-${group.kind}`}>
      <h2 id={`inbox-${group.kind}`} className="flex gap-1.5 pb-1 font-medium text-12 text-muted">
        {group.title} <span className="text-faint tabular-nums">{total}</span>
      </h2>
      <ul className="flex flex-col divide-y divide-line border-y">
        {group.items.map((item) => {
          const key = itemKey(item);
          return (
            <li
              key={key}
              className="py-0.5 [contain-intrinsic-size:auto_72px] [content-visibility:auto]"
            >
              <InboxRow item={item} onDone={onDone} {...itemProps(key)} />
            </li>
          );
        })}
      </ul>
      {left > 0 && (
        <div className="px-3 pt-2">
          <Button size="small" onClick={onMore}>
            Show more, {numberWords(left)} left
          </Button>
        </div>
      )}
    </section>
  );
}
