import { type ReactElement, useState } from "react";
import { Tabs } from "@/components/Tabs";
import { NodeTimelinePanel } from "@/timeline/NodeTimelinePanel";
import { useBlueprint, usePage } from "./blueprintContext";
import { useEditor } from "./editor";
import { HistoryPanel } from "./HistoryPanel";
import type { DrawerTab } from "./page";

/** Below the plan: the timeline of the selected node, or the history of the shown run. */
export function Drawer(): ReactElement {
  const { page } = useBlueprint();
  const tab = usePage((state) => state.drawerTab);
  const plan = useEditor((state) => state.plan.id);
  const run = useEditor((state) => state.run);
  const node = useEditor(({ selection, plan: { nodes } }) =>
    selection.size === 1 ? nodes.find((candidate) => selection.has(candidate.id)) : undefined,
  );
  // Each content draws its own head there, beside the tabs: a drawer has no height to give away.
  const [headPlace, setHeadPlace] = useState<HTMLElement | null>(null);

  return (
    <Tabs<DrawerTab>
      label="Timeline and history"
      value={tab}
      onChange={(drawerTab) => page.setState({ drawerTab })}
      aside={
        <div ref={setHeadPlace} className="ml-4 flex min-w-0 flex-1 items-center gap-2 pl-1" />
      }
      tabs={[
        {
          id: "timeline",
          label: "Timeline",
          content: <NodeTimelinePanel plan={plan} run={run} node={node} headPlace={headPlace} />,
        },
        {
          id: "history",
          label: "History",
          content: <HistoryPanel run={run} node={node} headPlace={headPlace} />,
        },
      ]}
    />
  );
}
