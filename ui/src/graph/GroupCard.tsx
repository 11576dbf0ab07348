import { Handle, type NodeProps } from "@xyflow/react";
import { ChevronRight } from "lucide-react";
import { memo, type ReactElement, useMemo } from "react";
import type { Group, NodeStatus } from "@/api/bindings";
import { classes } from "@/components/classes";
import { type NodeStateAppearance, nodeStateLabel, nodeStates } from "@/components/nodeState";
import { countStates, nodeStateKey } from "@/components/progress";
import { StateIcon } from "@/components/StateIcon";
import { TitleInput } from "@/components/TitleInput";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { sourceAnchor, targetAnchor } from "@/plan/edgeAnchors";
import { useEditor } from "@/plan/editor";
import { cardSize } from "@/plan/geometry";
import { defaultSourceHandleId } from "@/plan/handles";
import { formatMembers } from "@/plan/nodeCounts";
import { runsByNode } from "@/run/runsByNode";
import { collapsedGroupOf } from "./collapseGroups";
import type { CardNode } from "./toFlow";

/** A collapsed group: its title and how many of its nodes are in each state. */
export const GroupCard = memo(function GroupCard({ data, selected }: NodeProps<CardNode>) {
  const group = collapsedGroupOf(data.node);
  const { edit } = useBlueprint();
  const renaming = usePage((state) => state.renamingGroup === group?.id);
  if (!group) return null;
  return (
    <div
      data-color={group.color}
      title={data.title}
      className={classes(
        "group-card relative flex h-16 w-[220px] items-center gap-1.5 rounded-card border py-1.5 pr-2.5 pl-1.5 outline-accent outline-offset-0",
        selected && "outline-2",
        data.refused && "opacity-35",
      )}
    >
      <Handle
        type="target"
        position={targetAnchor(cardSize, data.reading).side}
        isConnectable={false}
        className="card-handle card-handle-target card-handle-hidden"
      />
      <Handle
        type="source"
        id={defaultSourceHandleId}
        position={sourceAnchor(cardSize, data.reading, undefined).side}
        isConnectable={false}
        className="card-handle card-handle-hidden"
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Expand group ${data.title}`}
        title="Expand (double-click, or Shift+Alt+G)"
        onClick={(event) => {
          event.stopPropagation();
          edit.setCollapsed([group.id], false);
        }}
        className="nodrag flex size-5 shrink-0 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-fg active:bg-active group-data-[lod=block]/canvas:hidden group-data-[lod=title]/canvas:hidden"
      >
        <ChevronRight aria-hidden="true" className="size-4" />
      </button>
      <div className="flex min-w-0 flex-1 flex-col gap-px group-data-[lod=block]/canvas:hidden">
        {renaming ? (
          <TitleInput
            label="Group title"
            title={group.title}
            onDone={(next) => edit.renameGroup(group.id, next)}
          />
        ) : (
          <div
            dir="auto"
            className="line-clamp-1 break-words font-medium text-13 leading-4 group-data-[lod=title]/canvas:line-clamp-2 group-data-[lod=title]/canvas:text-24 group-data-[lod=title]/canvas:leading-[26px]"
          >
            {data.title}
          </div>
        )}
        <Counts group={group} />
      </div>
    </div>
  );
});

function Counts({ group }: { group: Group }): ReactElement {
  const run = useEditor((state) => state.run);
  const size = useEditor(({ plan }) => formatMembers(plan, group));
  const counts = useMemo(() => {
    const runs = runsByNode(run);
    const states = group.nodes.flatMap((id) => runs.get(id)?.state ?? []);
    const byStatus = countStates(states.map(nodeStateKey));
    const statuses: NodeStatus[] = [...nodeStates, "failed_skipped"];
    return statuses
      .filter((status) => byStatus[status] > 0)
      .map((status) => [status, byStatus[status]] as const);
  }, [run, group]);

  return (
    <div className="flex min-w-0 items-center gap-2 overflow-hidden text-11 text-muted leading-[14px] tabular-nums group-data-[lod=title]/canvas:hidden">
      {counts.length === 0
        ? size
        : counts.map(([status, count]) => (
            <span key={status} className="flex items-center gap-0.5">
              <StateIcon {...appearanceOf(status)} size="small" decorative />
              {count}
              <span className="sr-only">{nodeStateLabel(appearanceOf(status)).toLowerCase()}</span>
            </span>
          ))}
    </div>
  );
}

function appearanceOf(status: NodeStatus): NodeStateAppearance {
  return status === "failed_skipped"
    ? { state: "skipped", failedAndSkipped: true }
    : { state: status };
}
