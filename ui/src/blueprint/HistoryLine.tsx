import type { ReactElement } from "react";
import type { HistoryRow, NodeId, SessionId } from "@/api/bindings";
import { formatActor } from "@/components/actor";
import { classes } from "@/components/classes";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { StateIcon } from "@/components/StateIcon";
import type { TitleOf } from "@/plan/nodeText";
import { eventNodes, eventState, historySentence } from "./historyText";
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
  onPoint: () => void;
}

/** One event: time, actor, sentence, and a link to the timeline of its node. */
export function HistoryLine(props: HistoryLineProps): ReactElement {
  const { row, at, top, current, titleOf, nodeOfSession, onPoint } = props;
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
        "absolute inset-x-0 grid auto-rows-[--spacing(7)] grid-cols-[--spacing(21)_--spacing(34)_--spacing(4)_minmax(0,1fr)_minmax(0,--spacing(35))] items-center gap-2 border-b px-4 text-12 hover:bg-hover",
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
      <Cell className="flex justify-end">
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
