import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./Button";
import { formatNumber } from "./formatCount";

export interface IncrementalListProps<Item> {
  /** All of them; a list of none is not drawn. */
  items: readonly Item[];
  keyOf: (item: Item) => string;
  className?: string;
  children: (item: Item) => ReactNode;
}

/** So many are drawn at first, and so many more each time that somebody asks for more. */
const initialCount = 50;
const pageSize = 200;

/** A list of rows that may be thousands: the first are drawn, and the others when they are asked for. */
export function IncrementalList<Item>(props: IncrementalListProps<Item>): ReactElement | null {
  const { items, keyOf, className, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [most, setMost] = useState(initialCount);
  if (items.length === 0) return null;
  const left = items.length - most;

  function showMore() {
    flushSync(() => setMost(most + pageSize));
    // The button may be gone, and whoever pressed it wants to read on.
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
