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
import type { StyledRange, TimelineEntry, TimelineImage, TimelineKind } from "@/api/bindings";
import { DiffSize } from "@/attempt/DiffView";
import { formatToolInput, type ToolCategory, toolCategory, toolVerb } from "@/attempt/toolCategory";
import { Duration } from "@/components/Duration";
import { ShapeIcon } from "@/components/stateShapes";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { FileEditList } from "./FileEditList";
import { ImageList } from "./ImageList";
import { LongText } from "./LongText";
import { callObject } from "./sessionPath";
import { describeTodos, TodoCheckList } from "./TodoCheckList";
import { ToolInput } from "./ToolInput";
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
  const { outside, directory } = useTimelineContext();
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
        object={objectOf(call, directory)}
        objectTitle={call.summary}
        marks={
          <>
            {call.edits && <DiffSize hunks={call.edits.flatMap(({ hunks }) => hunks)} />}
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
  const { result, edits = [], todos = [] } = call;
  const saysAll = edits.length > 0 || todos.length > 0;
  return (
    <div className="mt-1.5 mb-1 flex flex-col gap-1.5">
      {edits.length > 0 && <FileEditList entry={entry} edits={edits} />}
      {todos.length > 0 && <TodoCheckList items={todos} />}
      {!saysAll && inputOf(entry) !== call.summary && <ToolInput entry={entry} call={call} />}
      {result?.denied && <p className="text-12 text-state-waiting">Denied: the tool didn't run.</p>}
      {result?.images && <ImageList entry={entry} imagesOf={imagesOf} />}
      {result && !(saysAll && result.ok) && !isOnlyImages(call) && (
        <LongText
          entry={entry}
          textOf={outputOf}
          stylesOf={stylesOf}
          leftOutOf={truncatedBytesOf}
          copyLabel="Copy output"
          {...(!result.ok && { className: "border-l-2 border-l-state-failed" })}
        />
      )}
      {!result && <p className="text-12 text-faint">No result yet.</p>}
    </div>
  );
}

function objectOf({ summary, edits = [], todos = [] }: ToolCall, directory?: string): string {
  if (todos.length > 0) return describeTodos(todos);
  return callObject(
    summary,
    edits.map(({ path }) => path),
    directory,
  );
}

/** Returns whether the output only names the images, which are shown. */
function isOnlyImages({ result }: ToolCall): boolean {
  return result?.images !== undefined && /^(?:\[image\]\s*)*$/.test(result.text);
}

function imagesOf({ kind }: TimelineEntry): readonly TimelineImage[] {
  return kind.type === "toolCall" ? (kind.result?.images ?? []) : [];
}

function inputOf({ kind }: TimelineEntry): string {
  return kind.type === "toolCall" ? formatToolInput(kind.name, kind.input) : "";
}

function outputOf({ kind }: TimelineEntry): string {
  return kind.type === "toolCall" ? (kind.result?.text ?? "") : "";
}

function truncatedBytesOf({ kind }: TimelineEntry): number {
  return kind.type === "toolCall" ? (kind.result?.truncatedBytes ?? 0) : 0;
}

function stylesOf({ kind }: TimelineEntry): readonly StyledRange[] | undefined {
  return kind.type === "toolCall" ? kind.result?.styles : undefined;
}
