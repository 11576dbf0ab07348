import { Pin, PinOff } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Node } from "@/api/bindings";
import { runCommand } from "@/commands/commandRegistry";
import { ToolButton } from "@/commands/ToolButton";
import { Tabs } from "@/components/Tabs";
import { SessionOutput } from "@/output/SessionOutput";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import type { DrawerTab } from "@/plan/page";
import type { RenderOutput } from "@/timeline/AttemptTimeline";
import { NodeTimelinePanel } from "@/timeline/NodeTimelinePanel";
import { DrawerTerminals } from "./DrawerTerminals";
import { HistoryPanel } from "./HistoryPanel";
import { SummariesPanel } from "./SummariesPanel";

/**
 * Below the plan: the timeline of the selected node, the history and the summaries of the shown run,
 * or terminals.
 */
export function Drawer(): ReactElement {
  const { page } = useBlueprint();
  const tab = usePage((state) => state.drawerTab);
  const plan = useEditor((state) => state.plan.id);
  const run = useEditor((state) => state.run);
  const selected = useEditor(({ selection, plan: { nodes } }) =>
    selection.size === 1 ? nodes.find((candidate) => selection.has(candidate.id)) : undefined,
  );
  const pinned = usePinnedNode();
  const node = pinned ?? selected;
  // Each tab renders its header here, next to the tabs, to save height.
  const [headPlace, setHeadPlace] = useState<HTMLElement | null>(null);

  return (
    <div data-drawer className="flex min-h-0 flex-1 flex-col">
      <Tabs<DrawerTab>
        label="Timeline, history, summaries and terminals"
        value={tab}
        onChange={(drawerTab) => page.setState({ drawerTab })}
        aside={
          <>
            {/* Beside the tabs if it has room there, else below them. */}
            <div
              ref={setHeadPlace}
              className="@container ml-4 flex min-h-8 min-w-0 flex-1 basis-64 items-center gap-2 pl-1"
            />
            <PinLogButton pinned={pinned} possible={node !== undefined} />
          </>
        }
        tabs={[
          {
            id: "timeline",
            label: "Timeline",
            content: (
              <NodeTimelinePanel {...{ plan, run, node, headPlace }} output={renderOutput} />
            ),
          },
          {
            id: "history",
            label: "History",
            content: <HistoryPanel run={run} node={node} headPlace={headPlace} />,
          },
          {
            id: "summaries",
            label: "Summaries",
            content: <SummariesPanel run={run} headPlace={headPlace} />,
          },
          {
            id: "terminal",
            label: "Terminal",
            content: <DrawerTerminals node={selected} headPlace={headPlace} />,
          },
        ]}
      />
    </div>
  );
}

const renderOutput: RenderOutput = ({ session, startedAt }, follow) => (
  <SessionOutput key={session} {...{ session, startedAt, follow }} />
);

/** Returns the node that is pinned in the drawer, as long as the plan contains it. */
function usePinnedNode(): Node | undefined {
  const id = usePage((state) => state.pinnedLog);
  return useEditor((state) =>
    id === undefined ? undefined : state.plan.nodes.find((node) => node.id === id),
  );
}

function PinLogButton({
  pinned,
  possible,
}: {
  pinned: Node | undefined;
  possible: boolean;
}): ReactElement {
  const label = pinned
    ? `Unpin ${displayTitle(pinned.title)} and follow the selection`
    : "Keep showing this node when others are selected";
  return (
    <ToolButton
      command="pin_log"
      className="self-center"
      side="top"
      label={label}
      pressed={pinned !== undefined}
      disabled={!possible}
      icon={pinned ? <PinOff /> : <Pin />}
      onClick={() => runCommand("pin_log")}
    />
  );
}
