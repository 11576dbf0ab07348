import type { ReactElement } from "react";
import type { RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ActionRow } from "./ActionRow";
import { numberedAnswer, numberMark } from "./answerKeys";
import { StopRunButton } from "./StopRunButton";
import { type OnDone, useAction } from "./useAction";

interface TakeoverActionsProps {
  run: RunId;
  title: string;
  /** The findings of the takeover, one line each. */
  details: readonly string[];
  onDone: OnDone;
}

/** The findings of a takeover, with buttons to resume or stop the run. */
export function TakeoverActions({
  run,
  title,
  details,
  onDone,
}: TakeoverActionsProps): ReactElement {
  const resume = useAction("run_resume", onDone);
  const cancel = useAction("run_cancel", onDone);

  return (
    <>
      {details.length > 0 && (
        <ul aria-label="Findings" className="flex flex-col gap-0.5 text-12 text-muted">
          {details.map((line) => (
            <li key={line} dir="auto" className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
      <ActionRow error={resume.error ?? cancel.error}>
        <Button
          size="small"
          kind="primary"
          {...numberedAnswer({ at: 0, commits: true })}
          className={numberMark}
          busy={resume.isPending}
          onClick={() => resume.act({ run }, `Resumed ${title}`)}
        >
          Resume
        </Button>
        <StopRunButton
          at={1}
          title={title}
          busy={cancel.isPending}
          onStop={() => cancel.act({ run }, `Stopped ${title}`)}
        />
      </ActionRow>
    </>
  );
}
