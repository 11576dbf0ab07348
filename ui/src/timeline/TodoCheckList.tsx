import type { ReactElement } from "react";
import type { TodoItem, TodoState } from "@/api/bindings";
import { classes } from "@/components/classes";
import { ShapeIcon, type StateShape } from "@/components/stateShapes";

const looks: Record<TodoState, { shape: StateShape; hue: string; word: string }> = {
  pending: { shape: "circle", hue: "text-state-pending", word: "Pending" },
  inProgress: { shape: "ring", hue: "text-state-running", word: "In progress" },
  done: { shape: "check", hue: "text-state-done", word: "Done" },
  canceled: { shape: "dash", hue: "text-state-skipped", word: "Canceled" },
};

/** An agent's list of what to do, with the state of each item as a shape and a word. */
export function TodoCheckList({ items }: { items: readonly TodoItem[] }): ReactElement {
  return (
    <div className="max-w-[84ch]">
      <p className="text-12 text-muted tabular-nums">{describeTodos(items)}</p>
      <ul aria-label="To-do list" className="mt-0.5 flex max-h-120 flex-col overflow-auto">
        {items.map(({ text, state }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one state of the list never changes order
          <li key={at} className="flex items-start gap-2 py-0.5">
            <span
              role="img"
              title={looks[state].word}
              aria-label={looks[state].word}
              className={classes("flex h-5 shrink-0 items-center", looks[state].hue)}
            >
              <ShapeIcon shape={looks[state].shape} className="size-3.5" />
            </span>
            <span
              dir="auto"
              className={classes(
                "min-w-0 select-text break-words",
                state === "inProgress" && "font-medium",
                state === "done" && "text-muted",
                state === "canceled" && "text-muted line-through",
              )}
            >
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Describes how far a list is, such as "3 of 7 done". */
export function describeTodos(items: readonly TodoItem[]): string {
  const done = items.filter(({ state }) => state === "done").length;
  return `${done} of ${items.length} done`;
}
