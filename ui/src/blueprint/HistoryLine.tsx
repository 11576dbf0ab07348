import { Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import type { HistoryRow, NodeId, SessionId } from "@/api/bindings";
import { formatActor } from "@/components/actor";
import { classes } from "@/components/classes";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { StateIcon } from "@/components/StateIcon";
import type { TitleOf } from "@/plan/nodeText";
import { eventNodes, eventState, historySentence } from "./historyText";
import { type RollbackTarget, rollbackLabel } from "./rollbackTarget";
import { useGoToNodes } from "./useGoToNodes";

export interface HistoryLineProps {
  row: HistoryRow;
  /** The row's index in the list, from 0. */
  at: number;
  /** Pixels from the top of the list. */
  top: number;
  /** The keyboard cursor is on this row. */
  current: boolean;
  titleOf: TitleOf;
  /** Returns the title of the node that a session of this run belongs to. */
  nodeOfSession: (session: SessionId) => string | undefined;
  /** Where the run can return to from here. */
  rollback: RollbackTarget | undefined;
  onRollBack: (target: RollbackTarget) => void;
  onPoint: () => void;
}

/** One event: time, actor, sentence, and links to the timeline of its node and to a rollback. */
export function HistoryLine(props: HistoryLineProps): ReactElement {
  const { row, at, top, current, titleOf, nodeOfSession, rollback, onRollBack, onPoint } = props;
  const mark = eventState(row.event);
  const sentence = historySentence(row);
  const actor = formatActor(row.actor, nodeOfSession);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names this as its active descendant
    <div
      role="row"
      id={`event-${row.seq}`}
      aria-rowindex={at + 1}
      aria-selected={current}
      onPointerDown={onPoint}
      style={{ top }}
      className={classes(
        "group/row absolute inset-x-0 grid auto-rows-[--spacing(7)] grid-cols-[--spacing(21)_--spacing(34)_--spacing(4)_minmax(0,1fr)_minmax(0,--spacing(35))] items-center gap-2 border-b px-4 text-12 hover:bg-hover",
        current && "group-focus-visible/list:bg-accent-tint",
      )}
    >
      <Cell className="text-faint">
        <RelativeTime at={row.at} />
      </Cell>
      <Cell className="truncate text-muted" title={actor}>
        {actor}
      </Cell>
      <Cell className="flex">{mark && <StateIcon state={mark} decorative />}</Cell>
      <Cell className="truncate select-text text-13" title={sentence}>
        {sentence}
      </Cell>
      <Cell className="flex justify-end gap-1">
        {rollback && (
          <RollbackButton
            target={rollback}
            shown={current || rollback.exact}
            onRollBack={onRollBack}
          />
        )}
        <EventNodesButton nodes={eventNodes(row.event)} titleOf={titleOf} />
      </Cell>
      {row.details?.map((detail) => (
        <Cell
          key={detail}
          className="col-start-4 col-end-6 truncate select-text text-muted"
          title={detail}
        >
          {detail}
        </Cell>
      ))}
    </div>
  );
}

function Cell(props: { className: string; title?: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list
    // biome-ignore lint/a11y/useFocusableInteractive: only the grid takes the focus
    <span role="gridcell" dir="auto" {...props} />
  );
}

/** On other lines than the checkpoint's, it shows on hover and on the current line. */
function RollbackButton({
  target,
  shown,
  onRollBack,
}: {
  target: RollbackTarget;
  shown: boolean;
  onRollBack: (target: RollbackTarget) => void;
}): ReactElement {
  const { exact, checkpoint } = target;
  const label = rollbackLabel(target);
  return (
    <button
      type="button"
      // The grid holds the focus, and the menu of the line has it too.
      tabIndex={-1}
      aria-label={label}
      title={exact ? label : `Roll back to before this, to the checkpoint “${checkpoint.name}”`}
      onClick={() => onRollBack(target)}
      className={classes(
        "flex h-5 shrink-0 items-center gap-1 rounded-small border bg-surface px-1 text-12 text-muted hover:text-fg",
        !shown && "invisible group-hover/row:visible",
      )}
    >
      <Undo2 aria-hidden="true" className="size-3.5" />
      {exact && label}
    </button>
  );
}

function EventNodesButton({
  nodes,
  titleOf,
}: {
  nodes: readonly NodeId[];
  titleOf: TitleOf;
}): ReactElement | null {
  const showNodes = useGoToNodes();
  const [first] = nodes;
  if (first === undefined) return null;
  const words = nodes.length === 1 ? titleOf(first) : formatCount(nodes.length, "node");
  return (
    <button
      type="button"
      // The grid holds the focus, and Enter does the same.
      tabIndex={-1}
      dir="auto"
      title={nodes.length === 1 ? `Show the timeline of ${words}` : nodes.map(titleOf).join("\n")}
      onClick={() => showNodes(nodes)}
      className="h-5 min-w-0 truncate rounded-small border bg-surface px-1.5 text-12 text-muted hover:text-fg"
    >
      {words}
    </button>
  );
}
