import { CornerDownRight, GripVertical, Pin } from "lucide-react";
import { type MouseEvent, memo, type PointerEvent, type ReactElement } from "react";
import type { Node, NodeId, NodeRunView } from "@/api/bindings";
import { classes } from "@/components/classes";
import { formatNumber } from "@/components/formatCount";
import { StateIcon } from "@/components/StateIcon";
import { StateLabel } from "@/components/StateLabel";
import { TitleInput } from "@/components/TitleInput";
import { WorkedTime } from "@/components/WorkedTime";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { inactiveSince, inactivityThreshold } from "@/plan/inactivity";
import { KindIcon } from "@/plan/KindIcon";
import { isCodeLine, kindSummary, subPlanIdOf } from "@/plan/kindSummary";
import { neighborsText } from "@/plan/neighborsText";
import { nodesById } from "@/plan/nodesById";
import { displayTitle, nodeLabel, nodeStateAppearance, runReason } from "@/plan/nodeText";
import { adjacencyOf } from "@/plan/reachability";
import { useInactivityText } from "@/plan/useInactivityText";
import { usePlanTitles } from "@/plan/usePlanTitles";

const columns =
  "grid grid-cols-[--spacing(5)_--spacing(7)_minmax(--spacing(20),1fr)_--spacing(28)_--spacing(19)] @min-[34rem]:grid-cols-[--spacing(5)_--spacing(7)_minmax(--spacing(30),3fr)_minmax(--spacing(22),2fr)_--spacing(28)_--spacing(19)] items-center gap-2 pr-4 pl-1 @min-[47.5rem]:grid-cols-[--spacing(5)_--spacing(10)_minmax(--spacing(40),3fr)_minmax(--spacing(22),1.5fr)_minmax(--spacing(30),2fr)_--spacing(30)_--spacing(22)]";

/** The indentation per level, in pixels. */
const indentStep = 12;

export function OutlineHeader(): ReactElement {
  return (
    <div
      className={classes(columns, "h-7 shrink-0 border-b font-medium text-12 text-faint")}
      aria-hidden="true"
    >
      <span />
      <span className="text-right">No.</span>
      <span>Title</span>
      <span className="hidden @min-[47.5rem]:block">Details</span>
      <span className="hidden @min-[34rem]:block">Depends on</span>
      <span>State</span>
      <span className="text-right">Time</span>
    </div>
  );
}

export interface OutlineRowProps {
  node: Node;
  index: number;
  /** Its number in topological order; notes have none. */
  number: number | undefined;
  /** The total number of rows, including those that aren't rendered. */
  of: number;
  top: number;
  height: number;
  run: NodeRunView | undefined;
  /** The level of indentation. */
  indent: number;
  /** The title of the node's group. */
  group: string | undefined;
  selected: boolean;
  onChoose: (event: MouseEvent, id: NodeId) => void;
  onGrab: (event: PointerEvent, id: NodeId) => void;
}

/** One node as a row. Its handle drags it; a double-click renames it, or opens a sub-plan. */
export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { node, index, number, of, top, height, run, indent, group, selected, onChoose, onGrab } =
    props;
  const { edit, open } = useBlueprint();
  const quiet = useInactivityText(inactiveSince(run), inactivityThreshold(node, run));
  const neighbors = useEditor(({ plan, selection }) =>
    // Only for a single selected row, which has the focus.
    selected && selection.size === 1 ? neighborsText(plan, node.id) : undefined,
  );
  const actor = kindSummary(node, usePlanTitles(subPlanIdOf(node) !== undefined));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around the rows handles keys
    <div
      role="option"
      data-row={node.id}
      aria-selected={selected}
      aria-label={nodeLabel(node, run, quiet)}
      aria-description={neighbors}
      aria-posinset={index + 1}
      aria-setsize={of}
      tabIndex={selected || index === 0 ? 0 : -1}
      style={{ top, height }}
      onClick={(event) => onChoose(event, node.id)}
      onDoubleClick={() =>
        subPlanIdOf(node) === undefined ? edit.startRename(node.id) : void open(node.id)
      }
      className={classes(
        columns,
        "group absolute inset-x-0 cursor-default border-b focus-visible:-outline-offset-2",
        selected ? "bg-accent-tint" : "hover:bg-hover",
      )}
    >
      <span
        aria-hidden="true"
        title="Drag, or press Alt and an arrow key"
        onPointerDown={(event) => onGrab(event, node.id)}
        className="flex cursor-grab touch-none justify-center text-faint opacity-0 group-hover:opacity-100"
      >
        <GripVertical className="size-3.5" />
      </span>
      <span className="text-right text-12 text-faint tabular-nums">
        {number !== undefined && formatNumber(number)}
      </span>
      <RowTitle node={node} indent={indent} group={group} />
      <span
        dir={isCodeLine(node) ? "ltr" : "auto"}
        title={actor}
        className={classes(
          "hidden truncate text-12 text-muted @min-[47.5rem]:block",
          isCodeLine(node) && "font-mono",
        )}
      >
        {actor}
      </span>
      <ParentChips id={node.id} />
      <span className="min-w-0 truncate">{run && <RowState run={run} quiet={quiet} />}</span>
      <span className="text-right text-12 text-muted">{run && <RowTime run={run} />}</span>
    </div>
  );
});

/** In a narrow list, the title needs all the room: a disabled node is struck through. */
function RowTitle({
  node,
  indent,
  group,
}: Pick<OutlineRowProps, "node" | "indent" | "group">): ReactElement {
  const { edit } = useBlueprint();
  const renaming = usePage((state) => state.renaming === node.id);
  return (
    <span style={{ paddingLeft: indent * indentStep }} className="flex min-w-0 items-center gap-2">
      {indent > 0 && <CornerDownRight aria-hidden="true" className="size-3 shrink-0 text-faint" />}
      <KindIcon kind={node.kind.kind} />
      {renaming ? (
        <TitleInput
          label="Node title"
          title={node.title}
          onDone={(title) => edit.rename(node.id, title)}
          className="h-6 flex-1"
        />
      ) : (
        <span
          dir="auto"
          className={classes("truncate font-medium", node.disabled && "text-muted line-through")}
          title={displayTitle(node.title)}
        >
          {displayTitle(node.title)}
        </span>
      )}
      {node.disabled && (
        <span className="hidden shrink-0 rounded-small bg-active px-1 text-11 text-muted @min-[34rem]:block">
          Disabled
        </span>
      )}
      <PinnedChip node={node.id} />
      {group !== undefined && (
        <span
          dir="auto"
          title={`In the group ${group}`}
          className="hidden max-w-24 shrink truncate rounded-small bg-active px-1 text-11 text-muted @min-[34rem]:block"
        >
          {group}
        </span>
      )}
    </span>
  );
}

function PinnedChip({ node }: { node: NodeId }): ReactElement | null {
  const isPinned = usePage((state) => state.pinnedOutputs.has(node));
  if (!isPinned) return null;
  return (
    <span
      title="Runs with pinned outputs don't run this node"
      className="flex shrink-0 items-center gap-0.5 rounded-small bg-active px-1 text-11 text-muted"
    >
      <Pin aria-hidden="true" className="size-2.5" />
      Output pinned
    </span>
  );
}

const maxParentChips = 2;

/** The node's parents by title. A click selects the parent. */
function ParentChips({ id }: { id: NodeId }): ReactElement {
  const { editor } = useBlueprint();
  const plan = useEditor((state) => state.plan);
  const parents = adjacencyOf(plan).parentsOf.get(id) ?? [];
  const titleOf = (node: NodeId) => displayTitle(nodesById(plan).get(node)?.title ?? "");
  const rest = parents.length - maxParentChips;
  return (
    <span className="hidden @min-[34rem]:flex min-w-0 gap-1">
      {parents.slice(0, maxParentChips).map((parent) => (
        // An option can't contain focusable elements. By keyboard, a command selects upstream
        // nodes.
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <span
          key={parent}
          dir="auto"
          title={titleOf(parent)}
          onClick={(event) => {
            event.stopPropagation();
            editor.getState().select([parent]);
          }}
          className="h-5 min-w-0 shrink truncate rounded-small border bg-surface px-1.5 text-12 text-muted hover:text-fg"
        >
          {titleOf(parent)}
        </span>
      ))}
      {rest > 0 && (
        <span
          title={parents.slice(maxParentChips).map(titleOf).join("\n")}
          className="text-12 text-faint"
        >
          +{rest}
        </span>
      )}
    </span>
  );
}

function RowState({ run, quiet }: { run: NodeRunView; quiet: string | undefined }): ReactElement {
  const reason = runReason(run, () => "another node");
  if (quiet !== undefined) {
    return (
      <span
        title={`Running, ${quiet}`}
        className="inline-flex items-center gap-1 align-middle text-12"
      >
        <StateIcon {...nodeStateAppearance(run)} />
        <span className="font-medium text-state-waiting tabular-nums">{quiet}</span>
      </span>
    );
  }
  return (
    <span title={reason}>
      <StateLabel {...nodeStateAppearance(run)} />
    </span>
  );
}

function RowTime({ run }: { run: NodeRunView }): ReactElement | null {
  const past = useEditor((state) => state.run?.past?.at);
  const { state } = run.state;
  if (state !== "running" && run.times.workingSince !== null) return null;
  if ((state === "done" || state === "skipped") && run.times.elapsedMs === null)
    return (
      <span title="Nothing was started for it in this run" className="text-faint">
        –
      </span>
    );
  return <WorkedTime times={run.times} past={past} />;
}
