import {
  BookOpen,
  Bot,
  FilePen,
  FilePlus,
  Globe,
  ListChecks,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineEntry, TimelineKind } from "@/api/bindings";
import { DiffSize, DiffView } from "@/attempt/DiffView";
import { formatToolInput, type ToolCategory, toolCategory, toolVerb } from "@/attempt/toolCategory";
import { Duration } from "@/components/Duration";
import { ShapeIcon } from "@/components/stateShapes";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { LongText } from "./LongText";
import { useExpanded, useTimelineContext } from "./timelineContext";

type ToolCall = Extract<TimelineKind, { type: "toolCall" }>;

const icons: Record<ToolCategory, ReactElement> = {
  read: <BookOpen />,
  search: <Search />,
  edit: <FilePen />,
  write: <FilePlus />,
  run: <SquareTerminal />,
  fetch: <Globe />,
  delegate: <Bot />,
  plan: <ListChecks />,
  other: <Wrench />,
};

/** A tool call as one line that expands to its input and result. */
export function ToolCallEntry({
  entry,
  call,
}: {
  entry: TimelineEntry;
  call: ToolCall;
}): ReactElement {
  const { open, toggle } = useExpanded(entry);
  const { outside } = useTimelineContext();
  const note = outside.find((other) => other.call === call.id);
  const failed = call.result?.ok === false && !call.result.denied;

  return (
    <EntryFrame
      entry={entry}
      icon={icons[toolCategory(call.name)]}
      {...(failed && { hue: "text-state-failed" })}
    >
      <EntryLine
        open={open}
        onToggle={toggle}
        verb={call.name === "" ? "Result without a call" : toolVerb(call.name)}
        object={call.summary}
        marks={
          <>
            {call.result?.diff && <DiffSize hunks={call.result.diff} />}
            {note && !note.refused && (
              <span className="text-12 text-state-waiting">Not in the node's tool list</span>
            )}
            <CallTime entry={entry} call={call} />
            <ResultMark call={call} />
          </>
        }
      />
      {open && note && <p className="text-12 text-state-waiting">{note.note}</p>}
      {open && <Inside entry={entry} call={call} />}
    </EntryFrame>
  );
}

function CallTime({ entry, call }: { entry: TimelineEntry; call: ToolCall }): ReactElement | null {
  const from = entry.at.atMs;
  const to = call.ended?.atMs ?? null;
  if (from === null || to === null || to - from < 1_000) return null;
  return (
    <span className="text-11 text-faint">
      <Duration milliseconds={to - from} />
    </span>
  );
}

function ResultMark({ call }: { call: ToolCall }): ReactElement {
  const [shape, hue, word] = !call.result
    ? (["ring", "text-state-running", "Running"] as const)
    : call.result.denied
      ? (["hand", "text-state-waiting", "Denied"] as const)
      : call.result.ok
        ? (["check", "text-state-done", "Succeeded"] as const)
        : (["cross", "text-state-failed", "Failed"] as const);
  return (
    <span title={word} role="img" aria-label={word} className={hue}>
      <ShapeIcon shape={shape} className="size-3.5" />
    </span>
  );
}

function Inside({ entry, call }: { entry: TimelineEntry; call: ToolCall }): ReactElement {
  const { result } = call;
  return (
    <div className="mt-1.5 mb-1 flex flex-col gap-1.5">
      {showsInput(entry, call) && (
        <LongText entry={entry} textOf={inputOf} lines={12} copyLabel="Copy input" />
      )}
      {result?.diff && result.diff.length > 0 && <DiffView hunks={result.diff} />}
      {result?.denied && <p className="text-12 text-state-waiting">Denied: the tool didn't run.</p>}
      {result && !(result.diff?.length && result.ok) && (
        <LongText
          entry={entry}
          textOf={outputOf}
          leftOut={result.truncatedBytes}
          copyLabel="Copy output"
          {...(!result.ok && { className: "border-l-2 border-l-state-failed" })}
        />
      )}
      {!result && <p className="text-12 text-faint">No result yet.</p>}
    </div>
  );
}

/** Returns whether the input contains more than the summary line and the diff show. */
function showsInput(entry: TimelineEntry, { summary, result }: ToolCall): boolean {
  const isChange = result?.ok === true && result.diff !== null && result.diff.length > 0;
  return !isChange && inputOf(entry) !== summary;
}

function inputOf({ kind }: TimelineEntry): string {
  return kind.type === "toolCall" ? formatToolInput(kind.name, kind.input) : "";
}

function outputOf({ kind }: TimelineEntry): string {
  return kind.type === "toolCall" ? (kind.result?.text ?? "") : "";
}
