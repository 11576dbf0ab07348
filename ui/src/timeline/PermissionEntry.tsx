import { Hand } from "lucide-react";
import type { ReactElement } from "react";
import type { PermissionState, TimelineEntry, TimelineKind } from "@/api/bindings";
import { toolVerb } from "@/attempt/toolCategory";
import { PermissionActions } from "@/pending/PermissionActions";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { FileEditList } from "./FileEditList";
import { callObject } from "./sessionPath";
import { ToolInput } from "./ToolInput";
import { useExpanded, useTimelineContext } from "./timelineContext";

type Permission = Extract<TimelineKind, { type: "permission" }>;

const answers: Record<PermissionState, string> = {
  asked: "Not answered",
  allowed: "Allowed",
  denied: "Denied",
  withdrawn: "Withdrawn by the agent",
};

const hues: Record<PermissionState, string> = {
  asked: "text-state-waiting",
  allowed: "text-state-done",
  denied: "text-state-failed",
  withdrawn: "text-faint",
};

/**
 * A tool call that needed permission. While it waits, shows the exact call and the buttons to
 * answer.
 */
export function PermissionEntry({
  entry,
  permission,
}: {
  entry: TimelineEntry;
  permission: Permission;
}): ReactElement {
  const { question, source, directory } = useTimelineContext();
  const { open, toggle } = useExpanded(entry);
  const { request, tool, summary, input, state } = permission;
  const waits = state === "asked" && request !== null && request === question?.request;

  return (
    <EntryFrame entry={entry} icon={<Hand />} hue={hues[state]}>
      <EntryLine
        open={open || waits}
        onToggle={toggle}
        verb={request === null ? "Blocked by a rule" : `Asked to ${toolVerb(tool).toLowerCase()}`}
        object={callObject(summary, [], directory)}
        objectTitle={summary}
        marks={
          <span className={`font-medium text-12 ${hues[state]}`}>
            {waits ? "Waiting for you" : answers[state]}
          </span>
        }
      />
      {(open || waits) && input !== null && (
        <div className="mt-1.5 flex flex-col gap-2">
          {permission.edits && <FileEditList entry={entry} edits={permission.edits} />}
          {permission.edits ? (
            <details className="text-12">
              <summary className="cursor-pointer text-muted">Exact call</summary>
              <ToolInput entry={entry} call={permission} />
            </details>
          ) : (
            <ToolInput entry={entry} call={permission} />
          )}
          {waits && question && (
            <PermissionActions
              target={{ run: question.run, node: question.node }}
              request={question.request}
              call={question.call}
              session={source.kind === "session" ? source.session : null}
            />
          )}
        </div>
      )}
    </EntryFrame>
  );
}
