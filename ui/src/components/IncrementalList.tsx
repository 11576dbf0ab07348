import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./Button";
import { formatNumber } from "./formatCount";

export interface IncrementalListProps<Item> {
  /** All items. An empty list renders nothing. */
  items: readonly Item[];
  keyOf: (item: Item) => string;
  className?: string;
  children: (item: Item) => ReactNode;
}

/** How many items are rendered at first, and how many more on each "Show more". */
const initialCount = 50;
const pageSize = 200;

/** A list of up to thousands of rows. The first ones are rendered, the others on demand. */
export function IncrementalList<Item>(props: IncrementalListProps<Item>): ReactElement | null {
  const { items, keyOf, className, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [most, setMost] = useState(initialCount);
  if (items.length === 0) return null;
  const left = items.length - most;

  function showMore() {
    flushSync(() => setMost(most + pageSize));
    // The button may be gone; continue at the first new row.
    (list.current?.children[most] as HTMLElement | undefined)?.focus();
  }

  return (
    <>
      <ul ref={list} className={className}>
        {items.slice(0, most).map((item, at) => (
          <li
            key={keyOf(item)}
            {...(at >= initialCount && { tabIndex: -1, className: "outline-none" })}
          >
            {children(item)}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button size="small" className="self-start" onClick={showMore}>
          Show more, {formatNumber(left)} left
        </Button>
      )}
    </>
  );
}
