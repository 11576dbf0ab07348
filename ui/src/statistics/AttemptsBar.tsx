import type { ReactElement } from "react";
import type { AttemptCounts } from "@/api/bindings";
import { classes } from "@/components/classes";
import { stateFill } from "@/components/nodeState";
import { attemptEnds, describeAttempts } from "./attemptCounts";

/** A thin stacked bar of attempts by outcome. */
export function AttemptsBar({ attempts }: { attempts: AttemptCounts }): ReactElement {
  const words = describeAttempts(attempts);
  return (
    <div
      role="img"
      aria-label={words}
      title={words}
      className="flex h-1.5 w-full gap-px overflow-hidden rounded-full"
    >
      {attemptEnds.map(
        ({ end, hue }) =>
          attempts[end] > 0 && (
            <span
              key={end}
              style={{ flexGrow: attempts[end] }}
              className={classes("min-w-0.5 basis-0", stateFill[hue])}
            />
          ),
      )}
    </div>
  );
}
